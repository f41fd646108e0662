/** What a screen has come to: its cells with the rows of the input beside them, sorted, filtered, as a table or a matrix. */
import {
  MATRIX_STEPS_OF_SIMILARITY,
  MATRIX_STEPS_PER_PKD,
  matrixFlags,
  screenRowColumns,
  type ScreenFilter,
  type ScreenMatrix,
  type ScreenResultsQuery,
  type ScreenRow,
  type ScreenTarget,
} from '@pkdex/contract'
import type { Database, ScreenBlocksTable } from '#server/platform/db/schema.ts'
import { unpackRows } from './blocks.ts'
import { CELL_BYTES, hasNumber, readCell, readFlags, readPredicted } from './cells.ts'
import type { InputRow } from './plan.ts'

export type ScreenTable = {
  targets: ScreenTarget[]
  rows: InputRow[]
  /** Compound by compound, each with all targets. */
  cells: Buffer
  /** Why cells of a row have no number yet, or never will. */
  missing: (string | null)[]
}

/** Blocks in one go, so that the one embedded connection serves others in between. */
const PAGE_BLOCKS = 50

export async function readTable(
  db: Database,
  screenId: string,
  targets: ScreenTarget[],
): Promise<ScreenTable> {
  const rows: InputRow[] = []
  const cells: Buffer[] = []
  const missing: (string | null)[] = []
  for (let from = 0; ; from += PAGE_BLOCKS) {
    const page = await pageOfBlocks(db, screenId, from)
    for (const block of page) {
      const blockRows = await unpackRows(block.compounds)
      rows.push(...blockRows)
      missing.push(...blockRows.map(() => whyMissing(block.status)))
      cells.push(block.cells ?? Buffer.alloc(blockRows.length * targets.length * CELL_BYTES))
    }
    if (page.length < PAGE_BLOCKS) break
  }
  return { targets, rows, cells: Buffer.concat(cells), missing }
}

function pageOfBlocks(db: Database, screenId: string, from: number) {
  return db
    .selectFrom('screen_blocks')
    .select(['status', 'compounds', 'cells'])
    .where('screen_id', '=', screenId)
    .orderBy('block')
    .offset(from)
    .limit(PAGE_BLOCKS)
    .execute()
}

const notPredictedYet = 'Not predicted yet.'
const notPredicted = 'The prediction failed on our side; what it cost was returned.'

function whyMissing(status: ScreenBlocksTable['status']): string | null {
  switch (status) {
    case 'WAITING':
      return notPredictedYet
    case 'CANCELLED':
      return 'The screen was cancelled before.'
    case 'FAILED':
    case 'DONE':
      return notPredicted
  }
}

/** Its number may still come. */
export function isWaiting({ reason }: ScreenRow): boolean {
  return reason === notPredictedYet
}

/** Places of the pairs that match, in the order of the input. */
export function matchPairs(
  table: ScreenTable,
  filter: ScreenFilter,
  isRowWanted: boolean[],
): number[] {
  const isMatch = matcherOf(table, filter, isRowWanted)
  const places: number[] = []
  const count = table.rows.length * table.targets.length
  for (let place = 0; place < count; place += 1) if (isMatch(place)) places.push(place)
  return places
}

/** In the order that was asked for. */
export function sortPairs(
  table: ScreenTable,
  places: number[],
  query: ScreenResultsQuery,
): number[] {
  if (query.sort === 'input') return query.order === 'desc' ? places.toReversed() : places
  return sorted(table, places, query)
}

function matcherOf(
  { targets, cells }: ScreenTable,
  { min, max, in_domain, target }: ScreenFilter,
  isRowWanted: boolean[],
): (place: number) => boolean {
  const wantedTarget = target.normalize('NFC')
  const isTargetWanted = targets.map(({ name }) => wantedTarget === '' || name === wantedTarget)
  const needsNumber = min !== undefined || max !== undefined || in_domain !== undefined
  return (place) => {
    if (isTargetWanted[place % targets.length] !== true) return false
    if (isRowWanted[Math.floor(place / targets.length)] !== true) return false
    if (!needsNumber) return true
    if (!hasNumber(cells, place)) return false
    const predicted = readPredicted(cells, place)
    if (predicted < (min ?? -Infinity) || predicted > (max ?? Infinity)) return false
    const isInside = (readFlags(cells, place) & matrixFlags.isInDomain) !== 0
    return in_domain === undefined || isInside === (in_domain === 'true')
  }
}

function sorted(
  table: ScreenTable,
  places: number[],
  { sort, order }: ScreenResultsQuery,
): number[] {
  const sign = (order ?? (sort === 'interval' ? 'asc' : 'desc')) === 'asc' ? 1 : -1
  const keys = new Map(places.map((place) => [place, sortKey(table, place, sort)]))
  // Without a number last, whatever the order; equals stay in the order of the input.
  const [withKey, without] = [[] as number[], [] as number[]]
  for (const place of places) (keys.get(place) === null ? without : withKey).push(place)
  withKey.sort(
    (one, other) => sign * ((keys.get(one) ?? 0) - (keys.get(other) ?? 0)) || one - other,
  )
  return [...withKey, ...without]
}

