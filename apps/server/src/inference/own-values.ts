/**
 * What values that a chemist measured on a target say of other compounds on it: a Gaussian process on
 * the model's errors, which are partly one shift of all numbers and partly alike for like compounds.
 * Without values nothing changes; each value narrows the intervals, near compounds' the most.
 */
import { invertSets, type InvertedIndex } from './inverted-index.ts'

/** A number of the model, before it hears of own values. */
export type Estimate = {
  predicted: number
  /** Half of its interval. Errors are compared after division by it. */
  halfWidth: number
  /** The places of the bits of the compound's fingerprint. */
  bits: number[]
}

export type OwnValue = Estimate & { measured: number }

/**
 * Which share of the variance of an error is one shift for all, alike for like compounds, and chance; they sum to 1.
 * `reach`: how far 95% of the errors reach, in half-widths: more than 1 where the model's intervals are too narrow.
 */
export type ErrorShares = { shift: number; alike: number; chance: number; reach: number }

export type Updated = { predicted: number; halfWidth: number }

/** Answers one update for each estimate, in order. */
export type UpdateEstimates = (others: Estimate[]) => Updated[]

/** What does not depend on the others is done once, however often the answer is asked. */
export function fitOwnValues(own: OwnValue[], shares: ErrorShares): UpdateEstimates {
  const known = invertSets(own.map(({ bits }) => bits))
  const covariance = ({ bits }: Estimate) => covariances(known, bits, shares)
  const factor = factorise(own.map(covariance), shares.chance)
  const solved = solve(factor, [Float64Array.from(own, errorOf)])
  return (others) => {
    const updated: Updated[] = []
    for (let start = 0; start < others.length; start += ABREAST) {
      const some = others.slice(start, start + ABREAST)
      const sides = solve(factor, some.map(covariance))
      updated.push(
        ...some.map((estimate, side) => update(estimate, shares, { side, sides, solved })),
      )
    }
    return updated
  }
}

/** One update for each of `others`, in order. */
export function updateByOwnValues(
  own: OwnValue[],
  others: Estimate[],
  shares: ErrorShares,
): Updated[] {
  return fitOwnValues(own, shares)(others)
}

/** Each own value as all others would have it: what they say of a new compound, tried on those that are known. */
export function leaveOneOut(own: OwnValue[], shares: ErrorShares): Updated[] {
  const known = invertSets(own.map(({ bits }) => bits))
  const factor = factorise(
    own.map(({ bits }) => covariances(known, bits, shares)),
    shares.chance,
  )
  const errors = solve(factor, [Float64Array.from(own, errorOf)])
  return own.map((value, place) => {
    // A column of the factor's inverse: its square is the precision of the error given all others.
    const unit = solve(factor, [Float64Array.from(own, (_, at) => Number(at === place))])
    let [precision, weighed] = [0, 0]
    for (let at = 0; at < unit.length; at += ABREAST) {
      precision += (unit[at] ?? 0) ** 2
      weighed += (unit[at] ?? 0) * (errors[at] ?? 0)
    }
    const error = errorOf(value) - weighed / precision
    return {
      predicted: value.predicted + value.halfWidth * error,
      halfWidth: narrowed(value.halfWidth, 1 / precision, shares),
    }
  })
}

/** In half-widths. */
function errorOf({ measured, predicted, halfWidth }: OwnValue): number {
  return (measured - predicted) / halfWidth
}

/** Of a compound with each of the own ones. An index loop on purpose: from a callback it takes several times as long. */
function covariances(known: InvertedIndex, bits: number[], { shift, alike }: ErrorShares) {
  const common = known.countShared(bits)
  const answer = new Float64Array(common.length)
  for (let place = 0; place < common.length; place += 1) {
    const shared = common[place] ?? 0
    const either = bits.length + (known.sizes[place] ?? 0) - shared
    answer[place] = shift + (alike * shared) / Math.max(either, 1)
  }
  return answer
}

type Solved = { side: number; sides: Float64Array; solved: Float64Array }

function update(
  { predicted, halfWidth }: Estimate,
  shares: ErrorShares,
  { side, sides, solved }: Solved,
): Updated {
  let [moved, explained] = [0, 0]
  for (let at = 0; at < sides.length; at += ABREAST) {
    const value = sides[at + side] ?? 0
    moved += value * (solved[at] ?? 0)
    explained += value * value
  }
  return {
    predicted: predicted + halfWidth * moved,
    halfWidth: narrowed(halfWidth, 1 - explained, shares),
  }
}

/** `left`: of a variance of 1, what is left when the own values are known. No value widens an interval. */
function narrowed(halfWidth: number, left: number, { reach }: ErrorShares): number {
  return halfWidth * Math.min(reach * Math.sqrt(Math.max(left, 0)), 1)
}

/** The lower Cholesky factor of the own values' covariance, row by row; `chance` keeps it positive. */
function factorise(covariances: Float64Array[], chance: number): Float64Array[] {
  const factor: Float64Array[] = []
  for (const [at, covariance] of covariances.entries()) {
    const solved = solve(factor, [covariance])
    const row = Float64Array.from({ length: at + 1 }, (_, before) => solved[before * ABREAST] ?? 0)
    row[at] = 0
    const explained = row.reduce((sum, value) => sum + value * value, 0)
    row[at] = Math.sqrt(Math.max((covariance[at] ?? 0) + chance - explained, Number.EPSILON))
    factor.push(row)
  }
  return factor
}

/** Right sides that are solved for at once, so that a number of the factor is read once for all of them. */
const ABREAST = 4

/** Solves factor · x = side, for up to ABREAST sides that stand abreast in the answer. */
function solve(factor: Float64Array[], sides: Float64Array[]): Float64Array {
  const solved = new Float64Array(factor.length * ABREAST)
  for (const [side, values] of sides.entries()) {
    for (let at = 0; at < factor.length; at += 1) solved[at * ABREAST + side] = values[at] ?? 0
  }
  for (let at = 0; at < factor.length; at += 1) {
    const row = factor[at]
    if (row !== undefined) substitute(row, solved, at)
  }
  return solved
}

/**
 * One row of the substitution. An index loop with a sum of its own for each side, and without checks that all its
 * places exist, on purpose: it runs for every two own values and every compound.
 */
function substitute(row: Float64Array, solved: Float64Array, at: number): void {
  const start = at * ABREAST
  const diagonal = row[at] as number
  let first = solved[start] as number
  let second = solved[start + 1] as number
  let third = solved[start + 2] as number
  let fourth = solved[start + 3] as number
  for (let before = 0, from = 0; before < at; before += 1, from += ABREAST) {
    const weight = row[before] as number
    first -= weight * (solved[from] as number)
    second -= weight * (solved[from + 1] as number)
    third -= weight * (solved[from + 2] as number)
    fourth -= weight * (solved[from + 3] as number)
  }
  solved[start] = first / diagonal
  solved[start + 1] = second / diagonal
  solved[start + 2] = third / diagonal
  solved[start + 3] = fourth / diagonal
}
