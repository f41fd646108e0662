/** Completes chains with their gaps and their SEQRES sequence. */
import type { BuiltChain } from './chain-list.ts'
import { followsDirectly } from './follows-directly.ts'
import { placeInSeqres, type Stretch } from './place-in-seqres.ts'
import {
  aminoAcidLetter,
  aminoAcidParent,
  isCap,
  type NameTable,
  nucleotideLetter,
  nucleotideParent,
} from './residue-names.ts'
import type { Chain, Gap, Residue } from './structure.ts'

type Seqres = ReadonlyMap<string, readonly string[]>

/** `misfits` names the chains whose residues are not those of their SEQRES records. */
export function finishChains(
  built: readonly BuiltChain[],
  seqres: Seqres,
  modres: NameTable,
): { chains: Chain[]; misfits: string[] } {
  const misfits: string[] = []
  const chains = built.map(({ id, fileId, kind, residues }) => {
    const sequence = sequenceOf(kind, seqres.get(fileId), modres)
    const starts = stretchStarts(kind, residues)
    const places = sequence === null ? null : placeInSeqres(stretchesOf(residues, starts), sequence)
    if (places?.includes(null)) misfits.push(id)
    const isForeign = places?.every((place) => place === null) === true
    const gaps = gapsOf(starts, places, residues.length)
    return { id, kind, residues, gaps, seqres: isForeign ? null : sequence }
  })
  return { chains, misfits }
}

/** One letter a residue, caps left out because they are none; null without records. */
function sequenceOf(
  kind: Chain['kind'],
  names: readonly string[] | undefined,
  modres: NameTable,
): string | null {
  if (names === undefined) return null
  const letterOf = kind === 'protein' ? proteinLetter : nucleicLetter
  return names
    .filter((name) => !isCap(name))
    .map((name) => letterOf(name, modres))
    .join('')
}

function proteinLetter(name: string, modres: NameTable): string {
  return aminoAcidLetter(aminoAcidParent(name, modres) ?? 'UNK')
}

function nucleicLetter(name: string, modres: NameTable): string {
  return nucleotideLetter(nucleotideParent(name, modres) ?? 'N')
}

/** Indices of the residues that are not bonded to the one before; the first always. */
function stretchStarts(kind: Chain['kind'], residues: readonly Residue[]): number[] {
  const starts: number[] = []
  for (const [index, residue] of residues.entries()) {
    const before = residues[index - 1]
    if (before === undefined || !followsDirectly(kind, before, residue)) starts.push(index)
  }
  return starts
}

function stretchesOf(residues: readonly Residue[], starts: readonly number[]): Stretch[] {
  return starts.map((start, index) => {
    const stretch = residues.slice(start, starts[index + 1] ?? residues.length)
    return {
      letters: stretch.map((residue) => residue.letter).join(''),
      first: stretch[0]?.number ?? 0,
      last: stretch.at(-1)?.number ?? 0,
    }
  })
}

function gapsOf(
  starts: readonly number[],
  places: readonly (number | null)[] | null,
  length: number,
): Gap[] {
  return starts.slice(1).map((start, index) => {
    const before = places?.[index] ?? null
    const after = places?.[index + 1] ?? null
    const width = Math.min(start, length) - (starts[index] ?? 0)
    const missing = before === null || after === null ? null : after - before - width
    return { index: start - 1, missing }
  })
}
