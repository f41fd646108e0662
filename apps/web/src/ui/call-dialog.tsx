/** A dialog that sends a request when confirmed: stays open until it succeeds, and shows why it failed. */
import { type ComponentProps, useState } from 'react'
import { ConfirmDialog } from './dialog.tsx'
import { Note } from './note.tsx'

type Props<T, Body> = Omit<ComponentProps<typeof ConfirmDialog<Body>>, 'onConfirm'> & {
  /** `body`: the checked fields. */
  call: (body: Body) => Promise<T>
  /** Title of the error note. */
  failure?: string
  reasonOf: (error: Error) => string
  /** Called with the response; then the dialog closes. */
  onDone: (answer: T) => void
}

export function CallDialog<T, Body = unknown>({
  call,
  failure,
  reasonOf,
  onDone,
  ...dialog
}: Props<T, Body>) {
  const { children, isBusy = false, onClose } = dialog
  const [isPending, setIsPending] = useState(false)
  const [error, setError] = useState<Error | null>(null)
  async function confirm(body: Body) {
    setIsPending(true)
    try {
      onDone(await call(body))
      onClose()
    } catch (thrown) {
      setError(thrown instanceof Error ? thrown : new Error(String(thrown)))
    } finally {
      setIsPending(false)
    }
  }
  return (
    <ConfirmDialog
      {...dialog}
      isBusy={isBusy || isPending}
      onConfirm={(body) => void confirm(body)}
    >
      {(field) => (
        <>
          {typeof children === 'function' ? children(field) : children}
          {error !== null && !isPending && (
            <Note tone="failure" title={failure}>
              {reasonOf(error)}
            </Note>
          )}
        </>
      )}
    </ConfirmDialog>
  )
}
