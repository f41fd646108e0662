/**
 * Aligns the observed segments of a chain to its SEQRES sequence, which gives the number of residues missing in each
 * gap. The longest segment is placed first, then its neighbours outwards; time grows with segments times length, in
 * string searches only.
 */
import { followsDirectly } from './backbone-bonds.ts'
import type { BuiltChain } from './build-chains.ts'
import {
  type NameTable,
  aminoAcidLetter,
  aminoAcidParent,
  isCap,
  nucleotideLetter,
  nucleotideParent,
} from './residue-names.ts'
import type { Chain, Gap, Residue } from './structure.ts'

type Seqres = ReadonlyMap<string, readonly string[]>

/** `misfits` lists the chains whose residues differ from their SEQRES records. */
export function alignChains(
  built: readonly BuiltChain[],
  seqres: Seqres,
  modres: NameTable,
): { chains: Chain[]; misfits: string[] } {
  const misfits: string[] = []
  const chains = built.map(({ id, fileId, kind, residues }) => {
    const sequence = sequenceOf(kind, seqres.get(fileId), modres)
    const starts = segmentStarts(kind, residues)
    const places = sequence === null ? null : alignToSeqres(segmentsOf(residues, starts), sequence)
    if (places?.includes(null)) misfits.push(id)
    const isForeign = places?.every((place) => place === null) === true
    const gaps = gapsOf(starts, places, residues.length)
    return { id, kind, residues, gaps, seqres: isForeign ? null : sequence }
  })
  return { chains, misfits }
}

/** One letter per residue, without caps; null without records. */
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

/** Indices of residues not bonded to the previous one; always includes the first. */
function segmentStarts(kind: Chain['kind'], residues: readonly Residue[]): number[] {
  const starts: number[] = []
  for (const [index, residue] of residues.entries()) {
    const before = residues[index - 1]
    if (before === undefined || !followsDirectly(kind, before, residue)) starts.push(index)
  }
  return starts
}

function segmentsOf(residues: readonly Residue[], starts: readonly number[]): Segment[] {
  return starts.map((start, index) => {
    const segment = residues.slice(start, starts[index + 1] ?? residues.length)
    return {
      letters: segment.map((residue) => residue.letter).join(''),
      first: segment[0]?.number ?? 0,
      last: segment.at(-1)?.number ?? 0,
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

type Segment = {
  letters: string
  /** Residue number of its first and last residue. */
  first: number
  last: number
}

/** Start of every segment in `seqres`; null if it could not be placed. */
function alignToSeqres(segments: readonly Segment[], seqres: string): (number | null)[] {
  const places: (number | null)[] = segments.map(() => null)
  const anchor = longest(segments)
  const anchored = segments[anchor]
  if (anchored === undefined || segments.length > segmentsMax) return places
  const start = place(anchored.letters, seqres, { from: 0, to: seqres.length, guess: null })
  if (start === null) return places
  places[anchor] = start
  placeAfter(segments, seqres, places, anchor)
  placeBefore(segments, seqres, places, anchor)
  return places
}

/** More breaks than any real structure has: these are not the coordinates of a chain. */
const segmentsMax = 1_000

function longest(segments: readonly Segment[]): number {
  let best = 0
  for (const [index, { letters }] of segments.entries()) {
    if (letters.length > (segments[best]?.letters.length ?? 0)) best = index
  }
  return best
}

function placeAfter(
  segments: readonly Segment[],
  seqres: string,
  places: (number | null)[],
  anchor: number,
): void {
  let known = anchor
  for (let index = anchor + 1; index < segments.length; index++) {
    const before = segments[known]
    const segment = segments[index]
    if (before === undefined || segment === undefined) return
    const from = (places[known] ?? 0) + before.letters.length
    const guess = from + Math.max(0, segment.first - before.last - 1)
    places[index] = place(segment.letters, seqres, { from, to: seqres.length, guess })
    if (places[index] !== null) known = index
  }
}

function placeBefore(
  segments: readonly Segment[],
  seqres: string,
  places: (number | null)[],
  anchor: number,
): void {
  let known = anchor
  for (let index = anchor - 1; index >= 0; index--) {
    const after = segments[known]
    const segment = segments[index]
    if (after === undefined || segment === undefined) return
    const to = places[known] ?? 0
    const missing = Math.max(0, after.first - segment.last - 1)
    const guess = to - missing - segment.letters.length
    places[index] = place(segment.letters, seqres, { from: 0, to, guess, fromEnd: true })
    if (places[index] !== null) known = index
  }
}

type Window = { from: number; to: number; guess: number | null; fromEnd?: boolean }

/** At the residue numbers, otherwise the closest exact match, otherwise the best similar one. */
function place(letters: string, seqres: string, window: Window): number | null {
  const { from, to, guess } = window
  if (guess !== null && isSimilar(letters, seqres, guess, window)) return guess
  const exact = window.fromEnd
    ? seqres.lastIndexOf(letters, to - letters.length)
    : seqres.indexOf(letters, from)
  if (exact >= from && exact + letters.length <= to && to >= letters.length) return exact
  return similarPlace(letters, seqres, window)
}

const probeLength = 6
const probesMax = 40

/** Looks up short probes of the segment and lets them vote for its start. */
function similarPlace(letters: string, seqres: string, window: Window): number | null {
  const votes = new Map<number, number>()
  const step = Math.max(1, Math.floor(letters.length / probesMax))
  for (let at = 0; at + probeLength <= letters.length; at += step) {
    const found = seqres.indexOf(letters.slice(at, at + probeLength), window.from + at)
    if (found >= 0) votes.set(found - at, (votes.get(found - at) ?? 0) + 1)
  }
  const candidates = [...votes].toSorted((one, other) => other[1] - one[1]).slice(0, 5)
  const fitting = candidates.find(([start]) => isSimilar(letters, seqres, start, window))
  return fitting?.[0] ?? null
}

/** Nine tenths of the letters agree; X agrees with everything. */
function isSimilar(letters: string, seqres: string, start: number, window: Window): boolean {
  if (start < window.from || start + letters.length > window.to) return false
  const differingMax = Math.floor(letters.length / 10)
  let differing = 0
  for (let at = 0; at < letters.length && differing <= differingMax; at++) {
    const one = letters[at]
    const other = seqres[start + at]
    if (one !== other && one !== 'X' && other !== 'X') differing++
  }
  return differing <= differingMax
}
