/**
 * Says of every residue whether it is in a helix, a strand or neither. The file's own records count when
 * they fit; a chain they leave out, and a file without them, is read from its hydrogen bonds, or from
 * alpha carbons alone where the file has no more.
 */
import type { Structure } from '../../../pdb/structure.ts'
import { readBackbone, type BackboneResidue } from '../trace/backbone.ts'
import { secondaryFromAlphaCarbons } from './secondary-alpha-carbons.ts'
import { secondaryFromBackbone } from './secondary-backbone.ts'
import type { SecondaryKind } from './secondary-kind.ts'
import { secondaryFromRecords } from './secondary-records.ts'

/** Shorter runs are turns and bridges, not worth a ribbon. */
const RUN_MIN = { helix: 4, strand: 3, coil: 1 } as const

/** Share of residues that need all backbone atoms for hydrogen bonds to be trusted. */
const COMPLETE_MIN = 0.7

/** More residues than any real file holds are not searched for hydrogen bonds. */
const SEARCHED_MAX = 30_000

/** One list a chain, in the order of `structure.chains`, one kind a residue; none for nucleic acids. */
export function assignSecondaryStructure(
  structure: Structure,
  backbones: readonly BackboneResidue[][] = structure.chains.map(readBackbone),
): SecondaryKind[][] {
  const proteins = backbones.map((backbone, chain) =>
    structure.chains[chain]?.kind === 'protein' ? backbone : [],
  )
  const recorded = secondaryFromRecords(structure, proteins)
  const isComplete = recorded !== null && !recorded.some(isMissing)
  const seen = isComplete ? recorded : secondaryFromCoordinates(proteins)
  return proteins.map((backbone, chain) => {
    const own = recorded?.[chain]
    const kinds = own && !isMissing(own) ? own : (seen[chain] ?? [])
    return dropShortRuns(kinds, backbone)
  })
}

function isMissing(kinds: SecondaryKind[]): boolean {
  return kinds.length > 0 && kinds.every((kind) => kind === 'coil')
}

function secondaryFromCoordinates(backbones: BackboneResidue[][]): SecondaryKind[][] {
  const kinds = kindsOf(backbones.flat())
  let from = 0
  return backbones.map((backbone) => kinds.slice(from, (from += backbone.length)))
}

function kindsOf(residues: BackboneResidue[]): SecondaryKind[] {
  if (residues.length > SEARCHED_MAX) return residues.map(() => 'coil')
  const complete = residues.filter(({ n, anchor, c, o }) => n && anchor && c && o).length
  return complete >= residues.length * COMPLETE_MIN
    ? secondaryFromBackbone(residues)
    : secondaryFromAlphaCarbons(residues)
}

function dropShortRuns(kinds: SecondaryKind[], backbone: BackboneResidue[]): SecondaryKind[] {
  const kept: SecondaryKind[] = []
  for (let from = 0; from < kinds.length;) {
    const kind = kinds[from] ?? 'coil'
    let to = from + 1
    while (kinds[to] === kind && backbone[to]?.joined) to++
    for (let i = from; i < to; i++) kept.push(to - from < RUN_MIN[kind] ? 'coil' : kind)
    from = to
  }
  return kept
}
