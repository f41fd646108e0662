/** How much stronger a pair is than the compound's best pair on another target. */
import { errorOfDifference } from '@pkdex/contract'
import type { ScreenPair } from './screen-table.ts'
import { round } from '#server/platform/round.ts'

/** Best estimate of the pair minus the highest on the other targets, with the error; null if there is no other target. */
export function selectivityOf({ best, other }: Pick<ScreenPair, 'best' | 'other'>) {
  if (best === null || other === null) return { selectivity: null, selectivity_error: null }
  return {
    selectivity: round(best.predicted - other.predicted, 6),
    selectivity_error: round(errorOfDifference(best, other), 6),
  }
}
