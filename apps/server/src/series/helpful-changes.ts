/** Chooses the changes of a group to apply to a series: those that reliably raised pK, in the user's values or else in training. */
import { APPLIED_CHANGES_MAX, type GroupChange, type SeriesProducts } from '@pkdex/contract'

type Helpful = SeriesProducts['changes'][number]

const NORMAL_95 = 1.959964
/** Minimum number of pairs on this target in the training data. */
const TRAINING_PAIRS_MIN = 5

/** Considers both directions of a change; sorted by the lower end of the mean change, largest first. */
export function chooseHelpful(changes: GroupChange[]): Helpful[] {
  const both = changes.flatMap((change) => {
    const { from, to } = change
    const bounds = boundsOf(change)
    if (bounds === null) return []
    return [
      { from, to, lower: bounds.lower },
      { from: to, to: from, lower: -bounds.upper },
    ]
  })
  return both
    .filter(({ lower }) => lower > 0)
    .toSorted((one, other) => other.lower - one.lower)
    .slice(0, APPLIED_CHANGES_MAX)
}

function boundsOf({ lower, upper, training_on_target }: GroupChange) {
  if (lower !== null && upper !== null) return { lower, upper }
  if (training_on_target === null || training_on_target.pairs < TRAINING_PAIRS_MIN) return null
  const { mean, spread, pairs } = training_on_target
  const reach = (NORMAL_95 * spread) / Math.sqrt(pairs)
  return { lower: mean - reach, upper: mean + reach }
}
