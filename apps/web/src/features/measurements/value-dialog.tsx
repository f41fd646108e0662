/** Dialogs to edit a value, delete it, or delete all values of a target, with any error. */
import {
  changeMeasurement,
  deleteMeasurement,
  deleteMeasurements,
  type Measurement,
} from '@pkdex/contract'
import { useState } from 'react'
import { z } from 'zod'
import { call, messageOf } from '#web/lib/api.ts'
import { countOf } from '#web/lib/format.ts'
import { CallDialog } from '#web/ui/call-dialog.tsx'
import { Field } from '#web/ui/field.tsx'
import { type Kind, KindChoice } from './measured-kind.tsx'
import { useRefreshMeasurements } from './measurement-queries.ts'

/** The action waiting for confirmation: on one value, or on all values of a target. */
export type ValueAction =
  | { kind: 'change' | 'delete'; measurement: Measurement }
  | { kind: 'delete all' }

type Props = { action: ValueAction; target: string; total: number; onClose: () => void }

export function ValueDialog({ action, target, total, onClose }: Props) {
  switch (action.kind) {
    case 'change':
      return <ChangeDialog measurement={action.measurement} onClose={onClose} />
    case 'delete':
      return (
        <DeleteDialog
          text={`${action.measurement.compound}: ${action.measurement.value}`}
          remove={() => call(deleteMeasurement, { params: { id: action.measurement.id } })}
          onClose={onClose}
        />
      )
    case 'delete all':
      return (
        <DeleteDialog
          text={`All ${countOf(total, 'value')} for ${target}.`}
          remove={() => call(deleteMeasurements, { query: { target } })}
          onClose={onClose}
        />
      )
  }
}

/** The server says what is wrong with a value. */
const Value = z.object({ value: z.string() })

type ChangeProps = { measurement: Measurement; onClose: () => void }

function ChangeDialog({ measurement, onClose }: ChangeProps) {
  const { id, compound, type } = measurement
  const [kind, setKind] = useState<Kind>({
    type,
    unit: measurement.value.startsWith('p') ? 'p' : 'nM',
  })
  const refresh = useRefreshMeasurements()
  return (
    <CallDialog
      title={`Edit value for ${compound}`}
      text="Predictions update immediately."
      confirm="Save"
      schema={Value}
      call={(body) => call(changeMeasurement, { params: { id }, body: { ...body, ...kind } })}
      failure="The value was not saved"
      reasonOf={(error) => messageOf(error, 'Try again.')}
      onDone={refresh}
      onClose={onClose}
    >
      {(field) => (
        <>
          <Field
            label="Value"
            hint="A unit typed here overrides the one below."
            defaultValue={measurement.value.replace(/^p?\w+ /, '')}
            {...field('value')}
          />
          <KindChoice kind={kind} onChange={setKind} />
        </>
      )}
    </CallDialog>
  )
}

type DeleteProps = { text: string; remove: () => Promise<unknown>; onClose: () => void }

function DeleteDialog({ text, remove, onClose }: DeleteProps) {
  const refresh = useRefreshMeasurements()
  return (
    <CallDialog
      title="Delete measured values"
      text="This cannot be undone. Predictions will no longer use them."
      confirm="Delete"
      isDangerous
      call={remove}
      failure="The values were not deleted"
      reasonOf={(error) => messageOf(error, 'Try again.')}
      onDone={refresh}
      onClose={onClose}
    >
      <p>{text}</p>
    </CallDialog>
  )
}
