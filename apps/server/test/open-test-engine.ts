/** The order engine on a fresh database with its real queue. Tests start its workers, with a model of their own. */
import { createHash, randomUUID } from 'node:crypto'
import type { PredictionResult } from '@pkdex/contract'
import type { FastifyInstance } from 'fastify'
import { openTestDatabase } from './open-test-database.ts'
import type { Database } from '#server/platform/db/schema.ts'
import { closeQueue, openQueue } from '#server/platform/jobs/queue.ts'
import { noSignals } from '#server/platform/jobs/signals.ts'
import type { WorkLoops } from '#server/platform/jobs/work-loops.ts'
import { openLog } from '#server/platform/log.ts'
import { openFinishedTasks } from '#server/predictions/finished-tasks.ts'
import { openBlockQueue } from '#server/predictions/queue.ts'
import { openSeenWaiting } from '#server/predictions/seen-waiting.ts'
import { openOrderStore } from '#server/predictions/store.ts'
import { startWorker, type WorkerDependencies } from '#server/predictions/worker.ts'

export const MODEL_VERSION = 'test-1'

/** What a worker adds to the engine. */
type Work = Pick<WorkerDependencies, 'predictor'> &
  Partial<Pick<WorkerDependencies, 'orderMeasuredValues'>>

export async function openTestEngine(elapsedMs = () => performance.now()) {
  const log = openLog('silent')
  const database = await openTestDatabase()
  const { db } = database
  const boss = await openQueue(database, log)
  const openTestQueue = () => openBlockQueue(boss, true)
  const queue = await openTestQueue()
  const now = () => new Date()
  const seenWaiting = openSeenWaiting(elapsedMs)
  const store = openOrderStore({ db, queue, now, signals: noSignals, seenWaiting })
  const finishedTasks = openFinishedTasks()
  const workers = new Set<WorkLoops>()
  async function stopWorkers(): Promise<void> {
    await Promise.all([...workers].map((worker) => worker.stop()))
    workers.clear()
  }
  return {
    database,
    boss,
    queue,
    /** As a restart would: what was active is queued again. */
    openTestQueue,
    workers,
    log,
    /** What the features need of it. */
    parts: {
      db,
      store,
      finishedTasks,
      storedBytesPerUser: 1e9,
      creditsPerPrediction: 1,
      modelVersion: MODEL_VERSION,
      addOwnValues: async (_of: unknown, result: PredictionResult) => result,
      wakeWorker: () => workers.forEach((worker) => worker.wake()),
      now,
      elapsedMs,
    },
    start(work: Work): WorkLoops {
      const own = { ...noMeasured, queue, store, finishedTasks, log, idleMs: 50 }
      const worker = startWorker({ ...own, ...work })
      workers.add(worker)
      return worker
    },
    stopWorkers,
    async close(app: FastifyInstance): Promise<void> {
      await stopWorkers()
      await app.close()
      await closeQueue(boss)
      await database.close()
    },
  }
}

/** No user has measured values. */
export const noMeasured = { orderMeasuredValues: async () => undefined }

export async function addTestFile(db: Database, userId: string, content: Buffer): Promise<string> {
  const name = randomUUID()
  const { id } = await db
    .insertInto('files')
    .values({
      user_id: userId,
      file_type: 'drug_smiles',
      filename: `${name}.txt`,
      sha256: hash(name),
      size_bytes: 0,
      content,
      uploaded_at: new Date(),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

export function hash(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
