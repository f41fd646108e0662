/** A dialog that sends a request when confirmed: stays open until it succeeds, and shows why it failed. */
import { type ComponentProps, useState } from 'react'
import { ConfirmDialog } from './dialog.tsx'
import { Note } from './note.tsx'

type Props<T> = Omit<ComponentProps<typeof ConfirmDialog>, 'onConfirm'> & {
  call: () => Promise<T>
  /** Title of the error note. */
  failure?: string
  reasonOf: (error: Error) => string
  /** False if something is missing in the children: then no request is sent. */
  isReady?: () => boolean
  /** Called with the response; then the dialog closes. */
  onDone: (answer: T) => void
}

export function CallDialog<T>({ call, failure, reasonOf, isReady, onDone, ...dialog }: Props<T>) {
  const { children, isBusy = false, onClose } = dialog
  const [isPending, setIsPending] = useState(false)
  const [error, setError] = useState<Error | null>(null)
  async function confirm() {
    if (isReady?.() === false) return
    setIsPending(true)
    try {
      onDone(await call())
      onClose()
    } catch (thrown) {
      setError(thrown instanceof Error ? thrown : new Error(String(thrown)))
    } finally {
      setIsPending(false)
    }
  }
  return (
    <ConfirmDialog {...dialog} isBusy={isBusy || isPending} onConfirm={() => void confirm()}>
      {children}
      {error !== null && !isPending && (
        <Note tone="failure" title={failure}>
          {reasonOf(error)}
        </Note>
      )}
    </ConfirmDialog>
  )
}
