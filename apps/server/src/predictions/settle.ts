/**
 * Ends blocks and, with the last one, the order: pairs that were charged but have no number are then refunded, once.
 * Locks are taken in this order: the user's orders, then the row of the order.
 */
import { sql } from 'kysely'
import type { PredictionResult } from '@pkdex/contract'
import { noteFinished } from '#server/comments/service.ts'
import { refundCredits } from '#server/credits/service.ts'
import type { Database, Tables, Trx } from '#server/platform/db/schema.ts'
import { holdLock, inTransaction } from '#server/platform/db/transaction.ts'
import {
  countNumbers,
  type OrderRecord,
  passOn,
  type PredictedPair,
  storeNumbers,
} from './order-numbers.ts'
import { fromStored, withNumberOf } from './pair-number.ts'
import { storeMeasured } from './measured-numbers.ts'
import { keepReading, type PairKey } from './readings.ts'
import { type BlockAttempt, type BlockQueue, bringJobsForward, hasLiveJob } from './queue.ts'
import { cancelPoses, type PlacedRow, queueRest, settlePoses, startPoses } from './pose-blocks.ts'
import type { SeenWaiting } from './seen-waiting.ts'
import type { Signals } from '#server/platform/jobs/signals.ts'
import { round } from '#server/platform/round.ts'

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
  pairs: PredictedPair[]
  /** Pairs that were tried but have no number. */
  failed: number
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
    await cancelPoses(trx, dependencies.queue, { id, userId })
    const order = await lockOpen(trx, id)
    if (order === null || order.user_id !== userId) return
    const waiting = await endWaitingBlocks(trx, order, 'CANCELLED')
    await dependencies.queue.cancel(trx, waiting)
    await end(dependencies, trx, order, { status: 'CANCELLED', message: cancelMessage })
  })
}

/** Stores the predictions and completes the job; does neither if another attempt has taken the job. */
export function finishBlock(
  dependencies: Dependencies,
  attempt: BlockAttempt,
  { pairs, failed, modelVersion, reading }: BlockResult,
): Promise<void> {
  return inTransaction(dependencies.db, async (trx) => {
    const order = await lockOrderOf(trx, attempt.id)
    if (!(await dependencies.queue.finish(trx, attempt)) || order === null) return
    if (order.kind === 'single') await dropOtherVersion(trx, order, modelVersion)
    await storeNumbers(trx, order, { pairs, modelVersion })
    if (failed > 0) await passOn(trx, order, [attempt.id])
    await settleBlock(dependencies, trx, order, {
      jobId: attempt.id,
      status: 'DONE',
      predicted: pairs.length,
      failed,
    })
    // The model may have been replaced while it waited.
    if (modelVersion !== order.model_version) await labelOrder(trx, order.id)
    if (reading === undefined) return
    const { user_id: userId } = order
    const result = await withStoredNumber(trx, order, reading.result)
    await keepReading(trx, { userId, key: reading.key, result, at: dependencies.now() })
  })
}

/** Stores the poses of a block, or of its first rows, and completes the job; `rows` null: they could not be computed. */
export function finishPoses(
  { db, queue, signals }: Pick<Dependencies, 'db' | 'queue' | 'signals'>,
  attempt: BlockAttempt,
  rows: PlacedRow[] | null,
): Promise<void> {
  return inTransaction(db, async (trx) => {
    const orderId = await holdOrdersOf(trx, attempt.id)
    if (!(await queue.finish(trx, attempt)) || orderId === null) return
    if (rows !== null) await queueRest(trx, queue, attempt.id, rows.length)
    await settlePoses(trx, attempt.id, rows)
    await signals.tell(trx, orderId)
  })
}

/** Names the versions of all its numbers. */
async function labelOrder(trx: Trx, id: string): Promise<void> {
  const versions = sql<string>`coalesce((select string_agg(distinct model_version, ', ') from pairs
    where order_number = number), model_version)`
  await trx.updateTable('orders').set({ model_version: versions }).where('id', '=', id).execute()
}

/** The full result of a single prediction has the version of its number: a known number of another model is replaced. */
async function dropOtherVersion(
  trx: Trx,
  { number }: OrderRecord,
  modelVersion: string,
): Promise<void> {
  await trx
    .deleteFrom('pairs')
    .where('order_number', '=', number)
    .where('model_version', '<>', modelVersion)
    .where('is_payer', '=', false)
    .execute()
}

/** A number that was known before is kept. */
async function withStoredNumber(
  trx: Trx,
  { number }: OrderRecord,
  result: PredictionResult,
): Promise<PredictionResult> {
  const stored = await trx
    .selectFrom('pairs')
    .selectAll()
    .where('order_number', '=', number)
    .where('model_version', '=', result.model_version)
    .executeTakeFirst()
  return stored === undefined ? result : withNumberOf(fromStored(stored), result)
}

/** Fails blocks whose job is gone, and single predictions that have waited too long; returns the ids of their orders. */
export async function failAbandoned(dependencies: SettleDependencies): Promise<string[]> {
  const { db, queue } = dependencies
  await bringJobsForward(db)
  const abandoned = await findAbandoned(dependencies)
  const failed: string[] = []
  for (const { jobId, orderId, lane } of abandoned) {
    await inTransaction(db, async (trx) => {
      if (lane === 'pose') {
        await holdOrdersOf(trx, jobId)
        await settlePoses(trx, jobId, null)
        failed.push(orderId)
        return
      }
      const order = await lockOrderOf(trx, jobId)
      if (order === null) return
      await queue.cancel(trx, [jobId])
      await passOn(trx, order, [jobId])
      const isSettled = await settleBlock(dependencies, trx, order, { jobId, status: 'FAILED' })
      if (isSettled) failed.push(orderId)
    })
  }
  return failed
}

