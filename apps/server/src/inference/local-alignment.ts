/**
 * Smith-Waterman local alignment of two protein sequences with affine gaps, under BLOSUM62: 11 for a gap's first
 * residue and 1 for each further one.
 */

export type Alignment = {
  /** Number of aligned residue pairs, without gaps, and of identical ones. */
  aligned: number
  identical: number
  score: number
}

const GAP_FIRST = 11
const GAP_NEXT = 1
/** Larger pairs take tenths of a second and are skipped. */
const CELLS_MAX = 4_000_000

const LETTERS = 'ARNDCQEGHILKMFPSTWYV'
/** Henikoff and Henikoff 1992, half-bits, in the order of the letters. */
const BLOSUM62 = [
  '4 -1 -2 -2 0 -1 -1 0 -2 -1 -1 -1 -1 -2 -1 1 0 -3 -2 0',
  '-1 5 0 -2 -3 1 0 -2 0 -3 -2 2 -1 -3 -2 -1 -1 -3 -2 -3',
  '-2 0 6 1 -3 0 0 0 1 -3 -3 0 -2 -3 -2 1 0 -4 -2 -3',
  '-2 -2 1 6 -3 0 2 -1 -1 -3 -4 -1 -3 -3 -1 0 -1 -4 -3 -3',
  '0 -3 -3 -3 9 -3 -4 -3 -3 -1 -1 -3 -1 -2 -3 -1 -1 -2 -2 -1',
  '-1 1 0 0 -3 5 2 -2 0 -3 -2 1 0 -3 -1 0 -1 -2 -1 -2',
  '-1 0 0 2 -4 2 5 -2 0 -3 -3 1 -2 -3 -1 0 -1 -3 -2 -2',
  '0 -2 0 -1 -3 -2 -2 6 -2 -4 -4 -2 -3 -3 -2 0 -2 -2 -3 -3',
  '-2 0 1 -1 -3 0 0 -2 8 -3 -3 -1 -2 -1 -2 -1 -2 -2 2 -3',
  '-1 -3 -3 -3 -1 -3 -3 -4 -3 4 2 -3 1 0 -3 -2 -1 -3 -1 3',
  '-1 -2 -3 -4 -1 -2 -3 -4 -3 2 4 -2 2 0 -3 -2 -1 -2 -1 1',
  '-1 2 0 -1 -3 1 1 -2 -1 -3 -2 5 -1 -3 -1 0 -1 -3 -2 -2',
  '-1 -1 -2 -3 -1 0 -2 -3 -2 1 2 -1 5 0 -2 -1 -1 -1 -1 1',
  '-2 -3 -3 -3 -2 -3 -3 -3 -1 0 0 -3 0 6 -4 -2 -2 1 3 -1',
  '-1 -2 -2 -1 -3 -1 -1 -2 -2 -3 -3 -1 -2 -4 7 -1 -1 -4 -3 -2',
  '1 -1 1 0 -1 0 0 0 -1 -2 -2 0 -1 -2 -1 4 1 -3 -2 -2',
  '0 -1 0 -1 -1 -1 -1 -2 -2 -1 -1 -1 -1 -2 -1 1 5 -2 -2 0',
  '-3 -3 -4 -4 -2 -2 -3 -2 -2 -3 -2 -3 -1 1 -4 -3 -2 11 2 -3',
  '-2 -2 -2 -3 -2 -1 -2 -3 2 -1 -1 -2 -1 3 -3 -2 -2 2 7 -1',
  '0 -3 -3 -3 -1 -2 -2 -3 -3 3 1 -2 1 -1 -2 -2 0 -3 -1 4',
]
/** Any other letter maps here and matches nothing. */
const UNKNOWN = LETTERS.length
const WIDTH = UNKNOWN + 1

const scores = new Int8Array(WIDTH * WIDTH).fill(-1)
for (const [row, line] of BLOSUM62.entries()) {
  for (const [column, score] of line.split(' ').entries()) {
    scores[row * WIDTH + column] = Number(score)
  }
}

/** A sequence as indices of its letters. */
export function encodeSequence(sequence: string): Uint8Array {
  return Uint8Array.from(sequence, (letter) => {
    const place = LETTERS.indexOf(letter.toUpperCase())
    return place === -1 ? UNKNOWN : place
  })
}

