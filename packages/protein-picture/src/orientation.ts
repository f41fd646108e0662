/**
 * Rotates a structure to show its broadest face: the longest axis across the picture, the shortest towards the viewer.
 * Of the remaining choices, the important parts face the viewer and the first chain starts on the left. Only rotations:
 * a mirrored protein would be another molecule.
 */
import { type Vector, cross, direction, dot, minus, plus, times } from './geometry.ts'

export type Orientation = { centre: Vector; right: Vector; up: Vector; front: Vector }

export type Subject = {
  points: readonly Vector[]
  /** Parts that should be visible: the ligand, or helices and strands. */
  focus: readonly Vector[]
  /** Parts that could hide them. */
  cover: readonly Vector[]
}

/** The longest axis is across the picture, or upright in a portrait one. */
export function chooseOrientation(subject: Subject, isPortrait: boolean): Orientation {
  const { points } = subject
  const centre = middleOf(points)
  const [long, middle, short] = principalAxes(points.map((point) => minus(point, centre)))
  const across = isPortrait ? middle : long
  const front = isHidden(subject, short) ? times(short, -1) : short
  const start = points[0] ?? centre
  const right = dot(minus(start, centre), across) > 0 ? times(across, -1) : across
  return { centre, right, up: cross(front, right), front }
}

/** A position as seen by the viewer, in Å: right, up, and towards the viewer. */
export function viewOf({ centre, right, up, front }: Orientation, place: Vector): Vector {
  const from = minus(place, centre)
  return [dot(from, right), dot(from, up), dot(from, front)]
}

function middleOf(points: readonly Vector[]): Vector {
  let sum: Vector = [0, 0, 0]
  for (const point of points) sum = plus(sum, point)
  return times(sum, 1 / Math.max(1, points.length))
}

/** Distance in Å from the line of sight within which something is in the way. */
const COVER_REACH = 4
/** More points would not change the result. */
const FOCUS_MAX = 48

/** Whether more of the cover lies in front of the focus than behind it. */
function isHidden({ focus, cover }: Subject, front: Vector): boolean {
  const stride = Math.max(1, Math.ceil(focus.length / FOCUS_MAX))
  let before = 0
  for (let index = 0; index < focus.length; index += stride) {
    const target = focus[index]
    if (target) for (const point of cover) before += coverSign(minus(point, target), front)
  }
  return before > 0
}

function coverSign(from: Vector, front: Vector): number {
  const depth = dot(from, front)
  const beside = dot(from, from) - depth * depth
  return beside > COVER_REACH ** 2 ? 0 : Math.sign(depth)
}

// Principal axes: the directions of the longest, middle and shortest extent of a cloud of points around the origin.

const SWEEPS_MAX = 24

const PAIRS = [
  [0, 1],
  [0, 2],
  [1, 2],
] as const

/** Rows of a 3 by 3 matrix. */
type Matrix = [number[], number[], number[]]

/** Unit vectors at right angles; the coordinate axes if the cloud has no shape. */
function principalAxes(points: readonly Vector[]): [Vector, Vector, Vector] {
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

// Rotates a view in its plane if that makes the structure clearly larger in its frame.

/** Angles to try in both directions, in degrees. */
const TURNS = [10, 20, 30, 40, 50, 60, 70, 80] as const
/** A smaller gain is not worth tilting the long axis. */
const GAIN_MIN = 1.08
/** Room in Å that ribbons and side groups take around the trace. */
const ROOM = 2

/** The orientation itself if rotating gains less than 8%. `frame` in pixels. */
export function turnToFill(
  orientation: Orientation,
  points: readonly Vector[],
  frame: { width: number; height: number },
): Orientation {
  const flat = points.map((point) => viewOf(orientation, point))
  let best = orientation
  let needed = scaleToFit(flat, 0, frame) * GAIN_MIN
  for (const turn of TURNS.flatMap((degrees) => [degrees, -degrees])) {
    const angle = (turn * Math.PI) / 180
    const scale = scaleToFit(flat, angle, frame)
    if (scale <= needed) continue
    needed = scale
    best = turned(orientation, angle)
  }
  return best
}

/** Pixels per Å at which the points, turned by an angle, just fit. */
export function scaleToFit(
  flat: readonly Vector[],
  angle: number,
  { width, height }: { width: number; height: number },
): number {
  const cos = Math.cos(angle)
  const sin = Math.sin(angle)
  const [across, above] = [
    spanOf(flat, ([x, y]) => x * cos + y * sin),
    spanOf(flat, ([x, y]) => y * cos - x * sin),
  ]
  return Math.min(width / (across + 2 * ROOM), height / (above + 2 * ROOM))
}

function spanOf(flat: readonly Vector[], along: (point: Vector) => number): number {
  let least = Number.POSITIVE_INFINITY
  let most = Number.NEGATIVE_INFINITY
  for (const point of flat) {
    const value = along(point)
    least = Math.min(least, value)
    most = Math.max(most, value)
  }
  return Math.max(0, most - least)
}

function turned({ centre, right, up, front }: Orientation, angle: number): Orientation {
  const cos = Math.cos(angle)
  const sin = Math.sin(angle)
  return {
    centre,
    right: plus(times(right, cos), times(up, sin)),
    up: plus(times(up, cos), times(right, -sin)),
    front,
  }
}
