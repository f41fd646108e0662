/** Every row of a screen in input order, for an export: read part by part, so that no whole table is in memory. */
import { type ScreenRow, screenRowColumns } from '@pkdex/contract'
import { readStoredFacts } from '#server/files/service.ts'
import { readExactValues } from '#server/measurements/service.ts'
import type { Database } from '#server/platform/db/schema.ts'
import { openWidening, type WideRow } from './own-columns.ts'
import { cutPages, readPairs, toRow } from './results.ts'
import { allPlaces, type ScreenTable, tableOf } from './screen-table.ts'
import { columnsOf, readStructureNumbers } from './structure-numbers.ts'
import { withStandard } from './standard-smiles.ts'

/** Includes the user's own columns. */
export async function rowsOfScreen(
  db: Database,
  { userId, screenId }: { userId: string; screenId: string },
): Promise<{ columns: string[]; pages: AsyncGenerator<WideRow[]> } | null> {
  const table = await openTable(db, screenId)
  if (table === null) return null
  const wide = await openWidening(db, userId, {
    screen: { id: screenId },
    orders: [screenId],
    columns: columnsOf(table, screenRowColumns),
  })
  return { columns: wide.columns, pages: wide.widen(pagesOfTable(db, table, userId)) }
}

/** The pairs without own columns and details; none if the screen was deleted. */
export async function* pairsOfScreen(db: Database, screenId: string): AsyncGenerator<ScreenRow[]> {
  const table = await openTable(db, screenId)
  if (table !== null) yield* pagesOfTable(db, table)
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

async function openTable(db: Database, id: string): Promise<ScreenTable | null> {
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
  return { ...tableOf({ ...order, targets }), structure: await readStructureNumbers(db, id) }
}
