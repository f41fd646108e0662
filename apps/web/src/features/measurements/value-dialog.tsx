/** Dialogs to edit a value, delete it, or delete all values of a target, with any error. */
import {
  changeMeasurement,
  deleteMeasurement,
  deleteMeasurements,
  type Measurement,
} from '@pkdex/contract'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { call, messageOf } from '#web/lib/api.ts'
import { countOf } from '#web/lib/format.ts'
import { CallDialog } from '#web/ui/call-dialog.tsx'
import { ConfirmDialog } from '#web/ui/dialog.tsx'
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

type ChangeProps = { measurement: Measurement; onClose: () => void }

function ChangeDialog({ measurement, onClose }: ChangeProps) {
  const { id, compound, type } = measurement
  const [value, setValue] = useState(measurement.value.replace(/^p?\w+ /, ''))
  const [kind, setKind] = useState<Kind>({
    type,
    unit: measurement.value.startsWith('p') ? 'p' : 'nM',
  })
  const refresh = useRefreshMeasurements()
  const change = useMutation({
    mutationFn: () => call(changeMeasurement, { params: { id }, body: { value, ...kind } }),
    onSuccess() {
      refresh()
      onClose()
    },
  })
  return (
    <ConfirmDialog
      title={`Edit value for ${compound}`}
      text="Predictions update immediately."
      confirm="Save"
      isBusy={change.isPending}
      onConfirm={() => change.mutate()}
      onClose={onClose}
    >
      <Field
        label="Value"
        hint="A unit typed here overrides the one below."
        value={value}
        error={change.isError ? messageOf(change.error, 'Try again.') : undefined}
        onChange={({ currentTarget }) => setValue(currentTarget.value)}
      />
      <KindChoice kind={kind} onChange={setKind} />
    </ConfirmDialog>
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
