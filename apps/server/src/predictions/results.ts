/** Results of a screen: its cells with the rows of the input, sorted and filtered, as a table or a matrix. */
import {
  matrixFlags,
  type Screen,
  screenRowColumns,
  type ScreenRow,
  type ScreenTarget,
} from '@pkdex/contract'
import { sql } from 'kysely'
import { LRUCache } from 'lru-cache'
import type { Database, BlocksTable } from '#server/platform/db/schema.ts'
import { unpackRows } from './blocks.ts'
import { CELL_BYTES, readCell, readFlags } from './cells.ts'
import { detailsOf } from './row-details.ts'
import type { InputRow } from './plan.ts'
import { scoreColumnsOf } from './score-table.ts'
import type { ScreenTable } from './screen-table.ts'
import { selectivityOf } from './sort-pairs.ts'
import { readStructureNumbers, structureOf } from './structure-numbers.ts'

/** Blocks read per statement, so that the one embedded connection can serve others in between. */
const PAGE_BLOCKS = 50

type WantedRows = {
  /** Rows to read, starting at 0; all by default. */
  from?: number
  to?: number
  /** Aborts when the client has disconnected. */
  gone?: AbortSignal
}

export async function readTable(
  db: Database,
  screenId: string,
  targets: ScreenTarget[],
  wanted: WantedRows = {},
): Promise<ScreenTable> {
  const parts: ScreenTable[] = []
  for await (const part of readParts(db, screenId, targets, wanted)) parts.push(part)
  return {
    targets,
    firstRow: parts[0]?.firstRow ?? 0,
    rows: parts.flatMap(({ rows }) => rows),
    cells: Buffer.concat(parts.map(({ cells }) => cells)),
    missing: parts.flatMap(({ missing }) => missing),
    versions: parts.flatMap(({ versions }) => versions),
    structure: parts[0]?.structure ?? null,
  }
}

/** All cells but no rows of the input, which are most of the stored bytes: see `fillRows`. */
export async function readCells(
  db: Database,
  screen: Screen,
  { gone }: Pick<WantedRows, 'gone'>,
): Promise<ScreenTable> {
  const { id, targets, finished_at: end } = screen
  const structure = await readStructureNumbers(db, id, {})
  const key = `${id} ${end}`
  const { cells, versions } = kept.get(key) ?? (await readBlocks(db, screen, gone))
  if (end !== null) kept.set(key, { cells, versions })
  const rows: InputRow[] = []
  const missing: (string | null)[] = []
  rows.length = missing.length = versions.length
  return { targets, firstRow: 0, rows, cells, missing, versions, structure }
}

type Kept = Pick<ScreenTable, 'cells' | 'versions'>

/** Cells of a screen that has ended never change, and every page needs all of them. Room for two of the largest screens. */
const kept = new LRUCache<string, Kept>({
  maxSize: 16_000_000,
  sizeCalculation: ({ cells, versions }) => cells.length + 8 * versions.length,
})

/** Blocks read per statement if only cells are read. */
const PAGE_CELLS = 200

async function readBlocks(
  db: Database,
  { id, targets }: Pick<Screen, 'id' | 'targets'>,
  gone?: AbortSignal,
): Promise<Kept> {
  const parts: Buffer[] = []
  const versions: string[] = []
  for (let from = 0; ; from += PAGE_CELLS) {
    gone?.throwIfAborted()
    const page = await db
      .selectFrom('blocks')
      .select(['rows', 'cells', 'model_version'])
      .where('order_id', '=', id)
      .where('block', '>=', from)
      .where('block', '<', from + PAGE_CELLS)
      .orderBy('block')
      .execute()
    for (const { rows, cells, model_version } of page) {
      for (let row = 0; row < rows; row += 1) versions.push(model_version)
      parts.push(cells ?? Buffer.alloc(rows * targets.length * CELL_BYTES))
    }
    if (page.length < PAGE_CELLS) return { cells: Buffer.concat(parts), versions }
  }
}

/** Reads the input rows of these pairs into the table, and no other blocks. */
export async function fillRows(
  db: Database,
  screenId: string,
  table: ScreenTable,
  places: number[],
): Promise<void> {
  const rows = places.map((place) => Math.floor(place / table.targets.length))
  const wanted = new Set(rows.filter((row) => table.rows[row] === undefined))
  if (wanted.size === 0) return
  const blocks = await db
    .selectFrom('blocks')
    .select(['status', 'compounds', 'first_row as firstRow'])
    .where('order_id', '=', screenId)
    .where(sql<boolean>`exists (
      select from unnest(${[...wanted]}::int[]) as wanted (row)
      where wanted.row >= first_row and wanted.row < first_row + rows)`)
    .execute()
  for (const { status, compounds, firstRow } of blocks) {
    for (const [at, row] of (await unpackRows(compounds)).entries()) {
      if (!wanted.has(firstRow + at)) continue
      table.rows[firstRow + at] = row
      table.missing[firstRow + at] = whyMissing(status)
    }
  }
}