/**
 * Traceback of a cell: where its best score comes from (0: the alignment starts after it). Gap bits say whether a gap
 * continues.
 */
const MATCH = 1
const DOWN = 2
const ACROSS = 3
const FROM = 3
const DOWN_GOES_ON = 4
const ACROSS_GOES_ON = 8

/** Reused between calls, so that a trace of millions of cells is not allocated for each pair. */
let trace = new Uint8Array(0)

/** Null if the sequences are too long. */
export function alignLocally(one: Uint8Array, other: Uint8Array): Alignment | null {
  const cells = one.length * other.length
  if (cells > CELLS_MAX) return null
  if (trace.length < cells) trace = new Uint8Array(cells)
  const { score, place } = fill(one, other)
  return { score, ...follow(one, other, place) }
}

/** What a row passes to the next: the best score of each column, and the best that ends in a downward gap. */
type Row = { best: Int32Array; down: Int32Array }

/** Fills the trace row by row; returns the best score and its cell. */
function fill(one: Uint8Array, other: Uint8Array): { score: number; place: number } {
  const best = new Int32Array(other.length + 1)
  const down = new Int32Array(other.length + 1).fill(-GAP_FIRST)
  let [score, place] = [0, -1]
  for (const [row, letter] of one.entries()) {
    const base = letter * WIDTH
    const column = fillRow({ best, down }, { other, base, start: row * other.length })
    const most = best[column] ?? 0
    if (most > score) [score, place] = [most, row * other.length + column - 1]
  }
  return { score, place }
}

/**
 * Returns the column of the row's best score. `base`: offset of the scores for the row's letter. An index loop without
 * bounds checks on purpose: it runs for every residue pair.
 */
function fillRow(
  { best, down }: Row,
  { other, base, start }: { other: Uint8Array; base: number; start: number },
): number {
  let [diagonal, across, bestColumn] = [0, -GAP_FIRST, 0]
  let most = 0
  for (let column = 1; column <= other.length; column += 1) {
    const above = best[column] as number
    const opened = above - GAP_FIRST
    const longer = (down[column] as number) - GAP_NEXT
    const gapDown = Math.max(opened, longer)
    const left = (best[column - 1] as number) - GAP_FIRST
    const wider = across - GAP_NEXT
    across = Math.max(left, wider)
    const match = diagonal + (scores[base + (other[column - 1] as number)] as number)
    const score = Math.max(match, gapDown, across, 0)
    trace[start + column - 1] =
      (longer > opened ? DOWN_GOES_ON : 0) |
      (wider > left ? ACROSS_GOES_ON : 0) |
      (score === 0 ? 0 : score === match ? MATCH : score === gapDown ? DOWN : ACROSS)
    diagonal = above
    best[column] = score
    down[column] = gapDown
    if (score > most) [most, bestColumn] = [score, column]
  }
  return bestColumn
}

type Followed = { aligned: number; identical: number }

/** Follows the trace from a cell to the start of its alignment. */
function follow(one: Uint8Array, other: Uint8Array, place: number): Followed {
  const width = other.length
  let [row, column] = [Math.floor(place / width), place % width]
  let [aligned, identical, gap] = [0, 0, 0]
  while (row >= 0 && column >= 0) {
    const step = trace[row * width + column] ?? 0
    const from = gap === 0 ? step & FROM : gap
    if (from === 0) break
    aligned += Number(from === MATCH)
    identical += Number(from === MATCH && areSame(one[row], other[column]))
    gap = goesOn(from, step) ? from : 0
    if (from !== ACROSS) row -= 1
    if (from !== DOWN) column -= 1
  }
  return { aligned, identical }
}

function areSame(one: number | undefined, other: number | undefined): boolean {
  return one === other && one !== UNKNOWN
}

function goesOn(from: number, step: number): boolean {
  if (from === DOWN) return (step & DOWN_GOES_ON) !== 0
  return from === ACROSS && (step & ACROSS_GOES_ON) !== 0
}

/** Karlin and Altschul's constants for these scores. */
const LAMBDA = 0.267
const K = 0.041

/** E-value: alignments with this score expected by chance between a sequence and `residues` of others. */
export function expectedByChance(score: number, length: number, residues: number): number {
  return K * length * residues * Math.exp(-LAMBDA * score)
}
