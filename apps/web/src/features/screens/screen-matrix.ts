/** The predictions of a screen as typed arrays, for maps and charts; they grow while a screen runs. */
import {
  type DomainState,
  MATRIX_STEPS_OF_SIMILARITY,
  MATRIX_STEPS_PER_PKD,
  matrixFlags,
  type ScreenBlock,
  type ScreenMatrix,
  type ScreenTarget,
} from '@pkdex/contract'
import { labelChain } from '#web/lib/chains.ts'

export type ScreenGrid = {
  targets: ScreenTarget[]
  compounds: string[]
  /** SMILES of a dozen compounds, used to give all structures the same orientation. */
  sample: string[]
  /** One per pair, in hundredths of a pKd. */
  steps: Int16Array
  /** `matrixFlags`, one per pair. */
  flags: Uint8Array
}

/** A target's name, with the chain if the screen uses several chains of it. */
export function titleOf({ targets }: Pick<ScreenGrid, 'targets'>, column: number): string {
  const target = targets[column]
  if (target === undefined) return ''
  const isAlone = targets.filter(({ name }) => name === target.name).length === 1
  return isAlone ? target.name : `${target.name}, ${labelChain(target.chain)}`
}

export function readGrid(matrix: ScreenMatrix): ScreenGrid {
  const { targets, compounds, sample = [], best_kd, flags } = matrix
  return { targets, compounds, sample, steps: readInt16(best_kd), flags: readBytes(flags) }
}

/** Adds a finished block. The arrays stay the same; the object is new, so that React renders it again. */
export function withBlock(grid: ScreenGrid, block: ScreenBlock): ScreenGrid {
  const first = block.first_row * grid.targets.length
  grid.steps.set(readInt16(block.best_kd), first)
  grid.flags.set(readBytes(block.flags), first)
  return { ...grid }
}

/** The best estimate of a pair; null if it has none, or none yet. */
export function pkdAt({ steps, flags }: ScreenGrid, place: number): number | null {
  if (!has(flags, place, 'hasNumber')) return null
  return (steps[place] ?? 0) / MATRIX_STEPS_PER_PKD
}

/** For a pair that has a prediction. */
export function domainStateAt({ flags }: ScreenGrid, place: number): DomainState {
  if (has(flags, place, 'isInDomain')) return 'known_on_target'
  return has(flags, place, 'isKnownElsewhere') ? 'known_on_other_targets' : 'outside'
}

export function isFailedAt({ flags }: ScreenGrid, place: number): boolean {
  return has(flags, place, 'isFailed')
}

/** The pKd of a pair minus its compound's best on the other targets; null without another. */
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

/** Indices of the compounds in the selected order. Those without a prediction come last. */
export function orderRows(grid: ScreenGrid, order: RowOrder): Uint32Array {
  const rows = Uint32Array.from(grid.compounds, (_, row) => row)
  if (order === 'input') return rows
  const keyOf = order === 'strongest' ? bestOf : widestLead
  const keys = Float64Array.from(rows, (row) => keyOf(grid, row))
  return rows.toSorted((a, b) => (keys[b] ?? 0) - (keys[a] ?? 0) || a - b)
}

/** Lower than any value, and finite, so that differences of keys are numbers. */
const NO_KEY = -1e6

function bestOf(grid: ScreenGrid, row: number): number {
  return Math.max(NO_KEY, ...numbersOf(grid, row))
}

/** Difference between the best and second-best target of a compound. */
function widestLead(grid: ScreenGrid, row: number): number {
  const [best, second] = numbersOf(grid, row).toSorted((a, b) => b - a)
  return best === undefined || second === undefined ? NO_KEY : best - second
}

function numbersOf(grid: ScreenGrid, row: number): number[] {
  const first = row * grid.targets.length
  return grid.targets.flatMap((_, column) => pkdAt(grid, first + column) ?? [])
}

/** Data of the charts besides the predictions; one per pair. */
export type GridDetails = {
  grid: ScreenGrid
  /** The predicted molecules, one per compound. */
  smiles: string[]
  /** Measured pK values, by pair. */
  measured: ReadonlyMap<number, number>
  intervalWidths: Int16Array
  lowerEnds: Int16Array
  compoundSimilarities: Uint8Array
  targetSimilarities: Uint8Array
  /** One per compound and property, in the order of `compoundProperties`. */
  properties: Float32Array
}

export function readDetails(matrix: ScreenMatrix): GridDetails {
  return {
    grid: readGrid(matrix),
    smiles: matrix.smiles ?? [],
    measured: new Map(matrix.measured?.map(({ place, pk }) => [place, pk])),
    intervalWidths: readInt16(matrix.interval_width ?? ''),
    lowerEnds: readInt16(matrix.interval_lower ?? ''),
    compoundSimilarities: readBytes(matrix.compound_similarity ?? ''),
    targetSimilarities: readBytes(matrix.target_similarity ?? ''),
    properties: readFloat32(matrix.properties ?? ''),
  }
}

/** The 95% interval of a pair; null while it is unknown. */
export function intervalAt({ grid, intervalWidths, lowerEnds }: GridDetails, place: number) {
  const [width, start] = [intervalWidths[place], lowerEnds[place]]
  if (pkdAt(grid, place) === null || width === undefined || start === undefined) return null
  const lower = start / MATRIX_STEPS_PER_PKD
  return { lower, upper: lower + width / MATRIX_STEPS_PER_PKD }
}

/** The prediction of a pair with its interval. */
export function estimateAt(details: GridDetails, place: number) {
  const [predicted, interval] = [pkdAt(details.grid, place), intervalAt(details, place)]
  return predicted === null || interval === null ? null : { predicted, ...interval }
}

/** Converts steps to values. */
export const stepsOf = { pkd: MATRIX_STEPS_PER_PKD, similarity: MATRIX_STEPS_OF_SIMILARITY }

function has(flags: Uint8Array, place: number, flag: keyof typeof matrixFlags): boolean {
  return ((flags[place] ?? 0) & matrixFlags[flag]) !== 0
}

function readBytes(base64: string): Uint8Array {
  return Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))
}

/** The data is little-endian, whatever this machine is. */
function readInt16(base64: string): Int16Array {
  const { buffer } = readBytes(base64)
  const view = new DataView(buffer)
  return Int16Array.from({ length: buffer.byteLength / 2 }, (_, at) => view.getInt16(2 * at, true))
}

function readFloat32(base64: string): Float32Array {
  const { buffer } = readBytes(base64)
  const view = new DataView(buffer)
  const count = buffer.byteLength / 4
  return Float32Array.from({ length: count }, (_, at) => view.getFloat32(4 * at, true))
}
