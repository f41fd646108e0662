/** Decides what a request for a prediction gets: a number that is known, one that is ready in time, or a task. */
import type { PredictAnswer, PredictionResult, Task } from '@pkdex/contract'
import { findCompound, findTarget } from '#server/files/service.ts'
import { AppError } from '#server/http/app-error.ts'
import type { Database } from '#server/db/schema.ts'
import type { FinishedTasks } from './finished-tasks.ts'
import type { PredictionStore, Wanted } from './store.ts'

export type PredictionParts = {
  db: Database
  store: PredictionStore
  finishedTasks: FinishedTasks
  /** Version of the model that the workers run. */
  modelVersion: string
  /** Tells the worker of this process, if it has one, that there is work. */
  wakeWorker: () => void
  now: () => Date
  answerMs: number
}

type Request = {
  userId: string
  targetName: string
  compoundName: string
  arrivedAt: Date
  /** Wants the task rather than to wait for its number. */
  isInHurry?: boolean
}

/** From the arrival of a request to its answer, at most: under a second. */
export const ANSWER_MS = 900
/** Where the worker is another process, nobody announces the end of a task. */
const LOOK_INTERVAL_MS = 150

export async function askForPrediction(
  parts: PredictionParts,
  request: Request,
): Promise<PredictAnswer> {
  const wanted = await findWanted(parts, request)
  const known = await parts.store.findKnown(wanted)
  if (known !== null) return toAnswer(known, 0)
  const order = await parts.store.order(wanted)
  switch (order.kind) {
    case 'known':
      return toAnswer(order.result, 0)
    case 'out of credits':
      throw new AppError(
        'out_of_credits',
        'You do not have enough credits for a prediction. Ask your administrator for more.',
      )
    case 'joined':
      return answerInTime(parts, request, { taskId: order.taskId, creditsCharged: 0 })
    case 'paid':
      parts.wakeWorker()
      return answerInTime(parts, request, order)
  }
}

async function findWanted(
  { db, modelVersion }: PredictionParts,
  { userId, targetName, compoundName, arrivedAt }: Request,
): Promise<Wanted> {
  const target = await findTarget(db, userId, targetName)
  if (target === null) {
    throw new AppError('not_found', `You have no target named “${targetName}”.`)
  }
  const compound = await findCompound(db, userId, compoundName)
  if (compound === null) {
    throw new AppError('not_found', `You have no compound named “${compoundName}”.`)
  }
  return {
    userId,
    targetId: target.id,
    chain: target.chain,
    compoundId: compound.id,
    modelVersion,
    pair: { segments: target.segments[target.chain] ?? [], smiles: compound.standard_smiles },
    arrivedAt,
  }
}

type Ordered = { taskId: string; creditsCharged: number }

async function answerInTime(
  parts: PredictionParts,
  request: Request,
  { taskId, creditsCharged }: Ordered,
): Promise<PredictAnswer> {
  const until = request.arrivedAt.getTime() + (request.isInHurry ? 0 : parts.answerMs)
  for (;;) {
    const left = until - parts.now().getTime()
    // Listens before it reads, so that an end in between is not missed.
    const waitMs = Math.max(0, Math.min(left, LOOK_INTERVAL_MS))
    const ended = parts.finishedTasks.wait(taskId, waitMs)
    const task = await parts.store.readTask(request.userId, taskId)
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
  { store }: Pick<PredictionParts, 'store'>,
  { userId, taskId }: { userId: string; taskId: string },
): Promise<Task> {
  const task = uuid.test(taskId) ? await store.readTask(userId, taskId) : null
  if (task === null) throw new AppError('not_found', 'There is no such prediction.')
  const { status, result, message } = task
  const isRefunded = status === 'FAILURE'
  return { status, result, message, credits_charged: isRefunded ? 0 : task.creditsCharged }
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/iu
