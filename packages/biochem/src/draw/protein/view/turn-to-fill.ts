/** Turns a view in its own plane where that makes the structure clearly larger in its frame. */
import { viewOf, type Orientation } from './orientation.ts'
import { plus, times, type Vector } from '../trace/vector.ts'

/** Degrees that are tried, to both sides. */
const TURNS = [10, 20, 30, 40, 50, 60, 70, 80] as const
/** A smaller gain is not worth leaving the long axis level. */
const GAIN_MIN = 1.08
/** Room in Å that ribbons and side groups take around the trace. */
const ROOM = 2

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
