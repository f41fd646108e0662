/** How much stronger a pair is than the compound's best pair on another target. */
import { errorOfDifference } from '@pkdex/contract'
import type { ScreenPair } from './screen-table.ts'

/** Best estimate of the pair minus the highest on the other targets, with the error; null if there is no other target. */
export function selectivityOf({ best, other }: Pick<ScreenPair, 'best' | 'other'>) {
  if (best === null || other === null) return { selectivity: null, selectivity_error: null }
  return {
    selectivity: round(best.predicted - other.predicted),
    selectivity_error: round(errorOfDifference(best, other)),
  }
}

function round(pk: number): number {
  return Math.round(pk * 1e6) / 1e6
}
