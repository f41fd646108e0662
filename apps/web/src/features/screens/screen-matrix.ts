/** The numbers of a screen as typed arrays, compound by compound: what maps and charts draw from, and what grows while a screen runs. */
import {
  MATRIX_STEPS_OF_SIMILARITY,
  MATRIX_STEPS_PER_PKD,
  matrixFlags,
  type ScreenBlock,
  type ScreenMatrix,
  type ScreenTarget,
} from '@pkdex/contract'

export type ScreenGrid = {
  targets: ScreenTarget[]
  compounds: string[]
  /** One a pair, in hundredths of a pKd. */
  steps: Int16Array
  /** One a pair, of `matrixFlags`. */
  flags: Uint8Array
}

export function readGrid({ targets, compounds, predicted_kd, flags }: ScreenMatrix): ScreenGrid {
  return { targets, compounds, steps: readInt16(predicted_kd), flags: readBytes(flags) }
}

/** Puts a piece that has come to its end in its place. The arrays are the same ones; the object is new, so that it is drawn anew. */
export function withBlock(grid: ScreenGrid, block: ScreenBlock): ScreenGrid {
  const first = block.first_row * grid.targets.length
  grid.steps.set(readInt16(block.predicted_kd), first)
  grid.flags.set(readBytes(block.flags), first)
  return { ...grid }
}

/** pKd of a pair; null where it has none, or none yet. */
export function pkdAt({ steps, flags }: ScreenGrid, place: number): number | null {
  if (!has(flags, place, 'hasNumber')) return null
  return (steps[place] ?? 0) / MATRIX_STEPS_PER_PKD
}

export function isInDomainAt({ flags }: ScreenGrid, place: number): boolean {
  return has(flags, place, 'isInDomain')
}

export function isFailedAt({ flags }: ScreenGrid, place: number): boolean {
  return has(flags, place, 'isFailed')
}

/** pKd of the pair less the best of its compound on the other targets; null without another. */
export function selectivityAt(grid: ScreenGrid, place: number): number | null {
  const own = pkdAt(grid, place)
  const count = grid.targets.length
  const first = place - (place % count)
  let best: number | null = null
  for (let other = first; other < first + count; other += 1) {
    const number = other === place ? null : pkdAt(grid, other)
    if (number !== null && (best === null || number > best)) best = number
  }
  return own === null || best === null ? null : own - best
}

export type RowOrder = 'input' | 'strongest' | 'most selective'

/** Places of the compounds in the order of a reader's choice. Those without a number come last. */
export function orderRows(grid: ScreenGrid, order: RowOrder): Uint32Array {
  const rows = Uint32Array.from(grid.compounds, (_, row) => row)
  if (order === 'input') return rows
  const keyOf = order === 'strongest' ? bestOf : widestLead
  const keys = Float64Array.from(rows, (row) => keyOf(grid, row))
  return rows.toSorted((a, b) => (keys[b] ?? 0) - (keys[a] ?? 0) || a - b)
}

/** Lower than any number, and finite, so that differences of keys are numbers. */
const NO_KEY = -1e6

function bestOf(grid: ScreenGrid, row: number): number {
  return Math.max(NO_KEY, ...numbersOf(grid, row))
}

/** How far the best target of a compound stands out from its second-best. */
function widestLead(grid: ScreenGrid, row: number): number {
  const [best, second] = numbersOf(grid, row).toSorted((a, b) => b - a)
  return best === undefined || second === undefined ? NO_KEY : best - second
}

function numbersOf(grid: ScreenGrid, row: number): number[] {
  const first = row * grid.targets.length
  return grid.targets.flatMap((_, column) => pkdAt(grid, first + column) ?? [])
}

/** What the charts draw beside the numbers; one a pair. */
export type GridDetails = {
  grid: ScreenGrid
  intervalWidths: Int16Array
  compoundSimilarities: Uint8Array
  targetSimilarities: Uint8Array
}

export function readDetails(matrix: ScreenMatrix): GridDetails {
  return {
    grid: readGrid(matrix),
    intervalWidths: readInt16(matrix.interval_width ?? ''),
    compoundSimilarities: readBytes(matrix.compound_similarity ?? ''),
    targetSimilarities: readBytes(matrix.target_similarity ?? ''),
  }
}

/** From steps to the value itself. */
export const stepsOf = { pkd: MATRIX_STEPS_PER_PKD, similarity: MATRIX_STEPS_OF_SIMILARITY }

function has(flags: Uint8Array, place: number, flag: keyof typeof matrixFlags): boolean {
  return ((flags[place] ?? 0) & matrixFlags[flag]) !== 0
}

function readBytes(base64: string): Uint8Array {
  return Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))
}

/** The lower byte comes first on the wire, whatever this machine does. */
function readInt16(base64: string): Int16Array {
  const { buffer } = readBytes(base64)
  const view = new DataView(buffer)
  return Int16Array.from({ length: buffer.byteLength / 2 }, (_, at) => view.getInt16(2 * at, true))
}
