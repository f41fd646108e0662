/**
 * Deletes expired rows every hour: sessions, administrator sessions, used nonces, invitations, failed sign-ins, and
 * pictures older than six months. Safe to run in several processes.
 */
import { type RawBuilder, sql } from 'kysely'
import type { Log } from '#server/platform/log.ts'
import type { Database } from './schema.ts'

const INTERVAL_MS = 3_600_000
const DAY_MS = 24 * 3_600_000

const KEPT_DAYS = { sessions: 30, pictures: 183, failedSignIns: 1 }

/** Small batches, so other queries are not blocked. */
const ROWS_AT_ONCE = 500

export function startRetention(
  db: Database,
  { now, log }: { now: () => Date; log: Pick<Log, 'error'> },
): { stop(): void } {
  const look = () =>
    forgetOld(db, now()).catch((error: unknown) => log.error({ err: error }, 'retention failed'))
  const timer = setInterval(() => void look(), INTERVAL_MS).unref()
  return { stop: () => clearInterval(timer) }
}

export async function forgetOld(db: Database, now: Date): Promise<void> {
  const before = (days: number) => new Date(now.getTime() - days * DAY_MS)
  const ended = sql<boolean>`kind = 'session' and
    least(revoked_at, idle_expires_at, expires_at, closes_at) < ${before(KEPT_DAYS.sessions)}`
  await forgetSessions(db, ended)
  await forget(db, 'administrator_keys', sql<boolean>`session_expires_at < ${now}`)
  await forget(db, 'used_nonces', sql<boolean>`expires_at < ${now}`)
  await forget(db, 'invitations', sql<boolean>`expires_at < ${now}`)
  const old = before(KEPT_DAYS.failedSignIns)
  await forget(db, 'sign_in_failures', sql<boolean>`failed_at < ${old}`)
  await forget(db, 'previews', sql<boolean>`created_at < ${before(KEPT_DAYS.pictures)}`)
}

/** Keeps the time their users were last seen. */
async function forgetSessions(db: Database, isOld: RawBuilder<boolean>): Promise<void> {
  for (;;) {
    const { rows } = await sql<{ deleted: number }>`
      with gone as (
        delete from keys where ctid = any(array(
          select ctid from keys where ${isOld} limit ${ROWS_AT_ONCE}
        )) returning user_id, last_used_at
      ), seen as (
        update users set last_seen_at = greatest(last_seen_at, gone.at)
        from (select user_id, max(last_used_at) as at from gone group by user_id) as gone
        where users.id = gone.user_id
      )
      select count(*)::integer as deleted from gone`.execute(db)
    if ((rows[0]?.deleted ?? 0) < ROWS_AT_ONCE) return
  }
}

async function forget(db: Database, table: string, isOld: RawBuilder<boolean>): Promise<void> {
  for (;;) {
    const { numAffectedRows } = await sql`
      delete from ${sql.table(table)} where ctid = any(array(
        select ctid from ${sql.table(table)} where ${isOld} limit ${ROWS_AT_ONCE}
      ))`.execute(db)
    if (Number(numAffectedRows ?? 0) < ROWS_AT_ONCE) return
  }
}
