/** Decides what a request for a prediction gets: a number that is known, one that is ready in time, or a task. */
import { randomUUID } from 'node:crypto'
import type { PredictAnswer, PredictionResult, Task } from '@pkdex/contract'
import { readBalance, takeCredits } from '#server/credits/service.ts'
import { findCompound, findTarget } from '#server/files/service.ts'
import { isPairPaid } from '#server/screens/service.ts'
import type { AddOwnValues } from '#server/measurements/service.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Database, Trx } from '#server/platform/db/schema.ts'
import { holdLock, inTransaction } from '#server/platform/db/transaction.ts'
import { isUuid } from '#server/platform/db/values.ts'
import type { FinishedTasks } from './finished-tasks.ts'
import { expectRoomInQueue, type WaitingMax } from './waiting.ts'
import {
  hasPair,
  type OrderedPrediction,
  type PredictionRequest,
  type PredictionStore,
  type SameTask,
  type TaskReceipt,
} from './store.ts'

export type PredictionDependencies = {
  db: Database
  store: PredictionStore
  finishedTasks: FinishedTasks
  creditsPerPrediction: number
  waitingMax: WaitingMax
  /** Version of the model that the workers run. */
  modelVersion: string
  /** Says in an answer what the user's own values make of the number. */
  addOwnValues: AddOwnValues
  /** Tells the worker of this process, if it has one, that there is work. */
  wakeWorker: () => void
  now: () => Date
  /** Milliseconds of a clock that nobody sets: one set back a day would keep a caller for a day. */
  elapsedMs: () => number
  answerMs: number
  /** From one look at a task that nobody has announced the end of to the next. */
  lookMs: number
}

type RequestByName = {
  userId: string
  targetName: string
  compoundName: string
  arrivedAt: Date
  reqId: string
  /** Wants the task rather than to wait for its number. */
  isInHurry?: boolean
}

/** From the arrival of a request to its answer, at most: under a second. */
export const ANSWER_MS = 900

export async function askForPrediction(
  dependencies: PredictionDependencies,
  request: RequestByName,
): Promise<PredictAnswer> {
  const wanted = await findPair(dependencies, request)
  const answer = await answerPair(dependencies, request, wanted)
  if (!('result' in answer) || answer.result === undefined) return answer
  const { userId, targetId, chain, pair } = wanted
  const of = { userId, targetId, chain, smiles: pair.smiles }
  return { ...answer, result: await dependencies.addOwnValues(of, answer.result) }
}

async function answerPair(
  dependencies: PredictionDependencies,
  request: RequestByName,
  wanted: PredictionRequest,
): Promise<PredictAnswer> {
  const before = await dependencies.store.findSameTask(wanted)
  if (before !== null && isKnown(before, wanted)) return toAnswer(before.result, 0)
  const task = await createOrReuseTask(dependencies, { ...wanted, reqId: request.reqId })
  switch (task.kind) {
    case 'known':
      return toAnswer(task.result, 0)
    case 'out of credits':
      throw new AppError(
        'out_of_credits',
        'You do not have enough credits for a prediction. Ask your administrator for more.',
      )
    case 'joined':
      return answerInTime(dependencies, request, { taskId: task.taskId, creditsCharged: 0 })
    case 'paid':
      dependencies.wakeWorker()
      return answerInTime(dependencies, request, task)
  }
}

async function findPair(
  { db, modelVersion }: PredictionDependencies,
  { userId, arrivedAt, targetName, compoundName }: RequestByName,
): Promise<PredictionRequest> {
  const { target, compound } = await findBoth(db, { userId, targetName, compoundName })
  return toRequest({ userId, target, compound, modelVersion, arrivedAt })
}

type Both = Awaited<ReturnType<typeof findBoth>>

/** A target and a compound of this user, by their names. */
export async function findBoth(
  db: Database,
  names: { userId: string; targetName: string; compoundName: string },
) {
  const { userId, targetName, compoundName } = names
  const target = await findTarget(db, userId, targetName)
  if (target === null) {
    throw new AppError('not_found', `You have no target named “${targetName}”.`)
  }
  const compound = await findCompound(db, userId, compoundName)
  if (compound === null) {
    throw new AppError('not_found', `You have no compound named “${compoundName}”.`)
  }
  return { target, compound }
}

export function toRequest(
  one: Both & Pick<PredictionRequest, 'userId' | 'modelVersion' | 'arrivedAt'>,
): PredictionRequest {
  const { target, compound, ...rest } = one
  return {
    ...rest,
    targetId: target.id,
    chain: target.chain,
    compoundId: compound.id,
    pair: { segments: target.segments[target.chain] ?? [], smiles: compound.standard_smiles },
  }
}

