/**
 * Predicts one pair, given by name. The answer is a number if it is known or ready in time, otherwise a task: an order of
 * one pair.
 */
import type { PredictAnswer, PredictionResult, Task } from '@pkdex/contract'
import { sql } from 'kysely'
import { readBalance } from '#server/credits/service.ts'
import { expectCompound, expectTarget } from '#server/files/service.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Database, Trx } from '#server/platform/db/schema.ts'
import { inTransaction } from '#server/platform/db/transaction.ts'
import { isUuid } from '#server/platform/db/values.ts'
import type { BestEstimates } from './best-estimates.ts'
import type { FinishedTasks } from './finished-tasks.ts'
import { type OrderDependencies, placeOrder } from './order.ts'
import { compoundKeyOf, flatKeyOf, sequenceKey } from './pair-key.ts'
import type { Plan } from './plan.ts'
import { isBeingPlaced } from './pose-shifts.ts'
import { findReading, type PairKey } from './readings.ts'
import { holdOrders } from './settle.ts'
import { expectRoomInQueue, type WaitingMax } from './waiting.ts'

export type PredictionDependencies = OrderDependencies & {
  finishedTasks: Pick<FinishedTasks, 'wait'>
  waitingMax: WaitingMax
  best: BestEstimates
  now: () => Date
  /** Monotonic clock in ms; a wall clock set back by a day would block callers for a day. */
  elapsedMs: () => number
  answerMs: number
  /** Polling interval, in case the end of a task is not announced. */
  lookMs: number
}

type RequestByName = {
  userId: string
  targetName: string
  compoundName: string
  arrivedAt: Date
  reqId: string
  /** Wants the task at once instead of waiting for its number. */
  isInHurry?: boolean
}

/** Longest time from a request to its answer: under a second. */
export const ANSWER_MS = 900

export async function askForPrediction(
  dependencies: PredictionDependencies,
  request: RequestByName,
): Promise<PredictAnswer> {
  const wanted = await findPair(dependencies, request)
  const answer = await answerPair(dependencies, request, wanted)
  if (!('result' in answer) || answer.result === undefined) return answer
  const { userId, smiles, plan } = wanted
  const [target] = plan.targets
  if (target === undefined) return answer
  const complete = (result: PredictionResult) =>
    dependencies.best.complete({ userId, target, smiles }, result)
  const result = await complete(answer.result)
  const isPlaced = result.best_estimate?.pose !== undefined || result.is_being_placed === true
  if (isPlaced || !(await dependencies.store.placeLate(userId, wanted.key))) {
    return { ...answer, result }
  }
  dependencies.wakeWorker()
  return { ...answer, result: await complete(answer.result) }
}

async function answerPair(
  dependencies: PredictionDependencies,
  request: RequestByName,
  wanted: WantedPair,
): Promise<PredictAnswer> {
  const known = await findKnown(dependencies.db, dependencies, request, wanted)
  if (known !== null) return toAnswer(known, 0)
  const decided = await joinOrOrder(dependencies, request, wanted)
  if ('result' in decided) return toAnswer(decided.result, 0)
  dependencies.wakeWorker('small')
  return answerInTime(dependencies, request, { ...decided, key: wanted.key })
}

/** A compound of the user's library and the chosen chain of a target. */
export type WantedPair = {
  userId: string
  targetId: string
  compoundId: string
  chain: string
  smiles: string
  key: PairKey
  /** Without stereochemistry: by which it is paid for. */
  paidKey: PairKey
  plan: Plan
}

async function findPair(
  { db }: Pick<PredictionDependencies, 'db'>,
  { userId, targetName, compoundName }: RequestByName,
): Promise<WantedPair> {
  return toWanted(userId, await findBoth(db, { userId, targetName, compoundName }))
}

type Both = Awaited<ReturnType<typeof findBoth>>

/** A target and a compound of this user, by name. */
export async function findBoth(
  db: Database,
  names: { userId: string; targetName: string; compoundName: string },
) {
  const { userId, targetName, compoundName } = names
  const target = await expectTarget(db, userId, targetName)
  const compound = await expectCompound(db, userId, compoundName)
  return { target, compound }
}

export function toWanted(userId: string, { target, compound }: Both): WantedPair {
  const { chain } = target
  const segments = target.segments[chain] ?? []
  const { smiles, standard_smiles: standard } = compound
  const key = { sequence: sequenceKey(segments), compound: compoundKeyOf(compound.content_hash) }
  const paidKey = { ...key, compound: flatKeyOf(compound) }
  const plan = {
    targets: [{ name: target.name, chain, segments, key: key.sequence }],
    rows: [{ name: compound.name, smiles, standard, reason: null }],
    keys: [paidKey.compound.toString('latin1')],
    unusable: [],
    total: 1,
  }
  const ids = { targetId: target.id, compoundId: compound.id }
  return { userId, ...ids, chain, smiles: standard, key, paidKey, plan }
}

/** A result from before the request. */
async function findKnown(
  db: Database,
  { modelVersion }: Pick<PredictionDependencies, 'modelVersion'>,
  { arrivedAt }: Pick<RequestByName, 'arrivedAt'>,
  { userId, key }: WantedPair,
): Promise<PredictionResult | null> {
  const reading = await findReading(db, { userId, key, modelVersion })
  return reading !== null && reading.predictedAt <= arrivedAt ? reading.result : null
}

type TaskReceipt = { taskId: string; creditsCharged: number }

/** Requests for one pair that arrive this close after its first one count as simultaneous. */
const SIMULTANEOUS_MS = 500

