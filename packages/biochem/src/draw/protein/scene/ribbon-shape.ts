/**
 * How wide and thick a ribbon is along its way: round tubes for loops, flat bands for helices, and for
 * strands a band that ends in an arrow head.
 */
import type { SecondaryKind } from '../secondary/secondary-kind.ts'
import type { TracePoint } from '../trace/trace.ts'

/** Half of width and thickness, and the radius of the rounded corners, in Å. */
export type Shape = { width: number; thickness: number; corner: number }

export type ShapeStation = {
  /** Residues from the start of the stretch. */
  at: number
  shape: Shape
  /** A flat face that looks back (-1) or ahead (1) along the way; 0 is the ribbon's own surface. */
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
