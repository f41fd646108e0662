/** Opens the forms for pasted compounds, tables, a drawn molecule or a sequence; their code is loaded when opened. */
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { Button } from '#web/ui/button.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import { Note } from '#web/ui/note.tsx'
import { Spinner } from '#web/ui/spinner.tsx'
import type { OnImport } from './upload-files.ts'

const TableForm = lazy(() =>
  import('./table-form.tsx').then(
    (loaded) => ({ default: loaded.TableForm }),
    () => ({ default: NotLoaded }),
  ),
)
const DrawForm = lazy(() =>
  import('./draw-form.tsx').then(
    (loaded) => ({ default: loaded.DrawForm }),
    () => ({ default: NotLoaded }),
  ),
)
const SequenceForm = lazy(() =>
  import('./sequence-form.tsx').then(
    (loaded) => ({ default: loaded.SequenceForm }),
    () => ({ default: NotLoaded }),
  ),
)

type Props = {
  text: string
  variant: 'subtle' | 'default'
  /** The file to begin with. */
  file?: File
  onImport: OnImport
}

export function TableImport({ text, variant, file, onImport }: Props) {
  return (
    <WayIn text={text} variant={variant} label="Paste or import compounds" onImport={onImport}>
      {(onDone) => <TableForm {...(file && { file })} onImport={onDone} />}
    </WayIn>
  )
}

export function DrawImport({ onImport }: Pick<Props, 'onImport'>) {
  return (
    <WayIn text="Draw a molecule" variant="subtle" label="Draw a molecule" onImport={onImport}>
      {(onDone) => <DrawForm onImport={onDone} />}
    </WayIn>
  )
}

export function SequenceImport({ onImport }: Pick<Props, 'onImport'>) {
  return (
    <WayIn text="Paste a sequence" variant="subtle" label="Paste a sequence" onImport={onImport}>
      {(onDone) => <SequenceForm onImport={onDone} />}
    </WayIn>
  )
}

type WayInProps = Pick<Props, 'text' | 'variant' | 'onImport'> & {
  label: string
  children: (onDone: OnImport) => ReactNode
}

/** A button that opens a dialog with one of the forms. */
function WayIn({ text, variant, label, onImport, children }: WayInProps) {
  const [isOpen, setIsOpen] = useState(false)
  const close = () => setIsOpen(false)
  return (
    <>
      <Button variant={variant} aria-haspopup="dialog" onClick={() => setIsOpen(true)}>
        {text}
      </Button>
      {isOpen && (
        <Dialog label={label} width={720} onClose={close}>
          <Suspense fallback={<Spinner text="Loading" />}>
            {children((...made) => {
              close()
              onImport(...made)
            })}
          </Suspense>
        </Dialog>
      )}
    </>
  )
}

function NotLoaded() {
  return <Note tone="failure">The import could not be loaded. Reload the page.</Note>
}
