/**
 * Assigns helix, strand or coil to every residue. The file's records are used if they fit; otherwise, and for chains
 * without records, hydrogen bonds, or alpha carbons if the file has nothing else.
 */
import type { SecondaryRange, Structure } from '@pkdex/biochem'
import { type BackboneResidue, type SecondaryKind, readBackbone } from './backbone.ts'
import { type Vector, distance } from './geometry.ts'
import { secondaryFromAlphaCarbons, secondaryFromBackbone } from './secondary-from-coordinates.ts'

/** Shorter runs are turns and bridges, not drawn as ribbons. */
const RUN_MIN = { helix: 4, strand: 3, coil: 1 } as const

/** Share of residues with all backbone atoms that is needed for hydrogen bonds. */
const COMPLETE_MIN = 0.7

/** Structures with more residues than any real file has are not searched for hydrogen bonds. */
const SEARCHED_MAX = 30_000

/** One list per chain, in the order of `structure.chains`, one entry per residue; empty for nucleic acids. */
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

// Records: helices and strands from HELIX and SHEET. Null if there are none, or if they do not fit the coordinates
// (renumbered files keep stale records).

/** Share of ranges that must be found, and of residues that must match the record. */
const FOUND_MIN = 0.5
const FITTING_MIN = 0.6

/** A strand may be in several sheets, so records may repeat residues, but not more often than this. */
const REPEATS_MAX = 8

/** Length of three residues in Å: less in any helix, more in any strand. */
const HELIX_REACH = 7.5

type Span = { kind: SecondaryRange['kind']; chain: number; from: number; to: number }

function secondaryFromRecords(
  structure: Structure,
  backbones: readonly BackboneResidue[][],
): SecondaryKind[][] | null {
  const spans = findSpans(structure)
  if (spans.length === 0 || spans.length < structure.secondary.length * FOUND_MIN) return null
  if (lengthOf(spans) > REPEATS_MAX * backbones.flat().length) return null
  if (fittingShare(spans, backbones) < FITTING_MIN) return null
  const kinds = backbones.map((backbone) => backbone.map((): SecondaryKind => 'coil'))
  for (const span of spans) kinds[span.chain]?.fill(span.kind, span.from, span.to + 1)
  return kinds
}

function findSpans(structure: Structure): Span[] {
  const places = new Map<string, { chain: number; index: number }>()
  for (const [chain, { id, residues }] of structure.chains.entries()) {
    for (const [index, residue] of residues.entries()) {
      const key = placeKey(id, residue)
      if (!places.has(key)) places.set(key, { chain, index })
    }
  }
  return structure.secondary.flatMap((range) => {
    const from = places.get(placeKey(range.chainId, range.from))
    const to = places.get(placeKey(range.chainId, range.to))
    if (!from || !to || from.chain !== to.chain || to.index < from.index) return []
    return [{ kind: range.kind, chain: from.chain, from: from.index, to: to.index }]
  })
}

function placeKey(chainId: string, at: { number: number; insertionCode: string }): string {
  return `${chainId}|${at.number}|${at.insertionCode}`
}

function lengthOf(spans: Span[]): number {
  return spans.reduce((sum, span) => sum + span.to - span.from + 1, 0)
}

function fittingShare(spans: Span[], backbones: readonly BackboneResidue[][]): number {
  const anchors = backbones.map((backbone) => backbone.map((residue) => residue.anchor))
  let looked = 0
  let fitting = 0
  for (const span of spans) {
    const own = anchors[span.chain] ?? []
    for (let index = span.from; index + 3 <= span.to; index++) {
      const isFitting = fits(span.kind, own[index], own[index + 3])
      looked += isFitting === null ? 0 : 1
      fitting += isFitting ? 1 : 0
    }
  }
  return looked === 0 ? 1 : fitting / looked
}

function fits(
  kind: Span['kind'],
  start: Vector | null | undefined,
  end: Vector | null | undefined,
): boolean | null {
  if (!start || !end) return null
  const isShort = distance(start, end) < HELIX_REACH
  return isShort === (kind === 'helix')
}
