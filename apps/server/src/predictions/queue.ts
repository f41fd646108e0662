/** The queue of predictions on pg-boss: a job has its task's id and holds exactly what was paid for. */
import { sql, type RawBuilder } from 'kysely'
import { fromKysely, type PgBoss } from 'pg-boss'
import { z } from 'zod'
import type { Trx } from '#server/platform/db/schema.ts'
import { holdLock } from '#server/platform/db/transaction.ts'

export const QUEUE_NAME = 'predict'
/** Attempts after the first; a worker that dies uses one up. */
const RETRY_LIMIT = 5
/** A worker that says nothing for this long has lost its jobs. pg-boss allows no less. */
const HEARTBEAT_SECONDS = 10
const EXPIRE_SECONDS = 300
const KEEP_DONE_SECONDS = 3600

const JobPair = z.object({ segments: z.array(z.string()).min(1), smiles: z.string().min(1) })
export type JobPair = z.infer<typeof JobPair>

/** `reqId`: of the call that asked for it, as the log names it. */
const JobData = JobPair.extend({ reqId: z.string().optional() })

/** One attempt at a task: `retryCount` fences it against a worker that has lost the job meanwhile. */
export type Job = { id: string; retryCount: number; pair: JobPair | null; reqId?: string }

type NewJob = { taskId: string; userId: string; pair: JobPair; reqId: string }

export type PredictionQueue = {
  /** In the caller's transaction, under the lock of the user's requests and before the task is written. */
  add(trx: Trx, job: NewJob): Promise<void>
  fetch(count: number): Promise<Job[]>
  /** Renews the lease of jobs that are being worked on. */
  heartbeat(jobs: Job[]): Promise<void>
  /** In the caller's transaction; false where the job is no longer this attempt's. */
  finish(trx: Trx, job: Job): Promise<boolean>
  /** In the caller's transaction; jobs that are not there or ended are left alone. */
  cancel(trx: Trx, jobIds: string[]): Promise<void>
  /** Gives the job back for another attempt. */
  requeue(job: Job, reason: string): Promise<void>
}

/** `isSoleOwner`: no other process has this database, so that what is active now was left by a dead one. */
export async function openPredictionQueue(
  boss: PgBoss,
  isSoleOwner: boolean,
): Promise<PredictionQueue> {
  await boss.createQueue(QUEUE_NAME, {
    retryLimit: RETRY_LIMIT,
    retryDelay: 1,
    heartbeatSeconds: HEARTBEAT_SECONDS,
    expireInSeconds: EXPIRE_SECONDS,
    deleteAfterSeconds: KEEP_DONE_SECONDS,
  })
  // Warms the queue cache: a miss inside a transaction would wait for the one embedded connection.
  await boss.findJobs(QUEUE_NAME, { id: NO_JOB })
  if (isSoleOwner) await requeueActive(boss)
  return {
    async add(trx, { taskId, userId, pair, reqId }) {
      const priority = -(await nextTurn(trx, userId))
      await boss.send(QUEUE_NAME, { ...pair, reqId }, { id: taskId, priority, db: fromKysely(trx) })
    },
    async fetch(count) {
      const fetched = await boss.fetch(QUEUE_NAME, { batchSize: count })
      return fetched.map(({ id, retryCount, data }) => {
        const read = JobData.safeParse(data)
        if (!read.success) return { id, retryCount, pair: null }
        const { reqId, ...pair } = read.data
        return { id, retryCount, pair, ...(reqId !== undefined && { reqId }) }
      })
    },
    async heartbeat(kept) {
      await boss.touch(QUEUE_NAME, kept.map(toAttempt))
    },
    async finish(trx, job) {
      const answer = await boss.complete(QUEUE_NAME, toAttempt(job), null, { db: fromKysely(trx) })
      return Settled.parse(answer).affected === 1
    },
    async cancel(trx, jobIds) {
      await boss.cancel(QUEUE_NAME, jobIds, { db: fromKysely(trx) })
    },
    async requeue(job, reason) {
      await boss.fail(QUEUE_NAME, toAttempt(job), { message: reason })
    },
  }
}

/**
 * Users take turns, as in start-time fair queueing: a job joins at the turn that is worked now, behind those of
 * the same user that wait, so that nobody waits for all of what somebody else asked for before.
 */
async function nextTurn(trx: Trx, userId: string): Promise<number> {
  const { rows } = await sql<{ turn: number }>`select
    coalesce((
      select -job.priority from pgboss.job
      where job.name = ${QUEUE_NAME} and job.state in ('created', 'retry')
      order by job.priority desc limit 1
    ), 0) + (
      select count(*) from tasks where user_id = ${userId} and status = 'PENDING'
    ) as turn`.execute(trx)
  return rows[0]?.turn ?? 0
}

/** True in a query over tasks where the task still has a job that will be worked on. */
export const hasLiveJob: RawBuilder<boolean> = sql`exists (
  select from pgboss.job
  where job.name = ${QUEUE_NAME} and job.id = tasks.id and job.state in ('created', 'retry', 'active')
)`

/** In the caller's transaction: nothing of what a user asked for stays in the queue, nor of what is being asked. */
export async function deleteJobsOf(trx: Trx, userId: string): Promise<void> {
  await holdLock(trx, 'predictionRequests', userId)
  await sql`delete from pgboss.job where name = ${QUEUE_NAME}
    and id in (select id from tasks where user_id = ${userId})`.execute(trx)
}

/** In the caller's transaction. A worker that has one of them by now loses it, or has ended its task. */
export async function deleteJobs(trx: Trx, taskIds: string[]): Promise<void> {
  await sql`delete from pgboss.job where name = ${QUEUE_NAME} and id = any(${taskIds}::uuid[])`.execute(
    trx,
  )
}

const NO_JOB = '00000000-0000-0000-0000-000000000000'

/** The declared answer of pg-boss is empty; this is what it holds. */
const Settled = z.object({ affected: z.number() })

function toAttempt({ id, retryCount }: Job) {
  return { id, retryCount }
}

async function requeueActive(boss: PgBoss): Promise<void> {
  const { rows } = await boss
    .getDb()
    .executeSql("select id from pgboss.job where name = $1 and state = 'active'", [QUEUE_NAME])
  const ids = z
    .array(z.object({ id: z.string() }))
    .parse(rows)
    .map((row) => row.id)
  if (ids.length > 0) await boss.fail(QUEUE_NAME, ids, { message: 'The process was restarted.' })
}
