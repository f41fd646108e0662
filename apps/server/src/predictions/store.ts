/** What the database remembers of predictions. Every method changes all it names, or nothing. */
import type { PredictionResult } from '@pkdex/contract'
import { sql } from 'kysely'
import { refundCredits } from '#server/credits/service.ts'
import type { Going } from '#server/files/service.ts'
import type { Database, TasksTable, Trx } from '#server/platform/db/schema.ts'
import { bringForward } from '#server/platform/jobs/clock-set-back.ts'
import { inTransaction } from '#server/platform/db/transaction.ts'
import {
  deleteJobs,
  hasLiveJob,
  type Job,
  type JobPair,
  type PredictionQueue,
  QUEUE_NAME,
} from './queue.ts'
import { openSeenWaiting, type SeenWaiting } from './seen-waiting.ts'

/** What a user asks for: the same target, chain, compound and model version must not cost twice. */
export type PredictionRequest = {
  userId: string
  targetId: string
  chain: string
  compoundId: string
  modelVersion: string
  pair: JobPair
  arrivedAt: Date
}

/** One that becomes a task. */
export type OrderedPrediction = PredictionRequest & {
  /** Of the call that asks, as the log names it. */
  reqId: string
}

export type TaskRecord = {
  status: TasksTable['status']
  result: PredictionResult | null
  message: string | null
  creditsCharged: number
  /** Null where it was deleted since. */
  targetId: string | null
  chain: string
  /** Standard SMILES of the compound; null where it was deleted since. */
  smiles: string | null
}

export type PredictionStore = ReturnType<typeof openPredictionStore>

/** A task that the sweeping process has seen unended for this long is failed, whatever its job says. */
const TASK_MS_MAX = 3_600_000
const SWEEP_TASKS_MAX = 100

const open = ['PENDING', 'STARTED'] as const
const failureMessage = 'The prediction failed on our side; what it cost was returned.'

type Dependencies = {
  db: Database
  queue: PredictionQueue
  now: () => Date
  /** A clock that only ever runs on: for how long something lasted. */
  elapsedMs: () => number
}

export function openPredictionStore(dependencies: Dependencies) {
  const { db, now } = dependencies
  const seenWaiting = openSeenWaiting(dependencies.elapsedMs)
  return {
    /** The latest task of the same pair that has not failed; in the caller's transaction where there is one. */
    findSameTask: (request: PredictionRequest, trx?: Trx) => findSameTask(trx ?? db, request),

    createTask: (trx: Trx, request: OrderedPrediction, receipt: TaskReceipt) =>
      createTask(dependencies, trx, { request, receipt }),

    async readTask(userId: string, taskId: string): Promise<TaskRecord | null> {
      const task = await db
        .selectFrom('tasks')
        .leftJoin('compounds', 'compounds.id', 'tasks.compound_id')
        .select(['status', 'result', 'message', 'credits_charged as creditsCharged'])
        .select(['target_id as targetId', 'target_chain as chain', 'standard_smiles as smiles'])
        .where('tasks.id', '=', taskId)
        .where('tasks.user_id', '=', userId)
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
        if (!(await dependencies.queue.finish(trx, job))) return
        const { model_version } = result
        const change = { status: 'SUCCESS' as const, result: JSON.stringify(result), model_version }
        await openTask(trx, job.id)
          .set({ ...change, finished_at: now() })
          .execute()
      }),

    /** Fails the task, returns its credit and completes the job; nothing where another attempt has the job by now. */
    fail: (job: Job) =>
      inTransaction(db, async (trx) => {
        if (await dependencies.queue.finish(trx, job)) await failTasks(dependencies, trx, [job.id])
      }),

    /** Sweeps up: fails and refunds tasks whose job is gone, or that it has seen waiting for too long; answers their ids. */
    failAbandoned: async () => {
      await bringForward(db, QUEUE_NAME)
      return inTransaction(db, async (trx) => {
        const abandoned = await findAbandoned(trx, seenWaiting)
        if (abandoned.length > 0) await dependencies.queue.cancel(trx, abandoned)
        return failTasks(dependencies, trx, abandoned)
      })
    },
  }
}

export type TaskReceipt = { taskId: string; creditsCharged: number }

/** Creates the task and queues its job, or does neither. */
async function createTask(
  { queue, now }: Dependencies,
  trx: Trx,
  { request, receipt }: { request: OrderedPrediction; receipt: TaskReceipt },
): Promise<void> {
  const { userId, pair, reqId } = request
  await queue.add(trx, { taskId: receipt.taskId, userId, pair, reqId })
  await trx
    .insertInto('tasks')
    .values({
      id: receipt.taskId,
      user_id: request.userId,
      target_id: request.targetId,
      compound_id: request.compoundId,
      target_chain: request.chain,
      status: 'PENDING',
      model_version: request.modelVersion,
      credits_charged: receipt.creditsCharged,
      created_at: now(),
    })
    .execute()
}

