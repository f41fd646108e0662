/**
 * Ranks untested compounds by their prediction, adjusted by the user's values: the predicted value plus half a standard
 * deviation, so that of two similar predictions the less certain one comes first (decision 079). The chance that a
 * measured value exceeds the goal is shown beside each compound and does not affect the ranking.
 */
import type { Estimate, Updated, UpdateEstimates } from '#server/inference/service.ts'

export type Ranked = Updated & {
  /** Position in the list of candidates. */
  place: number
  /** 0 to 1, rounded down to whole percent. */
  chance: number
}

/** How much uncertainty adds to the predicted value, in standard deviations. */
const EXPLORED = 0.5
/** A 95% interval extends this many standard deviations to each side. */
const NORMAL_95 = 1.959964
/**
 * Errors have a narrower core and longer tails than a normal distribution with the same 95% interval. Chances are those
 * of Student's t with 6 degrees of freedom and this share of the standard deviation, chosen on published series of other
 * genes (decision 079).
 */
const CORE = 0.7
const FREEDOM = 6

/** Best first; ties keep their order. `goal` is the pK to exceed. */
export function rankUntested(
  candidates: Estimate[],
  update: UpdateEstimates,
  goal: number,
): Ranked[] {
  const ranked = update(candidates).map(({ predicted, halfWidth }, place) => {
    const deviation = halfWidth / NORMAL_95
    const chance = roundDown(chanceAbove((goal - predicted) / (CORE * deviation)))
    return { place, predicted, halfWidth, chance, score: predicted + EXPLORED * deviation }
  })
  return ranked
    .toSorted((one, other) => other.score - one.score || one.place - other.place)
    .map(({ place, predicted, halfWidth, chance }) => ({ place, predicted, halfWidth, chance }))
}

function roundDown(chance: number): number {
  return Math.min(Math.floor(chance * 100) / 100, SURE)
}

/** A chance is never shown as certain. */
const SURE = 0.99

/** Probability that a variable with Student's t distribution exceeds this value; a closed form for 6 degrees of freedom. */
function chanceAbove(value: number): number {
  const rest = FREEDOM / (FREEDOM + value ** 2)
  const sine = value / Math.sqrt(FREEDOM + value ** 2)
  return 0.5 - (sine / 2) * (1 + rest / 2 + (3 / 8) * rest ** 2)
}
