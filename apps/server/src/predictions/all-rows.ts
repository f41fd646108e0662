/** Every row of a screen in input order, for an export: read part by part, so that no whole table is in memory. */
import { type ScreenRow, screenRowColumns } from '@pkdex/contract'
import { readStoredFacts } from '#server/files/service.ts'
import { readExactValues } from '#server/measurements/service.ts'
import type { Database } from '#server/platform/db/schema.ts'
import { openWidening, type WideRow } from './own-columns.ts'
import { readParts, toPages } from './results.ts'
import type { ScreenTable } from './screen-table.ts'
import { columnsOf } from './structure-numbers.ts'

/** Includes the user's own columns. */
export async function rowsOfScreen(
  db: Database,
  { userId, screenId }: { userId: string; screenId: string },
): Promise<{ columns: string[]; pages: AsyncGenerator<WideRow[]> } | null> {
  if (!(await isThere(db, screenId))) return null
  const names = new Set<string>()
  let columns: readonly string[] = screenRowColumns
  for await (const part of partsOf(db, screenId)) {
    for (const { name } of part.rows) names.add(name)
    columns = columnsOf(part, screenRowColumns)
  }
  const screen = { id: screenId }
  const wide = await openWidening(db, userId, { screen, names, columns })
  return { columns: wide.columns, pages: wide.widen(pairsOfScreen(db, screenId, userId)) }
}

async function isThere(db: Database, screenId: string): Promise<boolean> {
  const order = db.selectFrom('orders').select('id').where('id', '=', screenId)
  return (await order.executeTakeFirst()) !== undefined
}

/** The pairs without own columns; with `userId`, details of their compounds are added as far as they are stored. */
export async function* pairsOfScreen(
  db: Database,
  screenId: string,
  userId?: string,
): AsyncGenerator<ScreenRow[]> {
  for await (const table of partsOf(db, screenId)) {
    if (userId !== undefined) {
      const smiles = table.rows.flatMap(({ standard }) => standard ?? [])
      const targets = table.targets.map(({ name }) => name)
      table.details = {
        facts: await readStoredFacts(db, userId, smiles),
        measured: await readExactValues(db, userId, targets),
      }
    }
    const places = Array.from({ length: table.rows.length * table.targets.length }, (_, at) => at)
    yield* toPages(table, places)
  }
}

async function* partsOf(db: Database, screenId: string): AsyncGenerator<ScreenTable> {
  const targets = await db
    .selectFrom('order_targets')
    .select(['name', 'chain'])
    .where('order_id', '=', screenId)
    .orderBy('place')
    .execute()
  yield* readParts(db, screenId, targets)
}
