/** Which value of a pair is shown: the prediction, or what a pose makes of it. */
import type { ScreenRow } from '@pkdex/contract'
import { Select } from '#web/ui/field.tsx'

export const ADJUSTED = 'Structure-adjusted'

const VALUES = [
  { value: 'predicted', label: 'Predicted' },
  { value: 'adjusted', label: ADJUSTED },
] as const

type Props = {
  isAdjusted: boolean
  /** With the parameter of the address. */
  onChange: (values: 'adjusted' | undefined) => void
}

export function ValueChoice({ isAdjusted, onChange }: Props) {
  return (
    <Select
      label="Value"
      isLabelHidden
      value={isAdjusted ? 'adjusted' : 'predicted'}
      options={VALUES}
      onChange={(value) => onChange(value === 'adjusted' ? value : undefined)}
    />
  )
}

/** The row with its structure-adjusted value as if that were predicted; without a pose it says why. */
export function adjustRow(row: ScreenRow): ScreenRow {
  const { structure_adjusted: adjusted, structure_reason: whyNoPose } = row
  if (adjusted == null) {
    const reason = row.predicted_kd === null ? row.reason : (whyNoPose ?? null)
    return { ...row, predicted_kd: null, lower: null, upper: null, reason }
  }
  const { value, lower, upper } = adjusted
  return { ...row, predicted_kd: value, lower, upper }
}

/** What the user's values adjust, in words after "with your values". */
export function wordStart({ own_values_start: start }: ScreenRow): string {
  return start === 'structure_adjusted' ? ' and structure' : ''
}
