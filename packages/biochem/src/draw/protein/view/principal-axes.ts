/** The directions in which a cloud of points around the origin is longest, middling and shortest. */
import { direction, type Vector } from '../trace/vector.ts'

const SWEEPS_MAX = 24

const PAIRS = [
  [0, 1],
  [0, 2],
  [1, 2],
] as const

/** Rows of a 3 by 3 matrix. */
type Matrix = [number[], number[], number[]]

/** Unit vectors at right angles; the coordinate axes where the cloud has no shape. */
export function principalAxes(points: readonly Vector[]): [Vector, Vector, Vector] {
  const spread = spreadOf(points)
  const axes: Matrix = [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ]
  for (let sweep = 0; sweep < SWEEPS_MAX; sweep++) {
    for (const [p, q] of PAIRS) rotate(spread, axes, p, q)
  }
  const order = [0, 1, 2].sort((a, b) => entry(spread, b, b) - entry(spread, a, a))
  const [long, middle, short] = order.map((axis) => column(axes, axis))
  return [long ?? [1, 0, 0], middle ?? [0, 1, 0], short ?? [0, 0, 1]]
}

function spreadOf(points: readonly Vector[]): Matrix {
  const sum: Matrix = [
    [0, 0, 0],
    [0, 0, 0],
    [0, 0, 0],
  ]
  for (const point of points) {
    for (const [i, row] of sum.entries()) {
      for (const [j, value] of point.entries()) row[j] = (row[j] ?? 0) + (point[i] ?? 0) * value
    }
  }
  return sum
}

/** One Jacobi rotation, which makes the entry at (p, q) zero. */
function rotate(matrix: Matrix, axes: Matrix, p: 0 | 1 | 2, q: 0 | 1 | 2): void {
  const off = entry(matrix, p, q)
  if (off === 0) return
  const angle = 0.5 * Math.atan2(2 * off, entry(matrix, q, q) - entry(matrix, p, p))
  const cos = Math.cos(angle)
  const sin = Math.sin(angle)
  for (const row of matrix) turn(row, [p, q], cos, sin)
  for (const axis of [0, 1, 2]) {
    const above = entry(matrix, p, axis)
    const below = entry(matrix, q, axis)
    matrix[p][axis] = cos * above - sin * below
    matrix[q][axis] = sin * above + cos * below
  }
  for (const row of axes) turn(row, [p, q], cos, sin)
}

function turn(row: number[], [p, q]: [number, number], cos: number, sin: number): void {
  const a = row[p] ?? 0
  const b = row[q] ?? 0
  row[p] = cos * a - sin * b
  row[q] = sin * a + cos * b
}

function entry(matrix: Matrix, row: number, column: number): number {
  return matrix[row]?.[column] ?? 0
}

function column(matrix: Matrix, axis: number): Vector {
  const values: Vector = [entry(matrix, 0, axis), entry(matrix, 1, axis), entry(matrix, 2, axis)]
  return direction(values) ?? [0, 0, 1]
}
