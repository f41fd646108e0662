/**
 * Ranks untested compounds by what the user's values make of them: the predicted value plus half a standard deviation,
 * so that of two similar predictions the less certain one comes first (decision 079). The chance that a measured value
 * exceeds the goal is printed beside each one and does not rank it.
 */
import type { Estimate, Updated, UpdateEstimates } from '#server/inference/service.ts'

export type Ranked = Updated & {
  /** Position in the list of candidates. */
  place: number
  /** 0 to 1, rounded down to whole percent. */
  chance: number
}

/** In standard deviations: what uncertainty adds to the predicted value. */
const EXPLORED = 0.5
/** A 95% interval reaches this many standard deviations to each side. */
const NORMAL_95 = 1.959964
/**
 * Errors have long tails: most are smaller than a normal distribution with the same 95% interval says. With this share of
 * its standard deviation, chances were kept in the published series (docs/make-next.md); with all of it they were too high.
 */
const CORE = 0.8

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

/** No chance is shown as certain. */
const SURE = 0.99
/** Beyond this many deviations, a double has no digits left for the chance. */
const FAR = 7

/** Probability that a standard normal variable exceeds `deviations`, by its series about 0. */
function chanceAbove(deviations: number): number {
  if (Math.abs(deviations) > FAR) return deviations > 0 ? 0 : 1
  let term = deviations
  let sum = term
  for (let odd = 3; Math.abs(term) > Number.EPSILON; odd += 2) {
    term *= deviations ** 2 / odd
    sum += term
  }
  return 0.5 - (sum * Math.exp(-(deviations ** 2) / 2)) / Math.sqrt(2 * Math.PI)
}
