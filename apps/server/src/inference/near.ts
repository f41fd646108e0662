/**
 * What values near a pair say beyond the regression: simple kriging (Matheron 1963) of its residuals.
 * near = k (K + N)⁻¹ r, variance = height − k (K + N)⁻¹ k, with k = height × similarity^power × relation to the exact values
 * of largest covariance, K the same among them, N the noise of a value and r their residuals. The relation is 1 for values on
 * the target, and less on other targets, the less they are alike; `near.py` states the equation and its numbers.
 */
import type { CompoundNeighbours, Neighbour } from './fingerprints.ts'
import { insertSorted } from './insert-sorted.ts'
import type { MeasuredCompounds } from './measured-compounds.ts'
import type { TargetNeighbours } from './nearest-targets.ts'
import type { PairModel } from './pair-model.ts'

export type Near = {
  /** In pK, added to the regression. */
  mean: number
  /** In pK². */
  variance: number
  /** Tanimoto similarity to the closest compound measured on the target; 0 without values. */
  similarity: number
  /** What each value contributes; together they are the mean. */
  terms: NearTerm[]
}

/** `place`: index in the file of labels. */
type NearTerm = { place: number; contribution: number }

/** `bits`: positions of the compound's fingerprint bits; `closest`: the measured compounds most like it. */
type Queried = { bits: number[]; closest: Neighbour[] }

type Candidate = { place: number; row: number; target: number; covariance: number }

export type Krige = (compound: Queried, target: number) => Near

/** Slots for similarities, which take a few thousand distinct values between compounds of drug size. */
const SLOTS = 8192

/** Each slot keeps the last similarity of its range: looking it up is faster than computing the power. */
function remembered(compute: (similarity: number) => number): (similarity: number) => number {
  const known = new Float64Array(SLOTS + 1).fill(NaN)
  const results = new Float64Array(SLOTS + 1)
  return (similarity) => {
    const slot = Math.floor(similarity * SLOTS)
    if (known[slot] !== similarity) {
      known[slot] = similarity
      results[slot] = compute(similarity)
    }
    return results[slot] as number
  }
}

export function openKriging(
  {
    compounds,
    measured,
    targets,
  }: { compounds: CompoundNeighbours; measured: MeasuredCompounds; targets: TargetNeighbours },
  settings: PairModel['near'],
): Krige {
  const { height, noise, power, unrelated } = settings
  const powerOf = remembered((similarity) => similarity ** power)
  const covarianceOf = (similarity: number, cosine: number) =>
    height * powerOf(similarity) * (unrelated + (1 - unrelated) * cosine)

  /** Exact values of largest covariance with the pair, largest first, and similarity to the closest on the target. */
  function candidatesOf(
    { bits, closest }: Queried,
    target: number,
  ): { similarity: number; candidates: Candidate[] } {
    const own = measured.nearestExact(target, bits, settings.neighbours)
    const candidates: Candidate[] = own.map(({ place, row, similarity }) => ({
      place,
      row,
      target,
      covariance: covarianceOf(similarity, 1),
    }))
    const related = targets.cosinesOf(target)
    for (const { row, similarity } of closest) {
      if (similarity < settings.similarFrom) break
      measured.forEachExact(row, (place, other) => {
        if (other === target) return
        const covariance = covarianceOf(similarity, related[other] ?? 0)
        const one = { place, row, target: other, covariance }
        insertSorted(candidates, one, settings.neighbours, (kept) => kept.covariance >= covariance)
      })
    }
    return { similarity: own[0]?.similarity ?? 0, candidates }
  }

  /** Index loops on purpose: it runs for every pair. */
  function krige(compound: Queried, target: number): Near {
    const { similarity, candidates } = candidatesOf(compound, target)
    const count = candidates.length
    if (count === 0) return { mean: 0, variance: height, similarity, terms: [] }
    const factor = new Float64Array(count * count)
    for (const [at, one] of candidates.entries()) {
      const related = targets.cosinesOf(one.target)
      for (let to = 0; to < at; to += 1) {
        const other = candidates[to] as Candidate
        const alike = compounds.similarityBetween(one.row, other.row)
        factor[at * count + to] = covarianceOf(alike, related[other.target] ?? 0)
      }
      factor[at * count + at] = height + noise
    }
    factorise(factor, count)
    const k = Float64Array.from(candidates, ({ covariance }) => covariance)
    const weights = solve(factor, k)
    let [mean, explained] = [0, 0]
    const terms = candidates.map(({ place }, at) => {
      const weight = weights[at] ?? 0
      const contribution = weight * measured.residualAt(place)
      mean += contribution
      explained += weight * (k[at] ?? 0)
      return { place, contribution }
    })
    return { mean, variance: height - explained, similarity, terms }
  }

  return krige
}

/** Replaces the lower triangle of a positive definite matrix, row by row, by its Cholesky factor. */
function factorise(matrix: Float64Array, size: number): void {
  for (let row = 0; row < size; row += 1) {
    const start = row * size
    for (let column = 0; column <= row; column += 1) {
      const other = column * size
      let left = matrix[start + column] as number
      for (let at = 0; at < column; at += 1) {
        left -= (matrix[start + at] as number) * (matrix[other + at] as number)
      }
      matrix[start + column] =
        column === row ? Math.sqrt(left) : left / (matrix[other + column] as number)
    }
  }
}

/** Solves the system whose Cholesky factor this is. */
function solve(factor: Float64Array, side: Float64Array): Float64Array {
  const size = side.length
  const solved = Float64Array.from(side)
  for (let row = 0; row < size; row += 1) {
    let left = solved[row] as number
    for (let at = 0; at < row; at += 1) {
      left -= (factor[row * size + at] as number) * (solved[at] as number)
    }
    solved[row] = left / (factor[row * size + row] as number)
  }
  for (let row = size - 1; row >= 0; row -= 1) {
    const value = (solved[row] as number) / (factor[row * size + row] as number)
    solved[row] = value
    for (let at = 0; at < row; at += 1) {
      solved[at] = (solved[at] as number) - value * (factor[row * size + at] as number)
    }
  }
  return solved
}