/** A number predicted meanwhile, the task in progress, or a new task, paid for and queued. */
async function joinOrOrder(
  dependencies: PredictionDependencies,
  request: RequestByName,
  wanted: WantedPair,
): Promise<{ result: PredictionResult } | TaskReceipt> {
  const { db, creditsPerPrediction, waitingMax } = dependencies
  return inTransaction(db, async (trx) => {
    await holdOrders(trx, wanted.userId)
    if (!(await isThere(trx, wanted))) {
      throw new AppError('not_found', 'This target or compound was deleted.')
    }
    const result = await findKnown(trx, dependencies, request, wanted)
    if (result !== null) return { result }
    const same = await findSameTask(trx, dependencies, wanted)
    if (same !== null) {
      const age = request.arrivedAt.getTime() - same.createdAt.getTime()
      // Of several simultaneous requests only one pays, but only those that could pay are served.
      const mustAfford = age <= SIMULTANEOUS_MS
      if (mustAfford && (await readBalance(trx, wanted.userId)) < creditsPerPrediction) {
        throw outOfCredits()
      }
      return { taskId: same.id, creditsCharged: 0 }
    }
    await expectRoomInQueue(trx, wanted.userId, waitingMax)
    const { userId, plan, targetId, compoundId } = wanted
    const { id, creditsCharged } = await placeOrder(dependencies, trx, {
      userId,
      kind: 'single',
      idempotencyKey: null,
      requestHash: null,
      reqId: request.reqId,
      plan,
      of: { targetId, compoundId },
    })
    return { taskId: id, creditsCharged }
  })
}

function outOfCredits(): AppError {
  return new AppError('out_of_credits', 'Not enough credits. Ask your administrator for more.')
}

/** In the caller's transaction, under the lock of the user's orders: false if target or compound was deleted. */
async function isThere(trx: Trx, { targetId, compoundId }: WantedPair): Promise<boolean> {
  const { rows } = await sql`select from targets, compounds
    where targets.id = ${targetId} and compounds.id = ${compoundId}`.execute(trx)
  return rows.length > 0
}

/** The latest task of the same pair that has not failed, even if its target and compound had other names. */
async function findSameTask(
  trx: Trx,
  { modelVersion }: Pick<PredictionDependencies, 'modelVersion'>,
  { userId, key }: WantedPair,
): Promise<{ id: string; createdAt: Date } | null> {
  const same = await trx
    .selectFrom('order_rows')
    .innerJoin('orders', 'orders.number', 'order_rows.order_number')
    .innerJoin('order_targets', 'order_targets.order_id', 'orders.id')
    .select(['orders.id', 'orders.created_at as createdAt'])
    .where('order_rows.compound_key', '=', key.compound)
    .where('order_rows.row', '=', 0)
    .where('order_targets.key', '=', key.sequence)
    .where('orders.user_id', '=', userId)
    .where('orders.kind', '=', 'single')
    .where('orders.status', 'in', ['QUEUED', 'RUNNING', 'DONE'])
    // A waiting task will be predicted by the current model, whatever model it was ordered from.
    .where((where) =>
      where.or([
        where('orders.status', '<>', 'DONE'),
        where('orders.model_version', '=', modelVersion),
      ]),
    )
    .orderBy('orders.created_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return same ?? null
}

async function answerInTime(
  dependencies: PredictionDependencies,
  request: RequestByName,
  { taskId, creditsCharged, key }: TaskReceipt & { key: PairKey },
): Promise<PredictAnswer> {
  const until = dependencies.elapsedMs() + (request.isInHurry ? 0 : dependencies.answerMs)
  for (;;) {
    const left = until - dependencies.elapsedMs()
    // Listens before reading, so that a task that ends in between is not missed.
    const waitMs = Math.max(0, Math.min(left, dependencies.lookMs))
    const ended = dependencies.finishedTasks.wait(taskId, waitMs)
    const task = await findTask(dependencies.db, request.userId, taskId)
    if (task?.status === 'SUCCESS' && task.result !== null) {
      // The pose takes another tenth of a second: better one number than two.
      const isComplete =
        left <= 0 || !(await isBeingPlaced(dependencies.db, { userId: request.userId, ...key }))
      if (isComplete) return toAnswer(task.result, creditsCharged)
    }
    if (task?.status === 'FAILURE' || left <= 0) {
      return { task_id: taskId, credits_charged: creditsCharged }
    }
    await ended
  }
}

function toAnswer(result: PredictionResult, creditsCharged: number): PredictAnswer {
  return { predicted_kd: result.predicted_kd, result, credits_charged: creditsCharged }
}

async function findTask(db: Database, userId: string, taskId: string) {
  const task = await db
    .selectFrom('tasks')
    .leftJoin('compounds', 'compounds.id', 'tasks.compound_id')
    .leftJoin('targets', 'targets.id', 'tasks.target_id')
    .select(['status', 'result', 'message', 'credits_charged as creditsCharged'])
    .select(['targets.name', 'segments', 'target_chain as chain', 'standard_smiles as smiles'])
    .where('tasks.id', '=', taskId)
    .where('tasks.user_id', '=', userId)
    .executeTakeFirst()
  return task ?? null
}

export async function readTask(
  { db, best }: Pick<PredictionDependencies, 'db' | 'best'>,
  { userId, taskId }: { userId: string; taskId: string },
): Promise<Task> {
  const task = isUuid(taskId) ? await findTask(db, userId, taskId) : null
  if (task === null) throw new AppError('not_found', 'Prediction not found.')
  const { status, message, name, segments, chain, smiles, creditsCharged } = task
  const target = name && segments && { name, chain, key: sequenceKey(segments[chain] ?? []) }
  const result =
    task.result && target && smiles !== null
      ? await best.complete({ userId, target, smiles }, task.result)
      : task.result
  return { status, result, message, credits_charged: creditsCharged }
}
