/**
 * Ends blocks and, with the last one, the order: pairs that were charged but have no number are then refunded, once.
 * Locks are taken in this order: the user's orders, then the row of the order.
 */
import { sql } from 'kysely'
import type { PredictionResult } from '@pkdex/contract'
import { refundCredits } from '#server/credits/service.ts'
import type { BlocksTable, Database, OrdersTable, Trx } from '#server/platform/db/schema.ts'
import { holdLock, inTransaction } from '#server/platform/db/transaction.ts'
import { keepUncharged, type OrderRecord, returnPayment } from './refund.ts'
import { storeMeasured } from './measured-numbers.ts'
import { keepReading, type PairKey } from './readings.ts'
import { type BlockAttempt, type BlockQueue, bringJobsForward, hasLiveJob } from './queue.ts'
import { cancelRun, startRun } from './structure-runs.ts'
import type { SeenWaiting } from './seen-waiting.ts'
import type { Signals } from '#server/platform/jobs/signals.ts'

const SWEEP_BLOCKS_MAX = 100
/** A single prediction that the sweeping process has seen waiting for this long fails, whatever the state of its job. */
const SINGLE_MS_MAX = 3_600_000

const failureMessages = (pairs: number) => ({
  single: 'Prediction failed because of a server error. Your credits were refunded.',
  many: `${pairs.toLocaleString('en')} pairs could not be predicted because of a server error. Their credits were refunded.`,
})
const cancelMessage = 'Cancelled. Credits for pairs not predicted were refunded.'

export type SettleDependencies = {
  db: Database
  queue: BlockQueue
  now: () => Date
  seenWaiting: SeenWaiting
  /** Announces queued work and changed orders to all processes. */
  signals: Pick<Signals, 'tell'>
}
type Dependencies = Omit<SettleDependencies, 'seenWaiting'>

/** A worker's result for a block; `reading` for a single prediction. */
export type BlockResult = {
  cells: Buffer
  /** Pairs that were tried but have no number, and pairs that now have one. */
  failed: number
  predicted: number
  modelVersion: string
  reading?: { key: PairKey; result: PredictionResult }
}

/** Cancels its jobs, including those of its poses. An order that has ended stays unchanged. */
export function cancelOrder(
  dependencies: Dependencies,
  { userId, id }: { userId: string; id: string },
): Promise<void> {
  return inTransaction(dependencies.db, async (trx) => {
    await holdOrders(trx, userId)
    await cancelRun(trx, dependencies.queue, { id, userId })
    const order = await lockOpen(trx, id)
    if (order === null || order.user_id !== userId) return
    const waiting = await endWaitingBlocks(trx, id, 'CANCELLED')
    await dependencies.queue.cancel(trx, waiting)
    await end(dependencies, trx, order, { status: 'CANCELLED', message: cancelMessage })
  })
}

/** Stores the predictions and completes the job; does neither if another attempt has taken the job. */
export function finishBlock(
  dependencies: Dependencies,
  attempt: BlockAttempt,
  { cells, failed, predicted, modelVersion, reading }: BlockResult,
): Promise<void> {
  return inTransaction(dependencies.db, async (trx) => {
    const order = await lockOrderOf(trx, attempt.id)
    if (!(await dependencies.queue.finish(trx, attempt)) || order === null) return
    if (failed > 0) await keepUncharged(trx, attempt.id, cells)
    await settleBlock(dependencies, trx, order, {
      jobId: attempt.id,
      change: { status: 'DONE', cells, predicted, model_version: modelVersion },
      failed,
    })
    // The model may have been replaced while it waited.
    if (modelVersion !== order.model_version) await labelOrder(trx, order.id)
    if (reading === undefined) return
    const { user_id: userId } = order
    const at = dependencies.now()
    await keepReading(trx, { userId, key: reading.key, result: reading.result, at })
  })
}

