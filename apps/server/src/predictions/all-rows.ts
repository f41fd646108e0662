/** Every row of a screen in input order, for an export: read part by part, so that no whole table is in memory. */
import { type ScreenRow, screenRowColumns } from '@pkdex/contract'
import { readStoredFacts } from '#server/files/service.ts'
import { readExactValues } from '#server/measurements/service.ts'
import type { Database } from '#server/platform/db/schema.ts'
import type { BestEstimates } from './best-estimates.ts'
import { openWidening, type WideRow } from './own-columns.ts'
import { cutPages, readPairs, toRow } from './results.ts'
import { allPlaces, type ScreenTable, tableOf } from './screen-table.ts'
import { readStructureNumbers } from './structure-numbers.ts'
import { columnsOf, openTable } from './table-estimates.ts'
import { withStandard } from './standard-smiles.ts'

/** Includes the user's own columns. */
export async function rowsOfScreen(
  { db, best }: { db: Database; best: BestEstimates },
  { userId, screenId }: { userId: string; screenId: string },
): Promise<{ columns: string[]; pages: AsyncGenerator<WideRow[]> } | null> {
  const screen = await readTable(db, screenId)
  if (screen === null) return null
  const structure = await readStructureNumbers(db, screenId)
  const table = { ...(await openTable({ db, best }, userId, screen)), structure }
  const wide = await openWidening(db, userId, {
    screen: { id: screenId },
    orders: [screenId],
    columns: columnsOf(table, screenRowColumns),
  })
  return { columns: wide.columns, pages: wide.widen(pagesOfTable(db, table, userId)) }
}

/** The predictions from sequence and compound, without own columns and details; none if the screen was deleted. */
export async function* pairsOfScreen(db: Database, screenId: string): AsyncGenerator<ScreenRow[]> {
  const screen = await readTable(db, screenId)
  if (screen !== null) yield* pagesOfTable(db, tableOf(screen))
}

/** With `userId`, details of the compounds are added as far as they are stored. */
async function* pagesOfTable(
  db: Database,
  table: ScreenTable,
  userId?: string,
): AsyncGenerator<ScreenRow[]> {
  const names = table.targets.map(({ name }) => name)
  const measured = userId === undefined ? [] : await readExactValues(db, userId, names)
  for (const places of cutPages(allPlaces(table))) {
    const pairs = await readPairs(db, table, places)
    if (userId !== undefined) {
      const smiles = pairs.flatMap(({ input }) => input.standard ?? [])
      table.details = { facts: await readStoredFacts(db, userId, smiles), measured }
    }
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