/** The same rows, a few hundred at a time, so that a long table is never in memory as a whole. */
export async function* readParts(
  db: Database,
  screenId: string,
  targets: ScreenTarget[],
  wanted: WantedRows = {},
): AsyncGenerator<ScreenTable> {
  const structure = await readStructureNumbers(db, screenId, wanted)
  for await (const block of blocksOf(db, screenId, wanted)) {
    const rows = await unpackRows(block.compounds)
    const cells = block.cells ?? Buffer.alloc(rows.length * targets.length * CELL_BYTES)
    const missing = rows.map(() => whyMissing(block.status))
    const versions = rows.map(() => block.model_version)
    yield { targets, firstRow: block.firstRow, rows, cells, missing, versions, structure }
  }
}

async function* blocksOf(
  db: Database,
  screenId: string,
  { from = 0, to = Infinity, gone }: WantedRows,
) {
  for (let offset = 0; ; offset += PAGE_BLOCKS) {
    gone?.throwIfAborted()
    const page = await pageOfBlocks(db, screenId, { from, to, offset })
    for (const block of page) {
      gone?.throwIfAborted()
      yield block
    }
    if (page.length < PAGE_BLOCKS) return
  }
}

type WantedBlocks = { from: number; to: number; offset: number }

function pageOfBlocks(db: Database, screenId: string, { from, to, offset }: WantedBlocks) {
  return db
    .selectFrom('blocks')
    .select(['status', 'compounds', 'cells', 'first_row as firstRow', 'model_version'])
    .where('order_id', '=', screenId)
    .where(sql<boolean>`first_row + rows > ${from}::int`)
    .$if(to < Infinity, (query) => query.where('first_row', '<', to))
    .orderBy('block')
    .offset(offset)
    .limit(PAGE_BLOCKS)
    .execute()
}

const notPredictedYet = 'Not predicted yet.'
const notPredicted = 'Prediction failed because of a server error. Your credits were refunded.'

function whyMissing(status: BlocksTable['status']): string | null {
  switch (status) {
    case 'WAITING':
      return notPredictedYet
    case 'CANCELLED':
      return 'Not predicted: the screen was cancelled.'
    case 'FAILED':
    case 'DONE':
      return notPredicted
  }
}

/** Whether it may still get a number. */
export function isWaiting({ reason }: ScreenRow): boolean {
  return reason === notPredictedYet
}

export function toRow(table: ScreenTable, place: number): ScreenRow {
  const { targets, rows, cells, missing } = table
  const at = Math.floor(place / targets.length)
  const [row, target] = [rows[at], targets[place % targets.length]]
  if (row === undefined || target === undefined) throw new Error('there is no such pair')
  const cell = readCell(cells, place)
  const isFailed = (readFlags(cells, place) & matrixFlags.isFailed) !== 0
  const shared = {
    row: table.firstRow + at + 1,
    compound: row.name,
    smiles: row.smiles,
    target: target.name,
    model_version: table.versions[at] ?? '',
  }
  if (cell === null) {
    const reason = row.reason ?? (isFailed ? notPredicted : (missing[at] ?? notPredicted))
    const details = { ...detailsOf(table, place), ...scoreColumnsOf(table, place) }
    return { ...shared, ...noNumber, ...noOwnValues, ...details, chain: target.chain, reason }
  }
  return {
    ...shared,
    chain: target.chain,
    predicted_kd: cell.predicted,
    lower: cell.lower,
    upper: cell.upper,
    in_domain: cell.domainState === null || cell.domainState === 'known_on_target',
    domain_state: cell.domainState,
    is_ligand_driven: cell.isLigandDriven,
    compound_similarity: cell.compoundSimilarity,
    target_similarity: cell.targetSimilarity,
    ...selectivityOf(table, place),
    ...structureOf(table, place, cell),
    reason: null,
    ...detailsOf(table, place),
    ...scoreColumnsOf(table, place),
    ...noOwnValues,
  }
}

/** Until the user's own values are applied. */
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
  domain_state: null,
  is_ligand_driven: null,
  compound_similarity: null,
  target_similarity: null,
  selectivity: null,
  selectivity_error: null,
}

/** Including the numbers adjusted by the user's own values. */
export const rowColumnsWithOwn = [
  ...screenRowColumns,
  'own_values',
  'predicted_kd_with_own',
  'lower_with_own',
  'upper_with_own',
] as const satisfies (keyof ScreenRow)[]

const ROWS_AT_ONCE = 500

/** Splits row indexes into pages, so that a long table does not block the process. */
export function* cutPages(places: number[]): Generator<number[]> {
  for (let from = 0; from < places.length; from += ROWS_AT_ONCE) {
    yield places.slice(from, from + ROWS_AT_ONCE)
  }
}

export async function* toPages(table: ScreenTable, places: number[]): AsyncGenerator<ScreenRow[]> {
  for (const page of cutPages(places)) {
    yield page.map((place) => toRow(table, place))
    await new Promise((resolve) => setImmediate(resolve))
  }
}
