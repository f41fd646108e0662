/** The probability that a pair meets a profile, taking the error of its pKd into account. */
import {
  type CompoundProperty,
  ligandEfficiency,
  lipophilicEfficiency,
  type ProfileCondition,
} from '@pkdex/contract'

export type ProfilePair = {
  /** pKd with its 95% interval: predicted, or measured. */
  pk: number
  lower: number
  upper: number
  /** A property of the compound; null if it has none. */
  propertyOf: (name: CompoundProperty) => number | null
}

/** `lower` and `upper`: the range of the score over all pKd values inside the interval. */
export type ProfileScore = { probability: number; lower: number; upper: number }

/** The error distribution of the pKd is cut into this many parts of equal probability. */
const PARTS = 200
const quantiles = Float64Array.from({ length: PARTS }, (_, at) =>
  normalQuantile((at + 0.5) / PARTS),
)
/** Standard deviations in half a 95% interval. */
const HALF_WIDTH = 1.959964

/**
 * Desirability is the probability that a value is good enough: 1 inside the range, 0 beyond the tolerance. Those of
 * properties are multiplied. That of the pKd, and of efficiencies, which depend on it, is averaged over the error of
 * the pKd; each side of the error has the width of its half of the interval. Null if a property is unknown.
 */
export function scoreProfile(profile: ProfileCondition[], pair: ProfilePair): ProfileScore | null {
  let fixed = 1
  const moving: { condition: ProfileCondition; valueOf: (pk: number) => number }[] = []
  for (const one of profile) {
    const { name } = one
    if (name === 'pkd') moving.push({ condition: one, valueOf: (pk) => pk })
    else if (name === 'ligand_efficiency') {
      const atoms = pair.propertyOf('heavy_atoms')
      if (atoms === null || atoms === 0) return null
      moving.push({ condition: one, valueOf: (pk) => ligandEfficiency(pk, atoms) ?? 0 })
    } else if (name === 'lipophilic_efficiency') {
      const logP = pair.propertyOf('log_p')
      if (logP === null) return null
      moving.push({ condition: one, valueOf: (pk) => lipophilicEfficiency(pk, logP) })
    } else {
      const value = pair.propertyOf(name)
      if (value === null) return null
      fixed *= desirability(one, value)
    }
  }
  const scoreAt = (pk: number) =>
    moving.reduce(
      (product, { condition: one, valueOf }) => product * desirability(one, valueOf(pk)),
      fixed,
    )
  return integrate(scoreAt, pair)
}

function integrate(
  scoreAt: (pk: number) => number,
  { pk, lower, upper }: ProfilePair,
): ProfileScore {
  const down = (pk - lower) / HALF_WIDTH
  const up = (upper - pk) / HALF_WIDTH
  let [sum, least, most] = [0, scoreAt(pk), scoreAt(pk)]
  for (const step of quantiles) {
    const score = scoreAt(pk + step * (step < 0 ? down : up))
    sum += score
    if (Math.abs(step) > HALF_WIDTH) continue
    least = Math.min(least, score)
    most = Math.max(most, score)
  }
  const probability = sum / PARTS
  return { probability, lower: Math.min(least, probability), upper: Math.max(most, probability) }
}

/** The score as columns of a row; never rounded up. */
export function shareColumns(score: ProfileScore) {
  return {
    profile_probability: floored(score.probability),
    profile_lower: floored(score.lower),
    profile_upper: floored(score.upper),
  }
}

function floored(share: number): number {
  return Math.floor(share * 1000) / 1000
}

/**
 * Two scores differ if their difference exceeds its error, computed from the halves of the intervals that face each
 * other, as for differences of pKd between targets.
 */
export function areToldApart(one: ProfileScore, other: ProfileScore): boolean {
  const [high, low] = one.probability >= other.probability ? [one, other] : [other, one]
  const error = Math.hypot(high.probability - high.lower, low.upper - low.probability)
  return high.probability - low.probability > error
}

function desirability({ min, max, tolerance }: ProfileCondition, value: number): number {
  const beyond = Math.max((min ?? -Infinity) - value, value - (max ?? Infinity), 0)
  if (beyond === 0) return 1
  return tolerance > 0 ? Math.max(0, 1 - beyond / tolerance) : 0
}

/** Acklam's approximation of the inverse normal distribution; its relative error is below 1.2e-9. */
function normalQuantile(p: number): number {
  if (p > 0.5) return -normalQuantile(1 - p)
  const tail = 0.02425
  if (p < tail) {
    const q = Math.sqrt(-2 * Math.log(p))
    return (
      (((((-7.784894002430293e-3 * q - 0.3223964580411365) * q - 2.400758277161838) * q -
        2.549732539343734) *
        q +
        4.374664141464968) *
        q +
        2.938163982698783) /
      ((((7.784695709041462e-3 * q + 0.3224671290700398) * q + 2.445134137142996) * q +
        3.754408661907416) *
        q +
        1)
    )
  }
  const q = p - 0.5
  const r = q * q
  return (
    ((((((-39.69683028665376 * r + 220.9460984245205) * r - 275.9285104469687) * r +
      138.357751867269) *
      r -
      30.66479806614716) *
      r +
      2.506628277459239) *
      q) /
    (((((-54.47609879822406 * r + 161.5858368580409) * r - 155.6989798598866) * r +
      66.80131188771972) *
      r -
      13.28068155288572) *
      r +
      1)
  )
}
