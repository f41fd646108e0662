/** Cuts chains into segments for one ribbon each; a ribbon never bridges a gap. */
import type { Structure } from '@pkdex/biochem'
import { type BackboneResidue, type SecondaryKind, readBackbone } from './backbone.ts'
import type { Vector } from './geometry.ts'
import { assignSecondaryStructure } from './secondary-structure.ts'

export type TracePoint = {
  place: Vector
  /** Position of the backbone oxygen: the ribbon's flat side faces it. */
  oxygen: Vector | null
  kind: SecondaryKind
}

export type Segment = {
  /** Index of the chain in `structure.chains`, and of the first residue in the chain. */
  chain: number
  first: number
  /** Residues from one point to the next. */
  stride: number
  points: TracePoint[]
}

/** More points than a picture can show are thinned, and drawn as plain tubes. */
const POINTS_MAX = 25_000

/** In the order of chains and residues. More than 25,000 points are thinned out. */
export function traceSegments(structure: Structure): Segment[] {
  const backbones = structure.chains.map(readBackbone)
  const kinds = assignSecondaryStructure(structure, backbones)
  const segments = backbones.flatMap((backbone, chain) =>
    cutAtGaps(backbone, chain, kinds[chain] ?? []),
  )
  const points = segments.reduce((sum, segment) => sum + segment.points.length, 0)
  return points > POINTS_MAX ? thinOut(segments, Math.ceil(points / POINTS_MAX)) : segments
}

function cutAtGaps(backbone: BackboneResidue[], chain: number, kinds: SecondaryKind[]): Segment[] {
  const segments: Segment[] = []
  for (const [first, { anchor, o: oxygen, joined }] of backbone.entries()) {
    if (anchor === null) continue
    const point = { place: anchor, oxygen, kind: kinds[first] ?? 'coil' }
    if (joined) segments.at(-1)?.points.push(point)
    else segments.push({ chain, first, stride: 1, points: [point] })
  }
  return segments
}

function thinOut(segments: Segment[], stride: number): Segment[] {
  return segments
    .map((segment) => ({
      ...segment,
      stride,
      points: segment.points
        .filter((_, index) => index % stride === 0)
        .map((point): TracePoint => ({ ...point, kind: 'coil' })),
    }))
    .filter((_, index) => segments.length <= POINTS_MAX || index % stride === 0)
}
