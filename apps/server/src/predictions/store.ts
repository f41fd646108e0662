/** What the database remembers of predictions. Every method changes all it names, or nothing. */
import { randomUUID } from 'node:crypto'
import type { PredictionResult } from '@pkdex/contract'
import { readBalance, refundCredits, takeCredits } from '#server/credits/service.ts'
import type { Database, TasksTable, Trx } from '#server/db/schema.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { hasLiveJob, holdOrders, type Job, type JobPair, type PredictionQueue } from './queue.ts'

/** What a user asks for: the same target, chain, compound and model version must not cost twice. */
export type Wanted = {
  userId: string
  targetId: string
  chain: string
  compoundId: string
  modelVersion: string
  pair: JobPair
  arrivedAt: Date
}

export type Order =
  /** Predicted before this request arrived. */
  | { kind: 'known'; result: PredictionResult }
  /** Under way already, at no further cost. */
  | { kind: 'joined'; taskId: string }
  | { kind: 'paid'; taskId: string; creditsCharged: number }
  | { kind: 'out of credits' }

export type TaskRecord = {
  status: TasksTable['status']
  result: PredictionResult | null
  message: string | null
  creditsCharged: number
}

export type PredictionStore = ReturnType<typeof openPredictionStore>

/** Requests for one pair that arrive this close after its first one count as simultaneous. */
const SIMULTANEOUS_MS = 500
/** A task that nothing has ended for this long is failed, whatever its job says. */
const TASK_MS_MAX = 3_600_000
const SWEEP_TASKS_MAX = 100

const open = ['PENDING', 'STARTED'] as const
const failureMessage = 'The prediction failed on our side; what it cost was returned.'

type Parts = {
  db: Database
  queue: PredictionQueue
  creditsPerPrediction: number
  now: () => Date
}

export function openPredictionStore(parts: Parts) {
  const { db, now } = parts
  return {
    /** The result of a pair that was predicted already; null without one. */
    async findKnown(wanted: Wanted): Promise<PredictionResult | null> {
      const known = await findSame(db, wanted)
      return known !== null && isKnown(known, wanted) ? known.result : null
    },

    /** Takes the credit, creates the task and queues its job, or does none of them. */
    order: (wanted: Wanted) => inTransaction(db, (trx) => order(parts, trx, wanted)),

    async readTask(userId: string, taskId: string): Promise<TaskRecord | null> {
      const task = await db
        .selectFrom('tasks')
        .select(['status', 'result', 'message', 'credits_charged as creditsCharged'])
        .where('id', '=', taskId)
        .where('user_id', '=', userId)
        .executeTakeFirst()
      return task ?? null
    },

    async markStarted(jobs: Job[]): Promise<void> {
      const ids = jobs.map((job) => job.id)
      await db
        .updateTable('tasks')
        .set({ status: 'STARTED', started_at: now() })
        .where('id', 'in', ids)
        .where('status', '=', 'PENDING')
        .execute()
    },

    /** Stores the result and completes the job; neither where another attempt has the job by now. */
    succeed: (job: Job, result: PredictionResult) =>
      inTransaction(db, async (trx) => {
        if (!(await parts.queue.finish(trx, job))) return
        const { model_version } = result
        const change = { status: 'SUCCESS' as const, result: JSON.stringify(result), model_version }
        await openTask(trx, job.id)
          .set({ ...change, finished_at: now() })
          .execute()
      }),

    /** Fails the task, returns its credit and completes the job; nothing where another attempt has the job by now. */
    fail: (job: Job) =>
      inTransaction(db, async (trx) => {
        if (await parts.queue.finish(trx, job)) await failTasks(parts, trx, [job.id])
      }),

    /** Fails and refunds tasks whose job is gone, or that nothing has ended for too long; answers their ids. */
    failAbandoned: () =>
      inTransaction(db, async (trx) => {
        const overdueBefore = new Date(now().getTime() - TASK_MS_MAX)
        const abandoned = await findAbandoned(trx, overdueBefore)
        if (abandoned.length > 0) await parts.queue.cancel(trx, abandoned)
        return failTasks(parts, trx, abandoned)
      }),
  }
}

