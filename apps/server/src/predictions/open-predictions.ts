/** Puts the feature together for a process: the calls, the worker, or both, which then tell each other. */
import type { PgBoss } from 'pg-boss'
import type { Config } from '#server/config.ts'
import { isSoleOwner } from '#server/db/queue.ts'
import type { OpenDatabase } from '#server/db/open.ts'
import type { Log } from '#server/http/log.ts'
import type { Feature } from '#server/http/route.ts'
import { readModelCard } from '#server/inference/model-card.ts'
import { openFinishedTasks } from './finished-tasks.ts'
import { openPredictor } from './open-predictor.ts'
import { openPredictionQueue } from './queue.ts'
import { predictionRoutes } from './routes.ts'
import { ANSWER_MS } from './service.ts'
import { openPredictionStore } from './store.ts'
import { startWorker } from './worker.ts'

export type Predictions = {
  feature: Feature
  /** Opens the model, refusing one that does not fit the program, and works the queue. */
  startWorker(): Promise<void>
  /** Ends what the worker has begun, then stops it. */
  stop(): Promise<void>
}

/** Embedded, every new job rings; on a server, another process may have queued it. */
const IDLE_MS = { embedded: 2000, server: 250 }

export async function openPredictions(parts: {
  database: OpenDatabase
  boss: PgBoss
  config: Pick<Config, 'modelDir' | 'workers' | 'credits'>
  log: Log
  now: () => Date
}): Promise<Predictions> {
  const { database, boss, config, log, now } = parts
  const { db } = database
  const queue = await openPredictionQueue(boss, isSoleOwner(database))
  const creditsPerPrediction = config.credits.perPrediction
  const store = openPredictionStore({ db, queue, creditsPerPrediction, now })
  const finishedTasks = openFinishedTasks()
  const { version: modelVersion } = await readModelCard(config.modelDir)
  let wakeWorker = () => {}
  let started: Promise<{ stop(): Promise<void> }> | null = null
  return {
    feature: predictionRoutes({
      db,
      store,
      finishedTasks,
      modelVersion,
      wakeWorker: () => wakeWorker(),
      now,
      answerMs: ANSWER_MS,
    }),
    async startWorker() {
      started = start()
      await started
    },
    async stop() {
      // One that is still opening its model is waited for: ending its threads then would abort the process.
      const running = await started?.catch(() => null)
      await running?.stop()
    },
  }

  async function start() {
    const { modelDir: modelDirectory, workers: threads } = config
    const predictor = await openPredictor({ modelDirectory, threads })
    const idleMs = IDLE_MS[database.source.kind]
    const worker = startWorker({ queue, store, predictor, finishedTasks, log, idleMs })
    wakeWorker = () => worker.wake()
    return {
      async stop() {
        await worker.stop()
        await predictor.close()
      },
    }
  }
}
