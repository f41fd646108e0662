/**
 * Usage statistics, computed on demand from existing rows: no extra write per request. A pair that was already
 * predicted is free and is not counted.
 */
import { USAGE_DAYS, type UsageDay, type UserUsage } from '@pkdex/contract'
import { type RawBuilder, sql } from 'kysely'
import type { Database } from '#server/platform/db/schema.ts'
import { lastSeen } from './store.ts'

const DAY_MS = 24 * 3_600_000

type Period = { days: number; userId: string | null; now: Date }

/** Every day up to today in UTC, including days without usage. */
export async function countByDay(db: Database, { days, userId, now }: Period): Promise<UsageDay[]> {
  const midnight = Math.floor(now.getTime() / DAY_MS) * DAY_MS
  const first = new Date(midnight - (days - 1) * DAY_MS)
  const ofUser = (table: string): RawBuilder<boolean> =>
    userId === null ? sql`true` : sql`${sql.ref(`${table}.user_id`)} = ${userId}`
  const { rows } = await sql<UsageDay>`
    select day, sum(predictions)::integer as predictions, sum(screen_pairs)::integer as screen_pairs
    from (
      select (created_at at time zone 'UTC')::date::text as day,
        count(*) as predictions, 0 as screen_pairs
      from tasks
      where created_at >= ${first} and status = 'SUCCESS' and credits_charged > 0 and ${ofUser('tasks')}
      group by 1
      union all
      select (created_at at time zone 'UTC')::date::text, 0, sum(blocks.predicted)
      from orders join blocks on blocks.order_id = orders.id
      where created_at >= ${first} and kind in ('screen', 'call') and ${ofUser('orders')}
      group by 1
    ) as counted
    group by day`.execute(db)
  const found = new Map(rows.map((row) => [row.day, row]))
  return Array.from({ length: days }, (_, at) => {
    const day = new Date(first.getTime() + at * DAY_MS).toISOString().slice(0, 10)
    return found.get(day) ?? { day, predictions: 0, screen_pairs: 0 }
  })
}

type Row = Omit<UserUsage, 'last_seen_at'> & { last_seen_at: Date | null }

export async function readUsageOf(
  db: Database,
  userIds: string[],
  now: Date,
): Promise<UserUsage[]> {
  const since = new Date(now.getTime() - USAGE_DAYS * DAY_MS)
  const { rows } = await sql<Row>`
    select id as _id,
      ${lastSeen} as last_seen_at,
      (select count(*)::integer from tasks
        where tasks.user_id = users.id and created_at >= ${since} and status = 'SUCCESS'
          and credits_charged > 0)
      + coalesce((select sum(predicted)::integer
          from orders join blocks on blocks.order_id = orders.id
          where orders.user_id = users.id and kind in ('screen', 'call') and created_at >= ${since}), 0)
        as predictions,
      coalesce((select -sum(delta) from ledger
        where ledger.user_id = users.id and created_at >= ${since}
        and reason in ('prediction', 'refund', 'screen', 'screen refund')), 0) as credits_used
    from users where id = any(${userIds}::uuid[])`.execute(db)
  return rows.map(({ last_seen_at, ...row }) => ({
    ...row,
    last_seen_at: last_seen_at?.toISOString() ?? null,
  }))
}
