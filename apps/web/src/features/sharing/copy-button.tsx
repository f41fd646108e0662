/** Copies what a shared screen is made of into the viewer's library, where it can be predicted further. */
import { copyScreen, type CopiedScreen } from '@pkdex/contract'
import { useState } from 'react'
import { z } from 'zod'
import { call, messageOf } from '#web/lib/api.ts'
import { countOf } from '#web/lib/format.ts'
import { Button } from '#web/ui/button.ts'
import { CallDialog } from '#web/ui/call-dialog.tsx'
import { Checkbox } from '#web/ui/field.tsx'
import { ticked } from '#web/ui/use-form.ts'

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

const Copied = z
  .object({ targets: ticked, compounds: ticked, measured_values: ticked })
  .refine(({ targets, compounds }) => targets || compounds)

type CopyDialogProps = { id: string; onClose: () => void; onDone: (copied: CopiedScreen) => void }

function CopyDialog({ id, onClose, onDone }: CopyDialogProps) {
  const [hasTargets, setTargets] = useState(true)
  const [hasValues, setValues] = useState(false)
  return (
    <CallDialog
      title="Copy to my library"
      text="Costs nothing. What you predict with it then costs your own credits."
      confirm="Copy"
      failure="Not everything was copied"
      schema={Copied}
      call={(body) => call(copyScreen, { params: { id }, body })}
      reasonOf={(error) => messageOf(error, 'Try again.')}
      onDone={onDone}
      onClose={onClose}
    >
      <Checkbox name="targets" isChecked={hasTargets} onChange={setTargets}>
        Targets
      </Checkbox>
      <Checkbox name="compounds" defaultChecked>
        Compounds
      </Checkbox>
      <Checkbox
        name="measured_values"
        isChecked={hasTargets && hasValues}
        isDisabled={!hasTargets}
        onChange={setValues}
      >
        Measured values
      </Checkbox>
    </CallDialog>
  )
}
