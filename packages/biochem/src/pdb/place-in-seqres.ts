/**
 * Finds where the observed stretches of a chain lie in its SEQRES sequence, and so how many residues
 * each break hides. The longest stretch is placed first and its neighbours outwards from it; time
 * grows with stretches times length, in string searches only.
 */
export type Stretch = {
  letters: string
  /** Residue number of its first and last residue. */
  first: number
  last: number
}

/** Start of every stretch in `seqres`; null where it could not be placed. */
export function placeInSeqres(stretches: readonly Stretch[], seqres: string): (number | null)[] {
  const places: (number | null)[] = stretches.map(() => null)
  const anchor = longest(stretches)
  const anchored = stretches[anchor]
  if (anchored === undefined || stretches.length > stretchesMax) return places
  const start = place(anchored.letters, seqres, { from: 0, to: seqres.length, guess: null })
  if (start === null) return places
  places[anchor] = start
  placeAfter(stretches, seqres, places, anchor)
  placeBefore(stretches, seqres, places, anchor)
  return places
}

/** More breaks than any structure has: the coordinates are not those of a chain. */
const stretchesMax = 1_000

function longest(stretches: readonly Stretch[]): number {
  let best = 0
  for (const [index, { letters }] of stretches.entries()) {
    if (letters.length > (stretches[best]?.letters.length ?? 0)) best = index
  }
  return best
}

function placeAfter(
  stretches: readonly Stretch[],
  seqres: string,
  places: (number | null)[],
  anchor: number,
): void {
  let known = anchor
  for (let index = anchor + 1; index < stretches.length; index++) {
    const before = stretches[known]
    const stretch = stretches[index]
    if (before === undefined || stretch === undefined) return
    const from = (places[known] ?? 0) + before.letters.length
    const guess = from + Math.max(0, stretch.first - before.last - 1)
    places[index] = place(stretch.letters, seqres, { from, to: seqres.length, guess })
    if (places[index] !== null) known = index
  }
}

function placeBefore(
  stretches: readonly Stretch[],
  seqres: string,
  places: (number | null)[],
  anchor: number,
): void {
  let known = anchor
  for (let index = anchor - 1; index >= 0; index--) {
    const after = stretches[known]
    const stretch = stretches[index]
    if (after === undefined || stretch === undefined) return
    const to = places[known] ?? 0
    const missing = Math.max(0, after.first - stretch.last - 1)
    const guess = to - missing - stretch.letters.length
    places[index] = place(stretch.letters, seqres, { from: 0, to, guess, fromEnd: true })
    if (places[index] !== null) known = index
  }
}

type Window = { from: number; to: number; guess: number | null; fromEnd?: boolean }

/** Where the residue numbers say, or else the nearest exact match, or else the best of similar ones. */
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

/** Looks up short probes of the stretch and lets them vote for its start. */
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
