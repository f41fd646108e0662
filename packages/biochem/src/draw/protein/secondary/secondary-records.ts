/**
 * Helices and strands as the file's HELIX and SHEET records state them. Null where there are none, or
 * where they do not fit the coordinates (renumbered files keep stale records).
 */
import type { SecondaryRange, Structure } from '../../../pdb/structure.ts'
import type { BackboneResidue } from '../trace/backbone.ts'
import type { SecondaryKind } from './secondary-kind.ts'
import { distance, type Vector } from '../trace/vector.ts'

/** Share of ranges that must be found, and of residues that must look like what the record says. */
const FOUND_MIN = 0.5
const FITTING_MIN = 0.6

/** A strand may stand in several sheets, so records may repeat residues, but not more often than this. */
const REPEATS_MAX = 8

/** Å over which three residues reach: less in any helix, more in any strand. */
const HELIX_REACH = 7.5

type Span = { kind: SecondaryRange['kind']; chain: number; from: number; to: number }

export function secondaryFromRecords(
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
