/**
 * A queue on pg-boss whose jobs contain only their id and that of the request that created them. A worker keeps a job by
 * sending heartbeats, and finishes it in a transaction that reports whether it still held the lease.
 */
import { type RawBuilder, sql } from 'kysely'
import { fromKysely, type PgBoss } from 'pg-boss'
import { z } from 'zod'
import type { Trx } from '#server/platform/db/schema.ts'

/** A worker that dies uses up one retry, and a restarted worker begins with the same job. */
const RETRY_LIMIT = 25
/** A worker without heartbeats for this long loses its jobs. pg-boss allows no shorter time. */
const HEARTBEAT_SECONDS = 10
const EXPIRE_SECONDS = 300
const KEEP_DONE_SECONDS = 3600

/** One attempt at a job. A worker that has lost the job meanwhile has a different `retryCount`. */
export type Attempt = {
  id: string
  retryCount: number
  /** Id of the request that created it, as it appears in the log. */
  reqId?: string
}

export type LeasedQueue = {
  /** In the caller's transaction. Jobs with a lower `turn` come first. */
  add(trx: Trx, jobs: { id: string; turn: number }[], reqId: string): Promise<void>
  fetch(count: number): Promise<Attempt[]>
  heartbeat(attempts: Attempt[]): Promise<void>
  /** In the caller's transaction; false if the job no longer belongs to this attempt. */
  finish(trx: Trx, attempt: Attempt): Promise<boolean>
  /** In the caller's transaction; unknown or finished jobs are ignored. */
  cancel(trx: Trx, ids: string[]): Promise<void>
  /** Returns the job for another attempt. */
  requeue(attempt: Attempt, reason: string): Promise<void>
}

/** `isSoleOwner`: no other process uses this database, so active jobs were left by a dead one. */
export async function openLeasedQueue(
  boss: PgBoss,
  { name, isSoleOwner }: { name: string; isSoleOwner: boolean },
): Promise<LeasedQueue> {
  await boss.createQueue(name, {
    retryLimit: RETRY_LIMIT,
    retryDelay: 1,
    heartbeatSeconds: HEARTBEAT_SECONDS,
    expireInSeconds: EXPIRE_SECONDS,
    deleteAfterSeconds: KEEP_DONE_SECONDS,
  })
  // Warms the queue cache: a miss inside a transaction would wait for the one embedded connection.
  await boss.findJobs(name, { id: NO_JOB })
  if (isSoleOwner) await requeueActive(boss, name)
  return {
    async add(trx, jobs, reqId) {
      if (jobs.length === 0) return
      const sorted = jobs.map(({ id, turn }) => ({ id, priority: -turn, data: { reqId } }))
      await boss.insert(name, sorted, { db: fromKysely(trx) })
    },
    async fetch(count) {
      const fetched = await boss.fetch(name, { batchSize: count })
      return fetched.map(({ id, retryCount, data }) => {
        const named = JobData.safeParse(data)
        return { id, retryCount, ...(named.success && named.data) }
      })
    },
    async heartbeat(attempts) {
      await boss.touch(name, attempts.map(toAttempt))
    },
    async finish(trx, attempt) {
      const answer = await boss.complete(name, toAttempt(attempt), null, { db: fromKysely(trx) })
      return Settled.parse(answer).affected === 1
    },
    async cancel(trx, ids) {
      if (ids.length > 0) await boss.cancel(name, ids, { db: fromKysely(trx) })
    },
    async requeue(attempt, reason) {
      await boss.fail(name, toAttempt(attempt), { message: reason })
    },
  }
}

/** Whether this job will still run. */
export function isLiveJob(names: string[], id: RawBuilder<string>): RawBuilder<boolean> {
  return sql`exists (
    select from pgboss.job
    where job.name in (${sql.join(names.map((name) => sql.lit(name)))}) and job.id = ${id} and job.state in ('created', 'retry', 'active')
  )`
}

const JobData = z.object({ reqId: z.string() })

const NO_JOB = '00000000-0000-0000-0000-000000000000'

/** pg-boss declares an empty answer; this is what it actually returns. */
const Settled = z.object({ affected: z.number() })

function toAttempt({ id, retryCount }: Attempt) {
  return { id, retryCount }
}

async function requeueActive(boss: PgBoss, name: string): Promise<void> {
  const { rows } = await boss
    .getDb()
    .executeSql("select id from pgboss.job where name = $1 and state = 'active'", [name])
  const ids = z
    .array(z.object({ id: z.string() }))
    .parse(rows)
    .map((row) => row.id)
  if (ids.length > 0) await boss.fail(name, ids, { message: 'The process was restarted.' })
}