/** What a request comes to. */
type TaskDecision =
  /** Predicted before this request arrived. */
  | { kind: 'known'; result: PredictionResult }
  /** Under way already, at no further cost. */
  | { kind: 'joined'; taskId: string }
  | { kind: 'paid'; taskId: string; creditsCharged: number }
  | { kind: 'out of credits' }

/** Requests for one pair that arrive this close after its first one count as simultaneous. */
const SIMULTANEOUS_MS = 500

/** Takes the credit, creates the task and queues its job, or does none of them. */
function createOrReuseTask(
  dependencies: PredictionDependencies,
  request: OrderedPrediction,
): Promise<TaskDecision> {
  return inTransaction(dependencies.db, async (trx) => {
    // So that two for one pair cannot both find it missing.
    await holdLock(trx, 'predictionRequests', request.userId)
    if (!(await hasPair(trx, request))) {
      throw new AppError('not_found', 'This target or compound has just been deleted.')
    }
    const same = await dependencies.store.findSameTask(request, trx)
    if (same === null) return payForTask(dependencies, trx, request)
    if (isKnown(same, request)) return { kind: 'known', result: same.result }
    const age = request.arrivedAt.getTime() - same.createdAt.getTime()
    if (age > SIMULTANEOUS_MS) return { kind: 'joined', taskId: same.id }
    // Of several simultaneous requests only those that could pay are served, although one pays.
    const balance = await readBalance(trx, request.userId)
    if (balance < dependencies.creditsPerPrediction) return { kind: 'out of credits' }
    return { kind: 'joined', taskId: same.id }
  })
}

async function payForTask(
  { store, creditsPerPrediction, waitingMax }: PredictionDependencies,
  trx: Trx,
  request: OrderedPrediction,
): Promise<TaskDecision> {
  await expectRoomInQueue(trx, request.userId, waitingMax)
  const taskId = randomUUID()
  const { userId, modelVersion } = request
  if (await isPairPaid(trx, { userId, modelVersion, ...request.pair })) {
    // Its screen kept the number alone; what the panel shows beside it is predicted again.
    await store.createTask(trx, request, { taskId, creditsCharged: 0 })
    return { kind: 'paid', taskId, creditsCharged: 0 }
  }
  const amount = creditsPerPrediction
  const balance = await takeCredits(trx, { userId, amount, reason: 'prediction', taskId })
  if (balance === null) return { kind: 'out of credits' }
  await store.createTask(trx, request, { taskId, creditsCharged: amount })
  return { kind: 'paid', taskId, creditsCharged: amount }
}

type KnownTask = SameTask & { result: PredictionResult }

/** Its result was there before the request arrived. */
function isKnown(same: SameTask, { arrivedAt }: PredictionRequest): same is KnownTask {
  return same.finishedAt !== null && same.finishedAt <= arrivedAt && same.result !== null
}

async function answerInTime(
  dependencies: PredictionDependencies,
  request: RequestByName,
  { taskId, creditsCharged }: TaskReceipt,
): Promise<PredictAnswer> {
  const until = dependencies.elapsedMs() + (request.isInHurry ? 0 : dependencies.answerMs)
  for (;;) {
    const left = until - dependencies.elapsedMs()
    // Listens before it reads, so that an end in between is not missed.
    const waitMs = Math.max(0, Math.min(left, dependencies.lookMs))
    const ended = dependencies.finishedTasks.wait(taskId, waitMs)
    const task = await dependencies.store.readTask(request.userId, taskId)
    if (task?.status === 'SUCCESS' && task.result !== null) {
      return toAnswer(task.result, creditsCharged)
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

export async function readTask(
  { store, addOwnValues }: Pick<PredictionDependencies, 'store' | 'addOwnValues'>,
  { userId, taskId }: { userId: string; taskId: string },
): Promise<Task> {
  const task = isUuid(taskId) ? await store.readTask(userId, taskId) : null
  if (task === null) throw new AppError('not_found', 'There is no such prediction.')
  const { status, message, targetId, chain, smiles } = task
  const isRefunded = status === 'FAILURE'
  const isKept = targetId !== null && smiles !== null
  const result =
    task.result !== null && isKept
      ? await addOwnValues({ userId, targetId, chain, smiles }, task.result)
      : task.result
  return { status, result, message, credits_charged: isRefunded ? 0 : task.creditsCharged }
}
