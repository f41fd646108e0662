/** Every row of a screen, in the order of its input, for an export. */
import type { Database } from '#server/platform/db/schema.ts'
import { type WideTable, widenTable } from './own-columns.ts'
import { readTable } from './results.ts'

export async function rowsOfScreen(
  db: Database,
  { userId, screenId }: { userId: string; screenId: string },
): Promise<{ columns: string[]; pages: ReturnType<WideTable['pages']> }> {
  const targets = await db
    .selectFrom('screen_targets')
    .select(['name', 'chain'])
    .where('screen_id', '=', screenId)
    .orderBy('place')
    .execute()
  const table = await readTable(db, screenId, targets)
  const places = Array.from({ length: table.rows.length * targets.length }, (_, at) => at)
  const { columns, pages } = await widenTable(db, userId, table)
  return { columns, pages: pages(places) }
}
