/** Best estimates that nothing moves: every number is the prediction. */
import type { BestEstimates } from '#server/predictions/best-estimates.ts'

export const plainEstimates: BestEstimates = {
  open: async ({ targets }) => targets.map(() => null),
  complete: async (_of, result) => result,
}
