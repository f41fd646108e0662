/**
 * What compounds like this one, measured on the target, say beyond the regression: simple kriging (Matheron 1963) of its
 * residuals. near = k (K + N)⁻¹ r, variance = height − k (K + N)⁻¹ k, with k = height × similarity^power to the closest
 * measured compounds, K the same among them, N the noise of a value and r their residuals; `near.py` fits its numbers.
 */
import { sharedBetween } from './fingerprints.ts'
import { type Labels, nearestExact } from './measured-compounds.ts'

/** `height` and `noise`: variances in pK². */
export type NearSettings = { height: number; noise: number; power: number; neighbours: number }

export type Near = {
  /** In pK, added to the regression. */
  mean: number
  /** In pK². */
  variance: number
  /** Tanimoto similarity to the closest measured compound; 0 without values. */
  similarity: number
  /** What each value contributes; together they are the mean. */
  terms: NearTerm[]
}

/** `place`: index in the file of labels. */
type NearTerm = { place: number; contribution: number }

/** `bits`: positions of the compound's fingerprint bits. Index loops on purpose: it runs for every pair. */
export function krige(labels: Labels, bits: number[], settings: NearSettings): Near {
  const { height, noise, power } = settings
  const nearest = nearestExact(labels, bits, settings.neighbours)
  const count = nearest.length
  if (count === 0) return { mean: 0, variance: height, similarity: 0, terms: [] }
  const covarianceOf = (similarity: number) => height * similarity ** power
  const factor = new Float64Array(count * count)
  const rows = Uint32Array.from(nearest, ({ row }) => row)
  const sizes = Uint32Array.from(nearest, ({ bits: size }) => size)
  for (let at = 0; at < count; at += 1) {
    for (let to = 0; to < at; to += 1) {
      const shared = sharedBetween(labels.fingerprints, rows[at] as number, rows[to] as number)
      const either = (sizes[at] as number) + (sizes[to] as number) - shared
      factor[at * count + to] = covarianceOf(shared / Math.max(either, 1))
    }
    factor[at * count + at] = height + noise
  }
  factorise(factor, count)
  const k = Float64Array.from(nearest, ({ similarity }) => covarianceOf(similarity))
  const weights = solve(factor, k)
  let [mean, explained] = [0, 0]
  const terms = nearest.map(({ place, residual }, at) => {
    const weight = weights[at] ?? 0
    mean += weight * residual
    explained += weight * (k[at] ?? 0)
    return { place, contribution: weight * residual }
  })
  return { mean, variance: height - explained, similarity: nearest[0]?.similarity ?? 0, terms }
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
