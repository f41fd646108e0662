/** Copies what a shared screen is made of into the viewer's library, where it can be predicted further. */
import { copyScreen, type CopiedScreen } from '@pkdex/contract'
import { useState } from 'react'
import { call, messageOf } from '#web/lib/api.ts'
import { countOf } from '#web/lib/format.ts'
import { Button } from '#web/ui/button.ts'
import { CallDialog } from '#web/ui/call-dialog.tsx'
import { Checkbox } from '#web/ui/field.tsx'

export function CopyButton({ id }: { id: string }) {
  const [isOpen, setOpen] = useState(false)
  const [copied, setCopied] = useState<CopiedScreen | null>(null)
  return (
    <>
      <Button variant="default" aria-haspopup="dialog" onClick={() => setOpen(true)}>
        Copy to my library
      </Button>
      <output className="small">{copied && describe(copied)}</output>
      {isOpen && <CopyDialog id={id} onClose={() => setOpen(false)} onDone={setCopied} />}
    </>
  )
}

function describe({ targets, compounds, measured_values: values }: CopiedScreen): string {
  const counts = [countOf(targets, 'target'), countOf(compounds, 'compound')]
  const measured = values > 0 ? [countOf(values, 'measured value')] : []
  return `In your library: ${[...counts, ...measured].join(', ')}.`
}

type CopyDialogProps = { id: string; onClose: () => void; onDone: (copied: CopiedScreen) => void }

function CopyDialog({ id, onClose, onDone }: CopyDialogProps) {
  const [hasTargets, setTargets] = useState(true)
  const [hasCompounds, setCompounds] = useState(true)
  const [hasValues, setValues] = useState(false)
  const body = {
    targets: hasTargets,
    compounds: hasCompounds,
    measured_values: hasTargets && hasValues,
  }
  return (
    <CallDialog
      title="Copy to my library"
      text="Costs nothing. What you predict with it then costs your own credits."
      confirm="Copy"
      failure="Not everything was copied"
      isReady={() => hasTargets || hasCompounds}
      call={() => call(copyScreen, { params: { id }, body })}
      reasonOf={(error) => messageOf(error, 'Try again.')}
      onDone={onDone}
      onClose={onClose}
    >
      <Checkbox isChecked={hasTargets} onChange={setTargets}>
        Targets
      </Checkbox>
      <Checkbox isChecked={hasCompounds} onChange={setCompounds}>
        Compounds
      </Checkbox>
      <Checkbox isChecked={hasTargets && hasValues} isDisabled={!hasTargets} onChange={setValues}>
        Measured values
      </Checkbox>
    </CallDialog>
  )
}
