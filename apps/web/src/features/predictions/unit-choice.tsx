/** Selects the unit of affinities in tables and maps. */
import {
  affinityUnits,
  chooseAffinityUnit,
  unitTitles,
  useAffinityUnit,
} from '#web/lib/affinity-unit.ts'
import { Select } from '#web/ui/field.tsx'

const OPTIONS = affinityUnits.map((value) => ({ value, label: unitTitles[value] }))

export function UnitChoice({ className }: { className?: string | undefined }) {
  return (
    <Select
      label="Affinity unit"
      isLabelHidden
      className={className}
      value={useAffinityUnit()}
      options={OPTIONS}
      onChange={chooseAffinityUnit}
    />
  )
}
