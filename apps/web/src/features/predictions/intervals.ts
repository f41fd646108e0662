/** The two intervals of a value and how they are written. Bounds are worked out from the value as it is shown. */
import { FIXED_INTERVAL_PKD, type PredictionResult } from '@pkdex/contract'
import { formatPkd } from './affinity.ts'
import type { Bounds } from './scale-marks.ts'

export function fixedBounds(pkd: number): Bounds {
  const shown = Number(pkd.toFixed(2))
  return { lower: shown - FIXED_INTERVAL_PKD, upper: shown + FIXED_INTERVAL_PKD }
}

export function formatBounds({ lower, upper }: Bounds): string {
  return `${formatPkd(lower)} to ${formatPkd(upper)}`
}

/** The level in percent; the model writes it as a fraction. */
export function formatLevel({ level }: PredictionResult['interval']): string {
  return `${Number((level <= 1 ? level * 100 : level).toFixed(1))}%`
}