async function findAbandoned({ db, seenWaiting }: SettleDependencies) {
  const waiting = await db
    .selectFrom('blocks')
    .innerJoin('orders', 'orders.id', 'blocks.order_id')
    .select(['order_id as orderId', 'job_id as jobId', 'kind', 'lane'])
    .select(hasLiveJob.as('isQueued'))
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
    status: Tables['blocks']['status']
    predicted?: number
    failed?: number
  },
): Promise<boolean> {
  const { jobId, status, predicted = 0 } = settled
  const block = await trx
    .updateTable('blocks')
    .set({
      status,
      predicted,
      done_after: sql`${order.done}::int + usable * ${order.targets}::int`,
    })
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
    await startPoses(dependencies, trx, order.id)
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
  if (order.kind === 'screen') await noteFinished(trx, order.id)
  if (order.failed === 0) {
    await update(trx, order, { status: 'DONE', finished_at: dependencies.now() })
    return
  }
  await end(dependencies, trx, order, {})
}

/** Refunds what it was charged for pairs that it does not pay for now: those without a number. */
async function end(
  { now }: Pick<Dependencies, 'now'>,
  trx: Trx,
  order: OrderRecord,
  ending: { status?: Tables['orders']['status']; message?: string },
): Promise<void> {
  const isWhole = order.failed === 0 && ending.status === undefined
  const { missing, numbers } = isWhole
    ? { missing: 0, numbers: order.total }
    : await countNumbers(trx, order)
  const messages = failureMessages(missing)
  const failure = order.kind === 'single' ? messages.single : messages.many
  const message = ending.message ?? (missing > 0 ? failure : null)
  const all = [order.message, message].filter((one) => one !== null)
  await update(trx, order, {
    status: ending.status ?? (numbers === 0 ? 'FAILED' : 'DONE'),
    message: all.length === 0 ? null : all.join(' '),
    finished_at: now(),
  })
  const amount = await settlePayment(trx, order)
  if (amount === 0) return
  const { user_id: userId, id: taskId, kind } = order
  await refundCredits(trx, { userId, amount, taskId, reason: refundReason(kind) })
}

/** The order keeps the cost of the pairs it pays for; returns the rest. */
async function settlePayment(trx: Trx, { id, number }: OrderRecord): Promise<number> {
  const { rows } = await sql<{ amount: number }>`
    with payers as (select count(*) as pairs from pairs where order_number = ${number} and is_payer),
    rest as (
      select round(case when paid = 0 then credits_charged
        else credits_charged * greatest(paid - pairs, 0) / paid end, 3) as amount, pairs
      from orders, payers where id = ${id})
    update orders set paid = least(paid, rest.pairs), credits_charged = credits_charged - rest.amount
    from rest where id = ${id} returning rest.amount::float8 as amount`.execute(trx)
  return rows[0]?.amount ?? 0
}

function update(trx: Trx, { id, done, failed, started_at }: OrderRecord, change: object) {
  return trx
    .updateTable('orders')
    .set({ done, failed, started_at, ...change })
    .where('id', '=', id)
    .execute()
}

export function chargeReason(kind: Tables['orders']['kind']): 'prediction' | 'screen' {
  return kind === 'single' ? 'prediction' : 'screen'
}

function refundReason(kind: Tables['orders']['kind']): 'refund' | 'screen refund' {
  return kind === 'single' ? 'refund' : 'screen refund'
}

/** The ledger keeps three decimals. */
export function toCredits(amount: number): number {
  return round(amount, 3)
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
    await endWaitingBlocks(trx, order, 'FAILED')
    const counted = { ...order, done: order.total, failed: order.failed + order.total - order.done }
    await end(dependencies, trx, counted, { status: 'FAILED', message })
    ended += 1
  }
  return ended
}

/** Returns their jobs. */
async function endWaitingBlocks(
  trx: Trx,
  order: OrderRecord,
  status: 'CANCELLED' | 'FAILED',
): Promise<string[]> {
  const waiting = await trx
    .selectFrom('blocks')
    .select('job_id')
    .where('order_id', '=', order.id)
    .where('status', '=', 'WAITING')
    .execute()
  const jobs = waiting.map(({ job_id }) => job_id)
  await passOn(trx, order, jobs)
  await trx
    .updateTable('blocks')
    .set({ status })
    .where('order_id', '=', order.id)
    .where('status', '=', 'WAITING')
    .execute()
  return jobs
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
  const orderId = await holdOrdersOf(trx, jobId)
  return orderId === null ? null : lockOpen(trx, orderId)
}

/** The order of the job; null if it was deleted. */
async function holdOrdersOf(trx: Trx, jobId: string): Promise<string | null> {
  const block = await trx
    .selectFrom('blocks')
    .select(['order_id', 'user_id'])
    .where('job_id', '=', jobId)
    .executeTakeFirst()
  if (block === undefined) return null
  await holdOrders(trx, block.user_id)
  return block.order_id
}