export type SameTask = {
  id: string
  status: TaskRecord['status']
  result: PredictionResult | null
  createdAt: Date
  finishedAt: Date | null
}

/** The same molecule on the same sequence is the same pair, whatever the two are called; the named one first. */
async function findSameTask(db: Database, request: PredictionRequest): Promise<SameTask | null> {
  const { targetId, compoundId, pair } = request
  const isNamed = sql`tasks.target_id = ${targetId} and tasks.compound_id = ${compoundId}`
  const sequence = JSON.stringify(pair.segments)
  const same = await db
    .selectFrom('tasks')
    .innerJoin('compounds', 'compounds.id', 'tasks.compound_id')
    .innerJoin('targets', 'targets.id', 'tasks.target_id')
    .select(['tasks.id', 'tasks.status', 'tasks.result'])
    .select(['tasks.created_at as createdAt', 'tasks.finished_at as finishedAt'])
    .where('tasks.user_id', '=', request.userId)
    .where('compounds.content_hash', '=', (query) =>
      query
        .selectFrom('compounds as named')
        .select('named.content_hash')
        .where('named.id', '=', compoundId),
    )
    .where(sql<boolean>`targets.segments -> tasks.target_chain = ${sequence}::jsonb`)
    .where('tasks.model_version', '=', request.modelVersion)
    .where('tasks.status', '<>', 'FAILURE')
    .orderBy(sql`${isNamed}`, 'desc')
    .orderBy('tasks.created_at', 'desc')
    .orderBy('tasks.id')
    .limit(1)
    .executeTakeFirst()
  return same ?? null
}

function openTask(trx: Trx, taskId: string) {
  return trx.updateTable('tasks').where('id', '=', taskId).where('status', 'in', open)
}

async function failTasks(
  { now }: Pick<Dependencies, 'now'>,
  trx: Trx,
  taskIds: string[],
  message = failureMessage,
): Promise<string[]> {
  const failed: string[] = []
  for (const taskId of taskIds) {
    const task = await openTask(trx, taskId)
      .set({ status: 'FAILURE', message, finished_at: now() })
      .returning(['user_id as userId', 'credits_charged as amount'])
      .executeTakeFirst()
    if (task === undefined) continue
    await refundCredits(trx, { ...task, taskId })
    failed.push(taskId)
  }
  return failed
}

const deletedMessage = 'Its target or compound was deleted; what the prediction cost was returned.'

/**
 * In the caller's transaction, under the lock of the user's requests: fails and refunds what waits for these
 * targets or compounds, and takes what was asked of them out of the queue; answers how many ended.
 */
export async function endTasksOf(
  trx: Trx,
  { userId, kind, ids: goingIds }: Going,
  now: () => Date,
): Promise<number> {
  const tasks = await trx
    .selectFrom('tasks')
    .select(['id', 'status'])
    .where('user_id', '=', userId)
    .where(
      kind === 'targets' ? 'target_id' : 'compound_id',
      '=',
      sql<string>`any(${goingIds}::uuid[])`,
    )
    .orderBy('id')
    .execute()
  await deleteJobs(
    trx,
    tasks.map(({ id }) => id),
  )
  const waiting = tasks.filter(({ status }) => status === 'PENDING' || status === 'STARTED')
  const ids = waiting.map(({ id }) => id)
  return (await failTasks({ now }, trx, ids, deletedMessage)).length
}

/** In the caller's transaction, under the lock of the user's requests: false where one of the two was deleted. */
export async function hasPair(
  trx: Trx,
  { targetId, compoundId }: PredictionRequest,
): Promise<boolean> {
  const { rows } = await sql`select from targets, compounds
    where targets.id = ${targetId} and compounds.id = ${compoundId}`.execute(trx)
  return rows.length > 0
}

async function findAbandoned(trx: Trx, seenWaiting: SeenWaiting): Promise<string[]> {
  const tasks = await trx
    .selectFrom('tasks')
    .select(['id', hasLiveJob.as('isQueued')])
    .where('status', 'in', open)
    .execute()
  const overdue = new Set(
    seenWaiting.seenFor(
      TASK_MS_MAX,
      tasks.map(({ id }) => id),
    ),
  )
  return tasks
    .filter(({ id, isQueued }) => !isQueued || overdue.has(id))
    .slice(0, SWEEP_TASKS_MAX)
    .map(({ id }) => id)
}
