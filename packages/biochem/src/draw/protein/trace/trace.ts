/** Cuts chains into stretches that one ribbon may pass through; a ribbon never bridges a gap. */
import type { Structure } from '../../../pdb/structure.ts'
import { readBackbone, type BackboneResidue } from './backbone.ts'
import type { SecondaryKind } from '../secondary/secondary-kind.ts'
import { assignSecondaryStructure } from '../secondary/secondary-structure.ts'
import type { Vector } from './vector.ts'

export type TracePoint = {
  place: Vector
  /** Where the backbone oxygen is: the flat of a ribbon turns towards it. */
  oxygen: Vector | null
  kind: SecondaryKind
}

export type Stretch = {
  /** Place of the chain in `structure.chains`, and of the first residue in the chain. */
  chain: number
  first: number
  /** Residues from one point to the next. */
  stride: number
  points: TracePoint[]
}

/** More points than a picture can show are thinned out, and drawn as plain tubes. */
const POINTS_MAX = 25_000

export function traceStretches(structure: Structure): Stretch[] {
  const backbones = structure.chains.map(readBackbone)
  const kinds = assignSecondaryStructure(structure, backbones)
  const stretches = backbones.flatMap((backbone, chain) =>
    cutAtGaps(backbone, chain, kinds[chain] ?? []),
  )
  const points = stretches.reduce((sum, stretch) => sum + stretch.points.length, 0)
  return points > POINTS_MAX ? thinOut(stretches, Math.ceil(points / POINTS_MAX)) : stretches
}

function cutAtGaps(backbone: BackboneResidue[], chain: number, kinds: SecondaryKind[]): Stretch[] {
  const stretches: Stretch[] = []
  for (const [first, { anchor, o: oxygen, joined }] of backbone.entries()) {
    if (anchor === null) continue
    const point = { place: anchor, oxygen, kind: kinds[first] ?? 'coil' }
    if (joined) stretches.at(-1)?.points.push(point)
    else stretches.push({ chain, first, stride: 1, points: [point] })
  }
  return stretches
}

function thinOut(stretches: Stretch[], stride: number): Stretch[] {
  return stretches
    .map((stretch) => ({
      ...stretch,
      stride,
      points: stretch.points
        .filter((_, index) => index % stride === 0)
        .map((point): TracePoint => ({ ...point, kind: 'coil' })),
    }))
    .filter((_, index) => stretches.length <= POINTS_MAX || index % stride === 0)
}
