/** Puts the feature together for a process: the calls, the worker, or both, which then tell each other. */
import type { PgBoss } from 'pg-boss'
import { isSoleOwner } from '#server/platform/jobs/queue.ts'
import type { Trx } from '#server/platform/db/schema.ts'
import type { OpenDatabase } from '#server/platform/db/open.ts'
import type { Log } from '#server/platform/log.ts'
import { openPredictor, type Predictor, readModelVersion } from '#server/inference/service.ts'
import { openFinishedTasks } from './finished-tasks.ts'
import { deleteJobsOf, openPredictionQueue } from './queue.ts'
import { ANSWER_MS, type PredictionDependencies } from './request-prediction.ts'
import { endTasksOf, openPredictionStore } from './store.ts'
import type { WaitingMax } from './waiting.ts'
import { startWorker } from './worker.ts'

export { endTasksOf }
export { historyColumns, pastPredictions } from './history.ts'
export { findPredictedPair, type PredictedPair } from './predicted-pair.ts'
export type { PredictionDependencies } from './request-prediction.ts'

export type Predictions = {
  /** What the calls work with. */
  requests: Omit<PredictionDependencies, 'addOwnValues'>
  /** Version of the model on disk. */
  modelVersion: string
  /**
   * Opens the model, refusing one that does not fit the program, and works the queue. `share` gets the
   * predictor for other queues; what it answers is called before the predictor is closed.
   */
  startWorker(share?: (predictor: Predictor) => () => Promise<void>): Promise<void>
  /** Ends what the worker has begun, then stops it. */
  stop(): Promise<void>
}

/** Embedded, every new job wakes the worker; on a server, another process may have queued it. */
const IDLE_MS = { embedded: 2000, server: 250 }

/** Embedded, the worker announces the end of every task; on a server, another process may have ended it. */
const LOOK_MS = { embedded: ANSWER_MS, server: 150 }

type PredictionSettings = {
  modelDir: string
  workers: number
  credits: { perPrediction: number }
  waitingMax: WaitingMax
}

export async function openPredictions(dependencies: {
  database: OpenDatabase
  boss: PgBoss
  config: PredictionSettings
  log: Log
  now: () => Date
}): Promise<Predictions> {
  const { database, boss, config, log, now } = dependencies
  const { db } = database
  const queue = await openPredictionQueue(boss, isSoleOwner(database))
  const elapsedMs = () => performance.now()
  const store = openPredictionStore({ db, queue, now, elapsedMs })
  const finishedTasks = openFinishedTasks()
  const modelVersion = await readModelVersion(config.modelDir)
  let wakeWorker = () => {}
  let started: Promise<{ stop(): Promise<void> }> | null = null
  return {
    requests: {
      db,
      store,
      finishedTasks,
      creditsPerPrediction: config.credits.perPrediction,
      waitingMax: config.waitingMax,
      modelVersion,
      wakeWorker: () => wakeWorker(),
      now,
      elapsedMs,
      answerMs: ANSWER_MS,
      lookMs: LOOK_MS[database.source.kind],
    },
    modelVersion,
    async startWorker(share) {
      started = start(share)
      await started
    },
    async stop() {
      // One that is still opening its model is waited for: ending its threads then would abort the process.
      const running = await started?.catch(() => null)
      await running?.stop()
    },
  }

  async function start(share?: (predictor: Predictor) => () => Promise<void>) {
    const { modelDir: modelDirectory, workers: threads } = config
    const predictor = await openPredictor({ modelDirectory, threads })
    const idleMs = IDLE_MS[database.source.kind]
    const worker = startWorker({ queue, store, predictor, finishedTasks, log, idleMs })
    wakeWorker = () => worker.wake()
    const stopSharing = share?.(predictor)
    return {
      async stop() {
        await Promise.all([worker.stop(), stopSharing?.()])
        await predictor.close()
      },
    }
  }
}

/** In the caller's transaction: nothing of what a user asked for stays in the queue, nor of what is being asked. */
export async function forgetJobs(trx: Trx, userId: string): Promise<void> {
  await deleteJobsOf(trx, userId)
}
