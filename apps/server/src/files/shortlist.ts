/** The user's shortlist: a mark on compounds that survives renaming. */
import { sql } from 'kysely'
import type { Database } from '#server/platform/db/schema.ts'
import { notFound } from './not-found.ts'

export async function starCompound(
  db: Database,
  { userId, name, isStarred }: { userId: string; name: string; isStarred: boolean },
): Promise<{ name: string; starred: boolean }> {
  const found = await db
    .updateTable('compounds')
    .set({ is_starred: isStarred })
    .where('user_id', '=', userId)
    .where('name', '=', name.normalize('NFC'))
    .returning('name')
    .executeTakeFirst()
  if (found === undefined) throw notFound('compounds', name)
  return { name: found.name, starred: isStarred }
}

/** In the order of the list. */
export async function readStarredNames(db: Database, userId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('compounds')
    .select('name')
    .where('user_id', '=', userId)
    .where('is_starred', '=', true)
    .orderBy('seq')
    .execute()
  return rows.map(({ name }) => name)
}

export const shortlistColumns = ['name', 'smiles', 'formula', 'mass']

const PAGE_ROWS = 500

export async function* pagesOfShortlist(db: Database, userId: string) {
  let afterSeq = 0
  for (;;) {
    const rows = await db
      .selectFrom('compounds')
      .select(['seq', 'name', 'smiles', 'mass'])
      .select(sql<string>`report ->> 'formula'`.as('formula'))
      .where('user_id', '=', userId)
      .where('is_starred', '=', true)
      .where('seq', '>', afterSeq)
      .orderBy('seq')
      .limit(PAGE_ROWS)
      .execute()
    const last = rows.at(-1)
    if (last === undefined) return
    yield rows
    afterSeq = last.seq
  }
}
