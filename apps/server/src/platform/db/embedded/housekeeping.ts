/**
 * Background work that a PostgreSQL server does itself and the embedded one does not: checkpoints (without them
 * the write-ahead log grew to 1.8 GB) and vacuum.
 */
import { type Kysely, sql } from 'kysely'
import type { Log } from '#server/platform/log.ts'

const CHECKPOINT_INTERVAL_MS = 60_000
const VACUUM_INTERVAL_MS = 10 * 60_000

export function startHousekeeping<T>(db: Kysely<T>, log: Pick<Log, 'error'>): { stop(): void } {
  const timers = [
    every(CHECKPOINT_INTERVAL_MS, log, () => checkpoint(db)),
    every(VACUUM_INTERVAL_MS, log, () => vacuum(db)),
  ]
  return { stop: () => timers.forEach((timer) => clearInterval(timer)) }
}

export async function checkpoint<T>(db: Kysely<T>): Promise<void> {
  await sql`checkpoint`.execute(db)
}

/** One table at a time, so other queries get the single connection in between. */
export async function vacuum<T>(db: Kysely<T>): Promise<void> {
  const { rows } = await sql<{ name: string }>`
    select format('%I.%I', schemaname, tablename) as name
    from pg_tables where schemaname in ('public', 'pgboss')`.execute(db)
  for (const { name } of rows) await sql`vacuum (analyze) ${sql.raw(name)}`.execute(db)
}

/** A failure is logged, and the next round runs anyway. */
function every(
  milliseconds: number,
  log: Pick<Log, 'error'>,
  work: () => Promise<void>,
): NodeJS.Timeout {
  let isRunning = false
  const timer = setInterval(() => {
    if (isRunning) return
    isRunning = true
    work()
      .catch((error: unknown) => log.error({ err: error }, 'housekeeping failed'))
      .finally(() => (isRunning = false))
  }, milliseconds)
  return timer.unref()
}
