/**
 * Ends blocks and, with the last of them, the screen: what has no number then is refunded, once. Whoever
 * changes a screen holds its row first.
 */
import { sql } from 'kysely'
import { refundCredits } from '#server/credits/service.ts'
import type { Database, ScreensTable, Trx } from '#server/platform/db/schema.ts'
import { inTransaction } from '#server/platform/db/transaction.ts'
import { bringForward } from '#server/platform/jobs/clock-set-back.ts'
import { type Attempt, isLiveJob, type LeasedQueue } from '#server/platform/jobs/leased-queue.ts'

export const QUEUE_NAME = 'screen-block'
const SWEEP_BLOCKS_MAX = 100

const failureMessage = (pairs: number) =>
  `${pairs.toLocaleString('en')} pairs could not be predicted on our side; what they cost was returned.`
const cancelMessage = 'Cancelled. What was not predicted was refunded.'

export type SettleDependencies = { db: Database; queue: LeasedQueue; now: () => Date }
type Dependencies = SettleDependencies

type ScreenRecord = Omit<ScreensTable, 'id'> & { id: string }

/** Takes the jobs back. A screen that has ended stays as it is. */
export function cancelScreen(
  dependencies: Dependencies,
  { userId, id }: { userId: string; id: string },
): Promise<void> {
  return inTransaction(dependencies.db, async (trx) => {
    const screen = await lockOpen(trx, id)
    if (screen === null || screen.user_id !== userId) return
    const waiting = await trx
      .updateTable('screen_blocks')
      .set({ status: 'CANCELLED' })
      .where('screen_id', '=', id)
      .where('status', '=', 'WAITING')
      .returning('job_id')
      .execute()
    const jobIds = waiting.map(({ job_id }) => job_id)
    await dependencies.queue.cancel(trx, jobIds)
    await end(dependencies, trx, screen, { status: 'CANCELLED', message: cancelMessage })
  })
}

/** Stores what was predicted and completes the job; neither where another attempt has the job by now. */
export function finishBlock(
  dependencies: Dependencies,
  attempt: Attempt,
  { cells, failed }: { cells: Buffer; failed: number },
): Promise<void> {
  return inTransaction(dependencies.db, async (trx) => {
    const screen = await lockScreenOf(trx, attempt.id)
    if (!(await dependencies.queue.finish(trx, attempt)) || screen === null) return
    await settleBlock(dependencies, trx, screen, {
      jobId: attempt.id,
      change: { status: 'DONE', cells, predicted: sql<number>`greatest(paid - ${failed}::int, 0)` },
    })
  })
}

/** Ends blocks whose job is gone; answers their screens. */
export async function failAbandoned(dependencies: Dependencies): Promise<string[]> {
  const { db } = dependencies
  await bringForward(db, QUEUE_NAME)
  const abandoned = await db
    .selectFrom('screen_blocks')
    .select(['screen_id', 'job_id'])
    .where('status', '=', 'WAITING')
    .where((where) => where.not(isLiveJob(QUEUE_NAME, sql`screen_blocks.job_id`)))
    .limit(SWEEP_BLOCKS_MAX)
    .execute()
  for (const { job_id } of abandoned) {
    await inTransaction(db, async (trx) => {
      const screen = await lockScreenOf(trx, job_id)
      if (screen === null) return
      const change = { status: 'FAILED' as const }
      await settleBlock(dependencies, trx, screen, { jobId: job_id, change })
    })
  }
  return abandoned.map(({ screen_id }) => screen_id)
}

/** Ends a block that waits, counts its pairs, and ends the screen with its last block. The screen is locked. */
async function settleBlock(
  dependencies: Dependencies,
  trx: Trx,
  screen: ScreenRecord,
  { jobId, change }: { jobId: string; change: object },
): Promise<void> {
  const { targets } = await trx
    .selectFrom('screen_targets')
    .select(({ fn }) => fn.countAll<number>().as('targets'))
    .where('screen_id', '=', screen.id)
    .executeTakeFirstOrThrow()
  const settled = await trx
    .updateTable('screen_blocks')
    .set({ ...change, done_after: sql`${screen.done}::int + usable * ${targets}::int` })
    .where('job_id', '=', jobId)
    .where('status', '=', 'WAITING')
    .returning('done_after')
    .executeTakeFirst()
  if (settled === undefined) return
  await trx
    .updateTable('screens')
    .set({
      status: 'RUNNING',
      done: settled.done_after ?? screen.done,
      started_at: screen.started_at ?? dependencies.now(),
    })
    .where('id', '=', screen.id)
    .execute()
  if (await isWaiting(trx, screen.id)) return
  const missing = screen.paid - (await countPredicted(trx, screen.id))
  const isNothing = missing > 0 && missing === screen.total
  await end(dependencies, trx, screen, {
    status: isNothing ? 'FAILED' : 'DONE',
    message: missing > 0 ? failureMessage(missing) : null,
  })
}

async function end(
  { now }: Dependencies,
  trx: Trx,
  screen: ScreenRecord,
  { status, message }: { status: ScreensTable['status']; message: string | null },
): Promise<void> {
  const missing = screen.paid - (await countPredicted(trx, screen.id))
  const refund = toCredits(missing * screen.credits_per_pair)
  const messages = [screen.message, message].filter((one) => one !== null)
  await trx
    .updateTable('screens')
    .set({
      status,
      credits_charged: sql`credits_charged - ${refund}::numeric`,
      message: messages.length === 0 ? null : messages.join(' '),
      finished_at: now(),
    })
    .where('id', '=', screen.id)
    .execute()
  if (refund === 0) return
  const { user_id: userId, id: taskId } = screen
  await refundCredits(trx, { userId, amount: refund, taskId, reason: 'screen refund' })
}

/** The ledger keeps three decimals. */
export function toCredits(amount: number): number {
  return Math.round(amount * 1000) / 1000
}

async function isWaiting(trx: Trx, screenId: string): Promise<boolean> {
  const waiting = await trx
    .selectFrom('screen_blocks')
    .select('block')
    .where('screen_id', '=', screenId)
    .where('status', '=', 'WAITING')
    .limit(1)
    .executeTakeFirst()
  return waiting !== undefined
}

async function countPredicted(trx: Trx, screenId: string): Promise<number> {
  const { predicted } = await trx
    .selectFrom('screen_blocks')
    .select(sql<number>`coalesce(sum(predicted), 0)`.as('predicted'))
    .where('screen_id', '=', screenId)
    .executeTakeFirstOrThrow()
  return predicted
}

/** Null where it has ended. */
async function lockOpen(trx: Trx, id: string): Promise<ScreenRecord | null> {
  const screen = await trx
    .selectFrom('screens')
    .selectAll()
    .where('id', '=', id)
    .where('status', 'in', ['QUEUED', 'RUNNING'])
    .forUpdate()
    .executeTakeFirst()
  return screen ?? null
}

async function lockScreenOf(trx: Trx, jobId: string): Promise<ScreenRecord | null> {
  const block = await trx
    .selectFrom('screen_blocks')
    .select('screen_id')
    .where('job_id', '=', jobId)
    .executeTakeFirst()
  return block === undefined ? null : lockOpen(trx, block.screen_id)
}
