/**
 * The job queue (pg-boss) on the same pool as everything else, so that a job can be queued in the
 * transaction that pays for it. Features create their own queues on it, and warm its cache with one
 * `findJobs` each: a cache miss inside a transaction would wait for the one embedded connection.
 */
import { type Db, PgBoss } from 'pg-boss'
import type pg from 'pg'
import type { Log } from '#server/platform/log.ts'
import type { Connections } from '#server/platform/db/connection-turns.ts'
import type { OpenDatabase } from '#server/platform/db/open.ts'
import { QUEUE_LOCK } from '#server/platform/db/transaction.ts'

/** How soon a dead worker's job is noticed: it runs again 7 to 12 s after its last heartbeat. */
const SUPERVISE_SECONDS = 1
const MONITOR_SECONDS = 5
const STOP_MS_MAX = 10_000

export async function openQueue({ pool, source }: OpenDatabase, log: Log): Promise<PgBoss> {
  const boss = new PgBoss({
    db: overPool(pool),
    backend: source.kind === 'embedded' ? 'pglite' : 'postgres',
    schedule: false,
    superviseIntervalSeconds: SUPERVISE_SECONDS,
    monitorIntervalSeconds: MONITOR_SECONDS,
  })
  boss.on('error', (error) => log.error({ err: error }, 'queue'))
  boss.on('warning', (warning) => log.warn({ warning }, 'queue'))
  await (source.kind === 'server' ? underLock(pool, () => boss.start()) : boss.start())
  return boss
}

/** Two processes that start on an empty database would both create the queue's schema, and one would fail. */
async function underLock(pool: Connections, work: () => Promise<unknown>): Promise<void> {
  const client = await pool.connect()
  try {
    await client.query('select pg_advisory_lock($1)', [QUEUE_LOCK])
    await work()
  } finally {
    await client.query('select pg_advisory_unlock($1)', [QUEUE_LOCK]).catch(() => undefined)
    client.release()
  }
}

export async function closeQueue(boss: PgBoss): Promise<void> {
  await boss.stop({ graceful: true, timeout: STOP_MS_MAX })
}

/** Whether another process may be working on jobs. */
export function isSoleOwner({ source }: OpenDatabase): boolean {
  return source.kind === 'embedded'
}

/**
 * Never drops the connection on an error, as `pool.query` would: the embedded session continues, and
 * with it a transaction that a failed statement left open. So that one is rolled back here.
 */
function overPool(pool: Connections): Db {
  return {
    async executeSql(text, values) {
      const client = await pool.connect()
      try {
        return flatten(await client.query(text, values))
      } catch (error) {
        await client.query('rollback').catch(() => undefined)
        throw error
      } finally {
        client.release()
      }
    },
  }
}

/** Several statements in one text return a list of results; pg-boss expects a single list of rows. */
function flatten(result: pg.QueryResult | pg.QueryResult[]): { rows: unknown[] } {
  return { rows: Array.isArray(result) ? result.flatMap(({ rows }) => rows) : result.rows }
}
