/** Every row of a screen in input order, for an export: read part by part, so that no whole table is in memory. */
import { type ScreenRow, screenRowColumns } from '@pkdex/contract'
import type { ReadFacts } from '#server/files/service.ts'
import type { Database } from '#server/platform/db/schema.ts'
import type { BestEstimates } from './best-estimates.ts'
import { openWidening, type WideRow } from './own-columns.ts'
import { cutPages, readPairs, toRow } from './results.ts'
import { type FillDetails, openDetails } from './row-details.ts'
import { allPlaces, type ScreenTable, tableOf } from './screen-table.ts'
import { readPoseReasons } from './pose-reasons.ts'
import { columnsOf, openTable } from './table-estimates.ts'
import { withStandard } from './standard-smiles.ts'

/** Includes the user's own columns. */
export async function rowsOfScreen(
  { db, best, readFacts }: { db: Database; best: BestEstimates; readFacts: ReadFacts },
  { userId, screenId }: { userId: string; screenId: string },
): Promise<{ columns: string[]; pages: AsyncGenerator<WideRow[]> } | null> {
  const screen = await readTable(db, screenId)
  if (screen === null) return null
  const structure = await readPoseReasons(db, screenId)
  const table = { ...(await openTable({ db, best }, userId, screen)), structure }
  const wide = await openWidening(db, userId, {
    screen: { id: screenId },
    orders: [screenId],
    columns: columnsOf(table, screenRowColumns),
  })
  const details = await openDetails({ db, readFacts }, userId, table)
  return { columns: wide.columns, pages: wide.widen(pagesOfTable(db, table, details)) }
}

/** The predictions from sequence and compound, without own columns and details; none if the screen was deleted. */
export async function* pairsOfScreen(db: Database, screenId: string): AsyncGenerator<ScreenRow[]> {
  const screen = await readTable(db, screenId)
  if (screen !== null) yield* pagesOfTable(db, tableOf(screen))
}

async function* pagesOfTable(
  db: Database,
  table: ScreenTable,
  details?: FillDetails,
): AsyncGenerator<ScreenRow[]> {
  for (const places of cutPages(allPlaces(table))) {
    const pairs = await readPairs(db, table, places)
    // Those of earlier pages would fill the memory.
    table.details?.facts.clear()
    await details?.show(pairs)
    yield pairs.map((pair) => withStandard(toRow(table, pair), pair.input.standard))
  }
}

async function readTable(db: Database, id: string) {
  const order = await db
    .selectFrom('orders')
    .select(['id', 'compounds', 'model_version'])
    .where('id', '=', id)
    .executeTakeFirst()
  if (order === undefined) return null
  const targets = await db
    .selectFrom('order_targets')
    .select(['name', 'chain'])
    .where('order_id', '=', id)
    .orderBy('place')
    .execute()
  return { ...order, targets }
}