/** Names the versions of all its numbers. */
async function labelOrder(trx: Trx, id: string): Promise<void> {
  const versions = sql<string>`(select string_agg(distinct model_version, ', ') from blocks
    where order_id = ${id} and cells is not null)`
  await trx.updateTable('orders').set({ model_version: versions }).where('id', '=', id).execute()
}

/** Fails blocks whose job is gone, and single predictions that have waited too long; returns the ids of their orders. */
export async function failAbandoned(dependencies: SettleDependencies): Promise<string[]> {
  const { db, queue } = dependencies
  await bringJobsForward(db)
  const abandoned = await findAbandoned(dependencies)
  const failed: string[] = []
  for (const { jobId, orderId } of abandoned) {
    await inTransaction(db, async (trx) => {
      const order = await lockOrderOf(trx, jobId)
      if (order === null) return
      await queue.cancel(trx, [jobId])
      const change = { status: 'FAILED' as const }
      const isSettled = await settleBlock(dependencies, trx, order, { jobId, change })
      if (isSettled) failed.push(orderId)
    })
  }
  return failed
}

async function findAbandoned({ db, seenWaiting }: SettleDependencies) {
  const waiting = await db
    .selectFrom('blocks')
    .innerJoin('orders', 'orders.id', 'blocks.order_id')
    .select(['order_id as orderId', 'job_id as jobId', 'kind', hasLiveJob.as('isQueued')])
    .where('blocks.status', '=', 'WAITING')
    .where((where) => where.or([where('kind', '=', 'single'), where.not(hasLiveJob)]))
    .execute()
  const singles = waiting.filter(({ kind }) => kind === 'single').map(({ jobId }) => jobId)
  const overdue = new Set(seenWaiting.seenFor(SINGLE_MS_MAX, singles))
  return waiting
    .filter(({ jobId, isQueued }) => !isQueued || overdue.has(jobId))
    .slice(0, SWEEP_BLOCKS_MAX)
}

/** Ends a waiting block, counts its pairs, and ends the order with its last block. The order is locked. */
async function settleBlock(
  dependencies: Dependencies,
  trx: Trx,
  order: OrderRecord,
  settled: {
    jobId: string
    change: Partial<Pick<BlocksTable, 'cells' | 'model_version'>> & {
      status: BlocksTable['status']
      predicted?: number
    }
    failed?: number
  },
): Promise<boolean> {
  const { jobId, change } = settled
  const block = await trx
    .updateTable('blocks')
    .set({ ...change, done_after: sql`${order.done}::int + usable * ${order.targets}::int` })
    .where('job_id', '=', jobId)
    .where('status', '=', 'WAITING')
    .returning(['usable', 'done_after'])
    .executeTakeFirst()
  if (block === undefined) return false
  await dependencies.signals.tell(trx, order.id)
  const done = block.done_after ?? order.done
  const failed = order.failed + (settled.failed ?? block.usable * order.targets)
  const counted = { ...order, done, failed, started_at: order.started_at ?? dependencies.now() }
  if (order.kind === 'measurement') await settleMeasured(trx, counted, jobId)
  else if (done === order.total) {
    await endWhole(dependencies, trx, counted)
    if (order.kind === 'screen') await startRun(dependencies, trx, order.id)
  } else await update(trx, counted, { status: 'RUNNING' })
  return true
}

/** Nothing is refunded, because measurements are free. */
async function settleMeasured(trx: Trx, order: OrderRecord, jobId: string): Promise<void> {
  await storeMeasured(trx, order, jobId)
  if (order.done < order.total) await update(trx, order, { status: 'RUNNING' })
  else await trx.deleteFrom('orders').where('id', '=', order.id).execute()
}

/** After its last block. */
async function endWhole(dependencies: Dependencies, trx: Trx, order: OrderRecord): Promise<void> {
  if (order.failed === 0) {
    await update(trx, order, { status: 'DONE', finished_at: dependencies.now() })
    return
  }
  await end(dependencies, trx, order, {})
}

