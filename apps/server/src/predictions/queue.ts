/**
 * The queue of blocks, in three lanes: quick blocks never wait behind blocks that take seconds, and neither wait behind
 * poses. A job has the id of its block.
 */
import { sql } from 'kysely'
import type { PgBoss } from 'pg-boss'
import type { Database, Trx } from '#server/platform/db/schema.ts'
import { bringForward } from '#server/platform/jobs/clock-set-back.ts'
import {
  type Attempt,
  isLiveJob,
  type LeasedQueue,
  openLeasedQueue,
} from '#server/platform/jobs/leased-queue.ts'

/** Signal for queued work; any other signal is the id of an order that has changed. */
export const NEW_WORK = 'work'

/** Names in pg-boss. They must stay, because jobs of earlier versions may be waiting under them. */
const lanes = { small: 'predict', large: 'screen-block', pose: 'structure-block' } as const
export type Lane = keyof typeof lanes

/** A block with this many cells or fewer is small: predicted in a moment. */
const SMALL_CELLS_MAX = 16

export function isSmall(cells: number): boolean {
  return cells <= SMALL_CELLS_MAX
}

export type BlockAttempt = Attempt & { lane: Lane }
type NewJob = { id: string; turn: number; lane: Lane }

export type BlockQueue = {
  /** In the caller's transaction. Jobs with a lower `turn` come first. */
  add(trx: Trx, jobs: NewJob[], reqId: string): Promise<void>
  fetch(lane: Lane, count: number): Promise<BlockAttempt[]>
  heartbeat(attempts: BlockAttempt[]): Promise<void>
  /** In the caller's transaction; false if the job no longer belongs to this attempt. */
  finish(trx: Trx, attempt: BlockAttempt): Promise<boolean>
  /** In the caller's transaction; unknown or finished jobs are ignored. */
  cancel(trx: Trx, ids: string[]): Promise<void>
  /** Returns the job for another attempt. */
  requeue(attempt: BlockAttempt, reason: string): Promise<void>
}

/** `isSoleOwner`: no other process uses this database, so active jobs were left by a dead one. */
export async function openBlockQueue(boss: PgBoss, isSoleOwner: boolean): Promise<BlockQueue> {
  const queues: Record<Lane, LeasedQueue> = {
    small: await openLeasedQueue(boss, { name: lanes.small, isSoleOwner }),
    large: await openLeasedQueue(boss, { name: lanes.large, isSoleOwner }),
    pose: await openLeasedQueue(boss, { name: lanes.pose, isSoleOwner }),
  }
  return {
    async add(trx, jobs, reqId) {
      for (const [lane, some] of Map.groupBy(jobs, (job) => job.lane)) {
        await queues[lane].add(trx, some, reqId)
      }
    },
    async fetch(lane, count) {
      const attempts = await queues[lane].fetch(count)
      return attempts.map((attempt) => ({ ...attempt, lane }))
    },
    async heartbeat(attempts) {
      for (const [lane, some] of Map.groupBy(attempts, (attempt) => attempt.lane)) {
        await queues[lane].heartbeat(some)
      }
    },
    finish: (trx, attempt) => queues[attempt.lane].finish(trx, attempt),
    async cancel(trx, ids) {
      for (const queue of Object.values(queues)) await queue.cancel(trx, ids)
    },
    requeue: (attempt, reason) => queues[attempt.lane].requeue(attempt, reason),
  }
}

/** In a query over `blocks`: whether the block has a job that will still run. */
export const hasLiveJob = isLiveJob(Object.values(lanes), sql`blocks.job_id`)

/** In the caller's transaction. A worker that has just taken one of them loses it, unless it has ended the block. */
export async function deleteJobs(trx: Trx, jobIds: string[]): Promise<void> {
  const names = Object.values(lanes)
  await sql`delete from pgboss.job
    where name = any(${names}::text[]) and id = any(${jobIds}::uuid[])`.execute(trx)
}

export async function bringJobsForward(db: Database): Promise<void> {
  for (const name of Object.values(lanes)) await bringForward(db, name)
}
