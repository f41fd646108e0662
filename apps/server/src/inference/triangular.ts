/** Solves linear systems with a lower triangular factor, for several right-hand sides together. */

/** Right-hand sides solved together, so that each entry of the factor is read once for all. */
export const ABREAST = 4

/** The lower Cholesky factor of a covariance, row by row; `chance` is added to its diagonal and keeps it positive. */
export function factorise(covariances: Float64Array[], chance: number): Float64Array[] {
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

/** The dot product of side `side` of one and side `ofOther` of the other. */
export function dot(one: Float64Array, other: Float64Array, side = 0, ofOther = 0): number {
  let sum = 0
  for (let at = 0; at < one.length; at += ABREAST) {
    sum += (one[at + side] ?? 0) * (other[at + ofOther] ?? 0)
  }
  return sum
}

/** Solves factor · x = side, for up to ABREAST interleaved sides. */
export function solve(factor: Float64Array[], sides: Float64Array[]): Float64Array {
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
 * One row of the substitution. An index loop with a sum per side and without bounds checks on purpose: it runs for
 * every two own values and every compound.
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