async function order(parts: Parts, trx: Trx, wanted: Wanted): Promise<Order> {
  // So that two for one pair cannot both find it missing.
  await holdOrders(trx, wanted.userId)
  const same = await findSame(trx, wanted)
  if (same === null) return pay(parts, trx, wanted)
  if (isKnown(same, wanted) && same.result) return { kind: 'known', result: same.result }
  const age = wanted.arrivedAt.getTime() - same.createdAt.getTime()
  if (age > SIMULTANEOUS_MS) return { kind: 'joined', taskId: same.id }
  // Of several simultaneous requests only those that could pay are served, although one pays.
  const balance = await readBalance(trx, wanted.userId)
  if (balance < parts.creditsPerPrediction) return { kind: 'out of credits' }
  return { kind: 'joined', taskId: same.id }
}

async function pay(parts: Parts, trx: Trx, wanted: Wanted): Promise<Order> {
  const taskId = randomUUID()
  const amount = parts.creditsPerPrediction
  const { userId } = wanted
  const balance = await takeCredits(trx, { userId, amount, reason: 'prediction', taskId })
  if (balance === null) return { kind: 'out of credits' }
  await trx
    .insertInto('tasks')
    .values({
      id: taskId,
      user_id: userId,
      target_id: wanted.targetId,
      compound_id: wanted.compoundId,
      target_chain: wanted.chain,
      status: 'PENDING',
      model_version: wanted.modelVersion,
      credits_charged: amount,
      created_at: parts.now(),
    })
    .execute()
  await parts.queue.add(trx, taskId, wanted.pair)
  return { kind: 'paid', taskId, creditsCharged: amount }
}

type Same = {
  id: string
  status: TaskRecord['status']
  result: PredictionResult | null
  createdAt: Date
  finishedAt: Date | null
}

/** The latest task of the same pair that has not failed. */
async function findSame(db: Database, wanted: Wanted): Promise<Same | null> {
  const same = await db
    .selectFrom('tasks')
    .select(['id', 'status', 'result', 'created_at as createdAt', 'finished_at as finishedAt'])
    .where('user_id', '=', wanted.userId)
    .where('target_id', '=', wanted.targetId)
    .where('target_chain', '=', wanted.chain)
    .where('compound_id', '=', wanted.compoundId)
    .where('model_version', '=', wanted.modelVersion)
    .where('status', '<>', 'FAILURE')
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return same ?? null
}

function isKnown(same: Same, wanted: Wanted): boolean {
  return same.finishedAt !== null && same.finishedAt <= wanted.arrivedAt
}

function openTask(trx: Trx, taskId: string) {
  return trx.updateTable('tasks').where('id', '=', taskId).where('status', 'in', open)
}

async function failTasks(parts: Parts, trx: Trx, taskIds: string[]): Promise<string[]> {
  const failed: string[] = []
  for (const taskId of taskIds) {
    const task = await openTask(trx, taskId)
      .set({ status: 'FAILURE', message: failureMessage, finished_at: parts.now() })
      .returning(['user_id as userId', 'credits_charged as amount'])
      .executeTakeFirst()
    if (task === undefined) continue
    await refundCredits(trx, { ...task, taskId })
    failed.push(taskId)
  }
  return failed
}

async function findAbandoned(trx: Trx, overdueBefore: Date): Promise<string[]> {
  const tasks = await trx
    .selectFrom('tasks')
    .select('id')
    .where('status', 'in', open)
    .where((where) => where.or([where('created_at', '<', overdueBefore), where.not(hasLiveJob)]))
    .limit(SWEEP_TASKS_MAX)
    .execute()
  return tasks.map((task) => task.id)
}