function sortKey(
  table: ScreenTable,
  place: number,
  sort: ScreenResultsQuery['sort'],
): number | null {
  const cell = readCell(table.cells, place)
  if (cell === null) return null
  switch (sort) {
    case 'input':
      return place
    case 'affinity':
      return cell.predicted
    case 'selectivity':
      return selectivityOf(table, place)
    case 'interval':
      return cell.upper - cell.lower
    case 'nearest':
      return Math.min(cell.compoundSimilarity, cell.targetSimilarity)
  }
}

/** pKd of the pair less the best of its compound on the other targets; null without another. */
function selectivityOf({ targets, cells }: ScreenTable, place: number): number | null {
  const first = place - (place % targets.length)
  let best: number | null = null
  for (let other = first; other < first + targets.length; other += 1) {
    if (other === place || !hasNumber(cells, other)) continue
    best = Math.max(best ?? -Infinity, readPredicted(cells, other))
  }
  return best === null ? null : round(readPredicted(cells, place) - best)
}

export function toRow(table: ScreenTable, place: number): ScreenRow {
  const { targets, rows, cells, missing } = table
  const at = Math.floor(place / targets.length)
  const [row, target] = [rows[at], targets[place % targets.length]]
  if (row === undefined || target === undefined) throw new Error('there is no such pair')
  const cell = readCell(cells, place)
  const isFailed = (readFlags(cells, place) & matrixFlags.isFailed) !== 0
  const shared = { row: at + 1, compound: row.name, smiles: row.smiles, target: target.name }
  if (cell === null) {
    const reason = row.reason ?? (isFailed ? notPredicted : (missing[at] ?? notPredicted))
    return { ...shared, ...noNumber, ...noOwnValues, chain: target.chain, reason }
  }
  return {
    ...shared,
    chain: target.chain,
    predicted_kd: cell.predicted,
    lower: cell.lower,
    upper: cell.upper,
    in_domain: cell.isInside,
    is_ligand_driven: cell.isLigandDriven,
    compound_similarity: cell.compoundSimilarity,
    target_similarity: cell.targetSimilarity,
    selectivity: selectivityOf(table, place),
    reason: null,
    ...noOwnValues,
  }
}

/** As long as nobody has asked what the user's own values say. */
const noOwnValues = {
  own_values: null,
  predicted_kd_with_own: null,
  lower_with_own: null,
  upper_with_own: null,
}

const noNumber = {
  predicted_kd: null,
  lower: null,
  upper: null,
  in_domain: null,
  is_ligand_driven: null,
  compound_similarity: null,
  target_similarity: null,
  selectivity: null,
}

/** With what the user's own measured values make of the numbers. */
export const rowColumnsWithOwn = [
  ...screenRowColumns,
  'own_values',
  'predicted_kd_with_own',
  'lower_with_own',
  'upper_with_own',
] as const satisfies (keyof ScreenRow)[]

const ROWS_AT_ONCE = 500

/** Pages of rows, so that nobody waits while a long table is written. */
export async function* toPages(table: ScreenTable, places: number[]): AsyncGenerator<ScreenRow[]> {
  for (let from = 0; from < places.length; from += ROWS_AT_ONCE) {
    yield places.slice(from, from + ROWS_AT_ONCE).map((place) => toRow(table, place))
    await new Promise((resolve) => setImmediate(resolve))
  }
}

export function toMatrix(
  { targets, rows, cells }: ScreenTable,
  withDetails: boolean,
): ScreenMatrix {
  const compounds = rows.map(({ name }) => name)
  const details = withDetails ? packDetails(cells) : {}
  return { targets, compounds, ...packMatrix(cells), ...details }
}

function packDetails(cells: Buffer) {
  const count = cells.length / CELL_BYTES
  const widths = Buffer.alloc(count * 2)
  const [compounds, targets] = [Buffer.alloc(count), Buffer.alloc(count)]
  for (let place = 0; place < count; place += 1) {
    const cell = readCell(cells, place)
    if (cell === null) continue
    const width = Math.round((cell.upper - cell.lower) * MATRIX_STEPS_PER_PKD)
    widths.writeUInt16LE(Math.min(width, 0xffff), place * 2)
    compounds[place] = Math.round(cell.compoundSimilarity * MATRIX_STEPS_OF_SIMILARITY)
    targets[place] = Math.round(cell.targetSimilarity * MATRIX_STEPS_OF_SIMILARITY)
  }
  return {
    interval_width: widths.toString('base64'),
    compound_similarity: compounds.toString('base64'),
    target_similarity: targets.toString('base64'),
  }
}

export function packMatrix(cells: Buffer): Pick<ScreenMatrix, 'predicted_kd' | 'flags'> {
  const count = cells.length / CELL_BYTES
  const predicted = Buffer.alloc(count * 2)
  const flags = Buffer.alloc(count)
  for (let place = 0; place < count; place += 1) {
    flags[place] = readFlags(cells, place)
    if (!hasNumber(cells, place)) continue
    predicted.writeInt16LE(
      Math.round(readPredicted(cells, place) * MATRIX_STEPS_PER_PKD),
      place * 2,
    )
  }
  return { predicted_kd: predicted.toString('base64'), flags: flags.toString('base64') }
}

function round(pk: number): number {
  return Math.round(pk * 1000) / 1000
}
