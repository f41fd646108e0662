/**
 * Turns a structure so that it shows its broadest face: the longest axis across the picture, the shortest
 * towards the viewer. Of the ways left to do so, what matters most comes to the front and the start of the
 * first chain to the left. Only rotations: a mirrored protein would be another molecule.
 */
import { principalAxes } from './principal-axes.ts'
import { cross, dot, minus, plus, times, type Vector } from '../trace/vector.ts'

export type Orientation = { centre: Vector; right: Vector; up: Vector; front: Vector }

export type Subject = {
  points: readonly Vector[]
  /** What should not be hidden: the ligand, or helices and strands. */
  focus: readonly Vector[]
  /** What could hide it. */
  cover: readonly Vector[]
}

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

export function viewOf({ centre, right, up, front }: Orientation, place: Vector): Vector {
  const from = minus(place, centre)
  return [dot(from, right), dot(from, up), dot(from, front)]
}

function middleOf(points: readonly Vector[]): Vector {
  let sum: Vector = [0, 0, 0]
  for (const point of points) sum = plus(sum, point)
  return times(sum, 1 / Math.max(1, points.length))
}

/** How far, in Å, something may be beside the line of sight and still stand in the way. */
const COVER_REACH = 4
/** More would say the same. */
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
