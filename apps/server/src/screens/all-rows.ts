/** Every row of a screen, in the order of its input, for an export. */
import type { ScreenRow } from '@pkdex/contract'
import type { Database } from '#server/platform/db/schema.ts'
import { readTable, toPages } from './results.ts'

export async function* rowsOfScreen(db: Database, screenId: string): AsyncGenerator<ScreenRow[]> {
  const targets = await db
    .selectFrom('screen_targets')
    .select(['name', 'chain'])
    .where('screen_id', '=', screenId)
    .orderBy('place')
    .execute()
  const table = await readTable(db, screenId, targets)
  const places = Array.from({ length: table.rows.length * targets.length }, (_, at) => at)
  yield* toPages(table, places)
}
