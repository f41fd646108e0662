/** How much stronger a pair is than the compound's best pair on another target. */
import { errorOfDifference } from '@pkdex/contract'
import type { ScreenPair } from './screen-table.ts'

/** pKd of the pair minus the best pKd on the other targets, with the error; null if there is no other target. */
export function selectivityOf({ number, value, other }: ScreenPair) {
  if (number === null || value === null || other === null) {
    return { selectivity: null, selectivity_error: null }
  }
  const [own, next] = [shown(number, value), shown(other.number, other.value)]
  return {
    selectivity: round(own.predicted - next.predicted),
    selectivity_error: round(errorOfDifference(own, next)),
  }
}

/** The interval moves with the value. */
function shown({ predicted, lower, upper }: NonNullable<ScreenPair['number']>, value: number) {
  const shift = value - predicted
  return { predicted: value, lower: lower + shift, upper: upper + shift }
}

function round(pk: number): number {
  return Math.round(pk * 1e6) / 1e6
}
