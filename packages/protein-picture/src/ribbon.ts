/**
 * The shape of a ribbon. Its path is a Catmull-Rom spline through the smoothed trace, with a direction across it. Its
 * cross-section is a round tube for loops, a flat band for helices, and a band ending in an arrowhead for strands.
 */
import type { SecondaryKind } from './backbone.ts'
import {
  type Vector,
  cross,
  direction,
  dot,
  minus,
  mix,
  perpendicular,
  plus,
  times,
} from './geometry.ts'
import type { Segment, TracePoint } from './trace.ts'

export type RibbonPath = { places: Vector[]; sides: Vector[] }

export type PathPoint = { place: Vector; tangent: Vector; side: Vector }

/** How far a point moves towards the middle of its neighbours per pass: strands lose their pleat. */
const SMOOTHING = { helix: 0, strand: 0.5, coil: 0.2 } as const
const SMOOTHING_PASSES = 2

/** One position, and one unit vector across the ribbon, per point of the trace. */
export function ribbonPath({ points }: Segment): RibbonPath {
  return { places: smoothPlaces(points), sides: smoothSides(points, rawSides(points)) }
}

/** `at` counts residues from the start of the segment, fractions between them. */
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

/** The trace is extended straight beyond both ends. */
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

/** Towards the oxygen, which lies along a helix and in the plane of a sheet; otherwise across the bend. */
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

// Cross-sections along the path.

/** Half of width and thickness, and the radius of the rounded corners, in Å. */
export type Shape = { width: number; thickness: number; corner: number }

export type ShapeStation = {
  /** Residues from the start of the segment. */
  at: number
  shape: Shape
  /** A flat face that faces backward (-1) or forward (1) along the path; 0 is the ribbon's own surface. */
  facing: -1 | 0 | 1
}

export type RibbonStyle = {
  /** Half-thickness of a loop; bands grow with it, so that large structures stay readable when small. */
  tube: number
  stationsPerResidue: number
  isNucleic: boolean
}

const POINT: Shape = { width: 0, thickness: 0, corner: 0 }

/** Lengths in residues: where a loop becomes a band, and the head of an arrow. */
const FADE = 0.7
const HEAD = 1.7

type Run = { kind: SecondaryKind; from: number; to: number }
type Shapes = Record<SecondaryKind | 'shoulder' | 'tip', Shape>

/** Cross-sections in order along the segment, closed by a face at either end; none for a single point. */
export function shapeStations(points: readonly TracePoint[], style: RibbonStyle): ShapeStation[] {
  const shapes = shapesFor(style)
  const stations = findRuns(points).flatMap((run) => runStations(run, shapes, style))
  const first = stations[0]
  const last = stations.at(-1)
  if (!first || !last) return []
  return [
    { at: first.at, shape: POINT, facing: -1 },
    { ...first, facing: -1 },
    ...stations,
    { ...last, facing: 1 },
    { at: last.at, shape: POINT, facing: 1 },
  ]
}

function shapesFor({ tube, isNucleic }: RibbonStyle): Shapes {
  const loop = isNucleic ? tube * 2 : tube
  const band = Math.max(0.22, tube * 0.7)
  const width = Math.max(1.3, tube * 2.6)
  return {
    coil: { width: loop, thickness: loop, corner: loop },
    helix: { width, thickness: band, corner: band },
    strand: { width: width * 0.9, thickness: band, corner: band * 0.35 },
    shoulder: { width: width * 1.55, thickness: band, corner: band * 0.35 },
    tip: { width: band, thickness: band, corner: band * 0.6 },
  }
}

/** Runs of one kind, meeting half-way between their residues. */
function findRuns(points: readonly TracePoint[]): Run[] {
  const last = points.length - 1
  const runs: Run[] = []
  for (const [index, { kind }] of points.entries()) {
    const to = Math.min(last, index + 0.5)
    const run = runs.at(-1)
    if (run?.kind === kind) run.to = to
    else runs.push({ kind, from: Math.max(0, index - 0.5), to })
  }
  return runs.filter((run) => run.to > run.from)
}

function runStations(run: Run, shapes: Shapes, style: RibbonStyle): ShapeStation[] {
  const shoulder = run.to - HEAD
  const stations: ShapeStation[] = steps(run, style).map((at) => ({
    at,
    shape: shapeAt(run, at, shapes),
    facing: 0,
  }))
  if (run.kind !== 'strand' || shoulder <= run.from) return stations
  const { strand, shoulder: wide } = shapes
  return [
    ...stations.filter(({ at }) => at < shoulder),
    { at: shoulder, shape: strand, facing: 0 },
    { at: shoulder, shape: strand, facing: -1 },
    { at: shoulder, shape: wide, facing: -1 },
    { at: shoulder, shape: wide, facing: 0 },
    ...stations.filter(({ at }) => at > shoulder),
  ]
}

function steps({ from, to }: Run, { stationsPerResidue }: RibbonStyle): number[] {
  const count = Math.max(1, Math.round((to - from) * stationsPerResidue))
  return Array.from({ length: count + 1 }, (_, step) => from + ((to - from) * step) / count)
}

function shapeAt(run: Run, at: number, shapes: Shapes): Shape {
  const left = run.to - at
  switch (run.kind) {
    case 'coil':
      return shapes.coil
    case 'helix':
      return mixShape(shapes.coil, shapes.helix, ease(Math.min(at - run.from, left) / FADE))
    case 'strand':
      if (left < HEAD) return mixShape(shapes.tip, shapes.shoulder, left / HEAD)
      return mixShape(shapes.coil, shapes.strand, ease((at - run.from) / FADE))
  }
}

function ease(share: number): number {
  const t = Math.min(1, Math.max(0, share))
  return t * t * (3 - 2 * t)
}

function mixShape(a: Shape, b: Shape, share: number): Shape {
  return {
    width: a.width + (b.width - a.width) * share,
    thickness: a.thickness + (b.thickness - a.thickness) * share,
    corner: a.corner + (b.corner - a.corner) * share,
  }
}
