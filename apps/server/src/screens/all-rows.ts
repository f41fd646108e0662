/** Every row of a screen, in the order of its input, for an export. */
import { type ScreenRow, screenRowColumns } from '@pkdex/contract'
import type { Database } from '#server/platform/db/schema.ts'
import { type WideTable, widenTable } from './own-columns.ts'
import { readTable, type ScreenTable, toPages } from './results.ts'

/** With the user's own columns. */
export async function rowsOfScreen(
  db: Database,
  { userId, screenId }: { userId: string; screenId: string },
): Promise<{ columns: string[]; pages: ReturnType<WideTable['pages']> }> {
  const { table, places } = await readAll(db, screenId)
  const pages = (some: number[]) => toPages(table, some)
  const wide = await widenTable(db, userId, { table, columns: screenRowColumns, pages })
  return { columns: wide.columns, pages: wide.pages(places) }
}

/** The pairs alone. */
export async function* pairsOfScreen(db: Database, screenId: string): AsyncGenerator<ScreenRow[]> {
  const { table, places } = await readAll(db, screenId)
  yield* toPages(table, places)
}

async function readAll(
  db: Database,
  screenId: string,
): Promise<{ table: ScreenTable; places: number[] }> {
  const targets = await db
    .selectFrom('screen_targets')
    .select(['name', 'chain'])
    .where('screen_id', '=', screenId)
    .orderBy('place')
    .execute()
  const table = await readTable(db, screenId, targets)
  return {
    table,
    places: Array.from({ length: table.rows.length * targets.length }, (_, at) => at),
  }
}
