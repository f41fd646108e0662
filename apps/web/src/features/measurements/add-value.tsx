/** Adds a measured value to one pair. The dialog stays on the pair, so that no other target can get the value. */
import { importMeasurements } from '@pkdex/contract'
import { useState } from 'react'
import { z } from 'zod'
import { call, messageOf } from '#web/lib/api.ts'
import { OwnerOnly } from '#web/lib/viewing.tsx'
import { Button } from '#web/ui/button.ts'
import { CallDialog } from '#web/ui/call-dialog.tsx'
import { Field } from '#web/ui/field.tsx'
import { type Kind, KindChoice } from './measured-kind.tsx'
import { useRefreshMeasurements } from './measurement-queries.ts'

/** `compound`: a name, or SMILES. */
type Pair = { target: string; compound: string }

export function AddValue({ pair }: { pair: Pair }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <OwnerOnly>
      <Button variant="subtle" aria-haspopup="dialog" onClick={() => setOpen(true)}>
        Add measured value
      </Button>
      {isOpen && <AddDialog pair={pair} onClose={() => setOpen(false)} />}
    </OwnerOnly>
  )
}

const Value = z.object({ value: z.string().trim().min(1, 'Enter a value.') })

function AddDialog({ pair: { target, compound }, onClose }: { pair: Pair; onClose: () => void }) {
  const [kind, setKind] = useState<Kind>({ type: 'Kd', unit: 'nM' })
  const refresh = useRefreshMeasurements()
  return (
    <CallDialog
      title="Add measured value"
      text="Predictions on this target update immediately."
      confirm="Save"
      schema={Value}
      call={({ value }) => save({ target, compound, value, ...kind })}
      failure="The value was not saved"
      reasonOf={(error) => messageOf(error, error.message)}
      onDone={refresh}
      onClose={onClose}
    >
      {(field) => (
        <>
          <p>
            <b>{compound}</b> on <b>{target}</b>
          </p>
          <Field
            label="Value"
            hint="With < or > for a limit. A unit typed here overrides the one below."
            autoComplete="off"
            data-autofocus
            {...field('value')}
          />
          <KindChoice kind={kind} onChange={setKind} />
        </>
      )}
    </CallDialog>
  )
}

/** Throws the reason if the value was not stored. */
async function save({ target, ...row }: Pair & Kind & { value: string }): Promise<void> {
  const { rejected, repeated } = await call(importMeasurements, { body: { target, values: [row] } })
  const [line] = rejected
  if (line !== undefined) throw new Error(line.reason)
  if (repeated > 0) throw new Error('This value is stored already.')
}
