/** Opens the import of pasted compounds and of tables; its code comes when it is opened. */
import { lazy, Suspense, useState } from 'react'
import { Button } from '#web/ui/button.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import { Note } from '#web/ui/note.tsx'
import { Spinner } from '#web/ui/spinner.tsx'

const TableForm = lazy(() =>
  import('./table-form.tsx').then(
    (loaded) => ({ default: loaded.TableForm }),
    () => ({ default: NotLoaded }),
  ),
)

type Props = {
  text: string
  variant: 'subtle' | 'default'
  /** What it begins with, instead of nothing. */
  file?: File
  /** A file as an upload takes it. */
  onImport: (file: File) => void
}

export function TableImport({ text, variant, file, onImport }: Props) {
  const [isOpen, setIsOpen] = useState(false)
  const close = () => setIsOpen(false)
  return (
    <>
      <Button variant={variant} aria-haspopup="dialog" onClick={() => setIsOpen(true)}>
        {text}
      </Button>
      {isOpen && (
        <Dialog label="Paste or import compounds" onClose={close}>
          <Suspense fallback={<Spinner text="Loading the import" />}>
            <TableForm
              {...(file && { file })}
              onImport={(lines) => {
                close()
                onImport(lines)
              }}
            />
          </Suspense>
        </Dialog>
      )}
    </>
  )
}

function NotLoaded() {
  return <Note tone="failure">The import could not be loaded. Reload the page.</Note>
}
