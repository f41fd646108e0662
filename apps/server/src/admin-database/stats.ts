/** Database statistics: exact row counts from one snapshot, sizes as reported by the database. */
import type { Collection, readDatabaseStats } from '@pkdex/contract'
import { sql } from 'kysely'
import type { z } from 'zod'
import type { Database } from '#server/platform/db/schema.ts'
import { collections } from './collections.ts'

type Collections = Record<string, Collection>

export async function readCollections(db: Database): Promise<Collections> {
  const parts = [...collections].map(
    ([name, { table }]) => sql`select ${name}::text as name,
      (select count(*) from ${sql.table(table)}) as count,
      pg_table_size(${sql.lit(table)}::regclass) as size`,
  )
  const { rows } = await sql<{ name: string; count: number; size: number }>`
    ${sql.join(parts, sql` union all `)}`.execute(db)
  return Object.fromEntries(
    rows.map(({ name, count, size }) => [name, { count, size, avgObjSize: mean(size, count) }]),
  )
}

export async function readStats(db: Database): Promise<z.input<typeof readDatabaseStats.answer>> {
  const found = await readCollections(db)
  const { keys, credits } = await readTotals(db)
  const all = Object.values(found)
  const size = all.reduce((sum, one) => sum + one.size, 0)
  const count = all.reduce((sum, one) => sum + one.count, 0)
  return {
    user_count: found.users?.count ?? 0,
    active_api_key_count: keys,
    total_credits: credits,
    collection_stats: Object.fromEntries(
      Object.entries(found).map(([name, collection]) => [name, collection.count]),
    ),
    avgObjSize: mean(size, count),
    size,
    collections: found,
  }
}

/** Counts API keys that are valid now. Sessions are not counted, because they come and go on their own. */
async function readTotals(db: Database): Promise<{ keys: number; credits: number }> {
  const { keys } = await db
    .selectFrom('keys')
    .innerJoin('users', 'users.id', 'keys.user_id')
    .where('keys.kind', '=', 'programmatic')
    .where('keys.revoked_at', 'is', null)
    .where('users.is_active', '=', true)
    .select(({ fn }) => fn.countAll<number>().as('keys'))
    .executeTakeFirstOrThrow()
  const { credits } = await db
    .selectFrom('users')
    .select(({ fn }) => fn.sum<number | null>('credits').as('credits'))
    .executeTakeFirstOrThrow()
  return { keys, credits: credits ?? 0 }
}

function mean(size: number, count: number): number {
  return count === 0 ? 0 : size / count
}
