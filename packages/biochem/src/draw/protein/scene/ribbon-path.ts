/**
 * The line that a ribbon follows: a Catmull-Rom spline through the smoothed trace, with a direction
 * across it in which the ribbon is wide.
 */
import type { Stretch, TracePoint } from '../trace/trace.ts'
import {
  cross,
  direction,
  dot,
  minus,
  mix,
  perpendicular,
  plus,
  times,
  type Vector,
} from '../trace/vector.ts'

export type RibbonPath = { places: Vector[]; sides: Vector[] }

export type PathPoint = { place: Vector; tangent: Vector; side: Vector }

/** How far a point moves towards the middle of its neighbours, a pass: strands lose their pleat. */
const SMOOTHING = { helix: 0, strand: 0.5, coil: 0.2 } as const
const SMOOTHING_PASSES = 2

export function ribbonPath({ points }: Stretch): RibbonPath {
  return { places: smoothPlaces(points), sides: smoothSides(points, rawSides(points)) }
}

/** `at` counts residues from the start of the stretch, fractions between them. */
export function pathPoint(path: RibbonPath, at: number): PathPoint {
  const last = path.places.length - 1
  const from = Math.min(Math.floor(at), Math.max(0, last - 1))
  const share = at - from
  const [a, b, c, d] = controlPoints(path.places, from)
  const tangent = direction(splineSlope([a, b, c, d], share)) ?? [1, 0, 0]
  const sideBefore = path.sides[from] ?? [0, 1, 0]
  const side = mix(sideBefore, path.sides[from + 1] ?? sideBefore, share)
  return { place: splinePlace([a, b, c, d], share), tangent, side: perpendicular(tangent, side) }
}

type Controls = readonly [Vector, Vector, Vector, Vector]

/** Beyond both ends the trace goes on straight. */
function controlPoints(places: Vector[], from: number): Controls {
  const b = places[from] ?? [0, 0, 0]
  const c = places[from + 1] ?? b
  return [
    places[from - 1] ?? minus(times(b, 2), c),
    b,
    c,
    places[from + 2] ?? minus(times(c, 2), b),
  ]
}

function splinePlace([a, b, c, d]: Controls, t: number): Vector {
  const [linear, square, cube] = splineTerms([a, b, c, d])
  const bent = plus(times(linear, t), plus(times(square, t * t), times(cube, t * t * t)))
  return plus(b, times(bent, 0.5))
}

function splineSlope(controls: Controls, t: number): Vector {
  const [linear, square, cube] = splineTerms(controls)
  return plus(linear, plus(times(square, 2 * t), times(cube, 3 * t * t)))
}

function splineTerms([a, b, c, d]: Controls): [Vector, Vector, Vector] {
  const linear = minus(c, a)
  const square = minus(plus(times(a, 2), times(c, 4)), plus(times(b, 5), d))
  const cube = plus(minus(times(b, 3), a), minus(d, times(c, 3)))
  return [linear, square, cube]
}

function smoothPlaces(points: TracePoint[]): Vector[] {
  let places = points.map((point) => point.place)
  for (let pass = 0; pass < SMOOTHING_PASSES; pass++) {
    const before = places
    places = before.map((place, index) => {
      const weight = SMOOTHING[points[index]?.kind ?? 'coil']
      const left = before[index - 1]
      const right = before[index + 1]
      return left && right && weight > 0 ? mix(place, mix(left, right, 0.5), weight) : place
    })
  }
  return places
}

/** Neighbours in a strand point to opposite sides; a side is turned so that it agrees with the one before. */
function rawSides(points: TracePoint[]): Vector[] {
  const sides: Vector[] = []
  for (const [index, point] of points.entries()) {
    const before = sides.at(-1)
    const side = sideOf(points, index, point) ?? before ?? [0, 1, 0]
    sides.push(before && dot(before, side) < 0 ? times(side, -1) : side)
  }
  return sides
}

/** Towards the oxygen, which lies along a helix and in the plane of a sheet; else across the bend. */
function sideOf(points: TracePoint[], index: number, point: TracePoint): Vector | null {
  const before = points[index - 1]?.place ?? point.place
  const after = points[index + 1]?.place ?? point.place
  const along = direction(minus(after, before))
  if (along === null) return null
  if (point.oxygen === null) {
    return direction(cross(minus(point.place, before), minus(after, point.place)))
  }
  const towards = minus(point.oxygen, point.place)
  return direction(minus(towards, times(along, dot(towards, along))))
}

function smoothSides(points: TracePoint[], raw: Vector[]): Vector[] {
  let sides = raw
  for (let pass = 0; pass < SMOOTHING_PASSES; pass++) {
    const before = sides
    sides = before.map((side, index) => {
      const own = points[index]?.kind === 'coil' ? 1 : 2
      const around = plus(before[index - 1] ?? side, before[index + 1] ?? side)
      return direction(plus(times(side, own), around)) ?? side
    })
  }
  return sides
}
