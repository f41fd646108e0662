/** Selects the type and the unit of measured values from two short lists. */
import { Flex } from '#web/ui/layout.ts'
import { MeasurementType, MeasurementUnit } from '@pkdex/contract'
import { Select } from '#web/ui/field.tsx'
import classes from './measurements.module.css'

export type Kind = { type: MeasurementType; unit: MeasurementUnit }

const typeOptions = MeasurementType.options.map((value) => ({ value, label: value }))

export function KindChoice({ kind, onChange }: { kind: Kind; onChange: (kind: Kind) => void }) {
  const unitOptions = MeasurementUnit.options.map((value) => ({
    value,
    label: value === 'p' ? `p${kind.type}` : value,
  }))
  return (
    <Flex className={classes.kind} wrap="wrap" gap="sm">
      <Select
        label="Type"
        value={kind.type}
        options={typeOptions}
        onChange={(type) => onChange({ ...kind, type })}
      />
      <Select
        label="Unit"
        value={kind.unit}
        options={unitOptions}
        onChange={(unit) => onChange({ ...kind, unit })}
      />
    </Flex>
  )
}
