/** The queue of predictions on pg-boss: a job has its task's id and holds exactly what was paid for. */
import { sql, type RawBuilder } from 'kysely'
import { fromKysely, type PgBoss } from 'pg-boss'
import { z } from 'zod'
import type { Trx } from '#server/db/schema.ts'

const NAME = 'predict'
/** Attempts after the first; a worker that dies uses one up. */
const RETRY_LIMIT = 5
/** A worker that says nothing for this long has lost its jobs. pg-boss allows no less. */
const HEARTBEAT_SECONDS = 10
const EXPIRE_SECONDS = 300
const KEEP_DONE_SECONDS = 3600

const JobPair = z.object({ segments: z.array(z.string()).min(1), smiles: z.string().min(1) })
export type JobPair = z.infer<typeof JobPair>

/** One attempt at a task: `retryCount` fences it against a worker that has lost the job meanwhile. */
export type Job = { id: string; retryCount: number; pair: JobPair | null }

export type PredictionQueue = {
  /** In the caller's transaction. */
  add(trx: Trx, taskId: string, pair: JobPair): Promise<void>
  take(count: number): Promise<Job[]>
  keep(jobs: Job[]): Promise<void>
  /** In the caller's transaction; false where the job is no longer this attempt's. */
  finish(trx: Trx, job: Job): Promise<boolean>
  /** In the caller's transaction; jobs that are not there or ended are left alone. */
  cancel(trx: Trx, jobIds: string[]): Promise<void>
  /** Gives the job back for another attempt. */
  giveBack(job: Job, reason: string): Promise<void>
}

/** `isSoleOwner`: no other process has this database, so that what is active now was left by a dead one. */
export async function openPredictionQueue(
  boss: PgBoss,
  isSoleOwner: boolean,
): Promise<PredictionQueue> {
  await boss.createQueue(NAME, {
    retryLimit: RETRY_LIMIT,
    retryDelay: 1,
    heartbeatSeconds: HEARTBEAT_SECONDS,
    expireInSeconds: EXPIRE_SECONDS,
    deleteAfterSeconds: KEEP_DONE_SECONDS,
  })
  // Warms the queue cache: a miss inside a transaction would wait for the one embedded connection.
  await boss.findJobs(NAME, { id: NO_JOB })
  if (isSoleOwner) await giveBackActive(boss)
  return {
    async add(trx, taskId, pair) {
      await boss.send(NAME, pair, { id: taskId, db: fromKysely(trx) })
    },
    async take(count) {
      const fetched = await boss.fetch(NAME, { batchSize: count })
      return fetched.map(({ id, retryCount, data }) => {
        const pair = JobPair.safeParse(data)
        return { id, retryCount, pair: pair.success ? pair.data : null }
      })
    },
    async keep(kept) {
      await boss.touch(NAME, kept.map(toAttempt))
    },
    async finish(trx, job) {
      const answer = await boss.complete(NAME, toAttempt(job), null, { db: fromKysely(trx) })
      return Settled.parse(answer).affected === 1
    },
    async cancel(trx, jobIds) {
      await boss.cancel(NAME, jobIds, { db: fromKysely(trx) })
    },
    async giveBack(job, reason) {
      await boss.fail(NAME, toAttempt(job), { message: reason })
    },
  }
}

/** True in a query over tasks where the task still has a job that will be worked on. */
export const hasLiveJob: RawBuilder<boolean> = sql`exists (
  select from pgboss.job
  where job.name = ${NAME} and job.id = tasks.id and job.state in ('created', 'retry', 'active')
)`

/** One order of a user at a time, to the end of the caller's transaction. */
export async function holdOrders(trx: Trx, userId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${userId}, 0))`.execute(trx)
}

/** In the caller's transaction: nothing of what a user asked for stays in the queue, nor of what is being asked. */
export async function deleteJobsOf(trx: Trx, userId: string): Promise<void> {
  await holdOrders(trx, userId)
  await sql`delete from pgboss.job where name = ${NAME}
    and id in (select id from tasks where user_id = ${userId})`.execute(trx)
}

const NO_JOB = '00000000-0000-0000-0000-000000000000'

/** The declared answer of pg-boss is empty; this is what it holds. */
const Settled = z.object({ affected: z.number() })

function toAttempt({ id, retryCount }: Job) {
  return { id, retryCount }
}

async function giveBackActive(boss: PgBoss): Promise<void> {
  const { rows } = await boss
    .getDb()
    .executeSql("select id from pgboss.job where name = $1 and state = 'active'", [NAME])
  const ids = z
    .array(z.object({ id: z.string() }))
    .parse(rows)
    .map((row) => row.id)
  if (ids.length > 0) await boss.fail(NAME, ids, { message: 'The process was restarted.' })
}