/** `status` and `message` default to what follows from the numbers. */
async function end(
  { now }: Pick<Dependencies, 'now'>,
  trx: Trx,
  order: OrderRecord,
  said: { status?: OrdersTable['status']; message?: string },
): Promise<void> {
  const { missing, numbers, returned, refunded } = await returnPayment(trx, order)
  const messages = failureMessages(missing)
  const failure = order.kind === 'single' ? messages.single : messages.many
  const message = said.message ?? (missing > 0 ? failure : null)
  const all = [order.message, message].filter((one) => one !== null)
  const amount = toCredits(returned * order.credits_per_pair)
  await update(trx, order, {
    status: said.status ?? (numbers === 0 ? 'FAILED' : 'DONE'),
    message: all.length === 0 ? null : all.join(' '),
    credits_charged: sql`credits_charged - ${amount}::numeric`,
    finished_at: now(),
  })
  const refund = toCredits(refunded * order.credits_per_pair)
  if (refund === 0) return
  const { user_id: userId, id: taskId, kind } = order
  await refundCredits(trx, { userId, amount: refund, taskId, reason: refundReason(kind) })
}

function update(trx: Trx, { id, done, failed, started_at }: OrderRecord, change: object) {
  return trx
    .updateTable('orders')
    .set({ done, failed, started_at, ...change })
    .where('id', '=', id)
    .execute()
}

export function chargeReason(kind: OrdersTable['kind']): 'prediction' | 'screen' {
  return kind === 'single' ? 'prediction' : 'screen'
}

function refundReason(kind: OrdersTable['kind']): 'refund' | 'screen refund' {
  return kind === 'single' ? 'refund' : 'screen refund'
}

/** The ledger keeps three decimals. */
export function toCredits(amount: number): number {
  return Math.round(amount * 1000) / 1000
}

/**
 * In the caller's transaction, under the lock of the user's orders: ends these orders as failed and refunds them; returns
 * how many were open.
 */
export async function failOrders(
  dependencies: Pick<Dependencies, 'now'>,
  trx: Trx,
  ids: string[],
  message: string,
): Promise<number> {
  let ended = 0
  for (const id of ids) {
    const order = await lockOpen(trx, id)
    if (order === null) continue
    await endWaitingBlocks(trx, id, 'FAILED')
    const counted = { ...order, done: order.total, failed: order.failed + order.total - order.done }
    await end(dependencies, trx, counted, { status: 'FAILED', message })
    ended += 1
  }
  return ended
}

async function endWaitingBlocks(
  trx: Trx,
  orderId: string,
  status: 'CANCELLED' | 'FAILED',
): Promise<string[]> {
  const waiting = await trx
    .updateTable('blocks')
    .set({ status })
    .where('order_id', '=', orderId)
    .where('status', '=', 'WAITING')
    .returning('job_id')
    .execute()
  return waiting.map(({ job_id }) => job_id)
}

/** In the caller's transaction. Everything that changes a user's orders waits for this lock, so no pair is charged twice. */
export function holdOrders(trx: Trx, userId: string): Promise<void> {
  return holdLock(trx, 'predictionRequests', userId)
}

/** Null if it has ended. */
async function lockOpen(trx: Trx, id: string): Promise<OrderRecord | null> {
  const order = await trx
    .selectFrom('orders')
    .selectAll()
    .where('id', '=', id)
    .where('status', 'in', ['QUEUED', 'RUNNING'])
    .forUpdate()
    .executeTakeFirst()
  return order ?? null
}

async function lockOrderOf(trx: Trx, jobId: string): Promise<OrderRecord | null> {
  const block = await trx
    .selectFrom('blocks')
    .select(['order_id', 'user_id'])
    .where('job_id', '=', jobId)
    .executeTakeFirst()
  if (block === undefined) return null
  await holdOrders(trx, block.user_id)
  return lockOpen(trx, block.order_id)
}
