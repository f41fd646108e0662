/** Assembles predictions for a process: endpoints, worker, or both, which then notify each other directly. */
import type { PgBoss } from 'pg-boss'
import { isSoleOwner } from '#server/platform/jobs/queue.ts'
import type { Signals } from '#server/platform/jobs/signals.ts'
import type { OpenDatabase } from '#server/platform/db/open.ts'
import type { Log } from '#server/platform/log.ts'
import { openPredictor, readModelVersion } from '#server/inference/service.ts'
import { openPlacer } from '#server/poses/service.ts'
import { openFinishedTasks } from './finished-tasks.ts'
import { orderAllMeasured } from './order-measured.ts'
import type { OrderDependencies } from './order.ts'
import { NEW_WORK, openBlockQueue } from './queue.ts'
import { openSeenWaiting } from './seen-waiting.ts'
import { ANSWER_MS, type PredictionDependencies } from './single.ts'
import { openOrderStore } from './store.ts'
import type { WaitingMax } from './waiting.ts'
import { placeBlock } from './place-block.ts'
import type { PoseWork } from './pose-blocks.ts'
import { startWorker, type WorkerDependencies } from './worker.ts'

export { pairsOfScreen, rowsOfScreen } from './all-rows.ts'
export { type BestEstimates, openBestEstimates } from './best-estimates.ts'
export { countTasksOf, endTasksOf, forgetJobs } from './deletion.ts'
export { historyFileColumns, pagesOfHistory } from './history.ts'
export { withNumberOf } from './pair-number.ts'
export { openFindPredicted } from './known.ts'
export { findReadable, findScreen } from './order.ts'
export { orderMeasured } from './order-measured.ts'
export { findPlacedTargets, writeStoredPoses } from './stored-poses.ts'
export { findPredictedPair, type PredictedPair } from './predicted-pair.ts'
export { isWaiting } from './results.ts'
export { readScreenEstimates, type ScreenEstimate } from './screen-estimates.ts'
export { scoreProfile, shareColumns } from './profile-score.ts'
export type { PredictionDependencies } from './single.ts'
export { openTableReaders, type TableReaders } from './table-readers.ts'

export type Predictions = {
  /** Dependencies of the endpoints. */
  requests: Omit<PredictionDependencies, 'best'>
  /** Version of the model on disk. */
  modelVersion: string
  /** Loads the model, refuses one that does not fit the program, and starts work on the queue. */
  startWorker(): Promise<void>
  /** Finishes what the worker has begun, then stops it. */
  stop(): Promise<void>
}

/** Idle workers poll as well: on a database server, a notification is lost if the connection drops. */
const IDLE_MS = { embedded: 2000, server: 1000 }

/** Waiting requests poll for the same reason. */
const LOOK_MS = { embedded: ANSWER_MS, server: 300 }

type PredictionSettings = {
  modelDir: string
  workers: number
  credits: { perPrediction: number }
  storedBytesPerUser: number
  waitingMax: WaitingMax
}

export async function openPredictions(dependencies: {
  database: OpenDatabase
  boss: PgBoss
  signals: Signals
  config: PredictionSettings
  log: Log
  now: () => Date
}): Promise<Predictions> {
  const { database, boss, signals, config, log, now } = dependencies
  const { db } = database
  const queue = await openBlockQueue(boss, isSoleOwner(database))
  const elapsedMs = () => performance.now()
  const store = openOrderStore({ db, queue, now, signals, seenWaiting: openSeenWaiting(elapsedMs) })
  const finishedTasks = openFinishedTasks()
  const modelVersion = await readModelVersion(config.modelDir)
  let wakeWorker: OrderDependencies['wakeWorker'] = () => {}
  let started: ReturnType<typeof startWorkers> | null = null
  const onMessage = (message: string) =>
    message === NEW_WORK ? wakeWorker() : finishedTasks.announce(message)
  signals.listen(onMessage)
  const requests = {
    db,
    store,
    finishedTasks,
    creditsPerPrediction: config.credits.perPrediction,
    waitingMax: config.waitingMax,
    storedBytesPerUser: config.storedBytesPerUser,
    modelVersion,
    wakeWorker: (lane?: 'small') => wakeWorker(lane),
    now,
    elapsedMs,
    answerMs: ANSWER_MS,
    lookMs: LOOK_MS[database.source.kind],
  }
  return {
    requests,
    modelVersion,
    async startWorker() {
      const orderMeasuredValues = () => orderAllMeasured(requests)
      const parts = { queue, store, finishedTasks, log, orderMeasuredValues }
      started = startWorkers({ ...parts, database, config })
      const { wake } = await started
      wakeWorker = wake
    },
    async stop() {
      // Wait for workers that are still loading the model: ending their threads now would abort the process.
      const running = await started?.catch(() => null)
      await running?.stop()
    },
  }
}

type Workers = Omit<WorkerDependencies, 'poses' | 'predictor' | 'idleMs'> & {
  database: OpenDatabase
  config: Pick<PredictionSettings, 'modelDir' | 'workers'>
}

async function startWorkers({ database, config, ...parts }: Workers) {
  const { modelDir: modelDirectory, workers: threads } = config
  const predictor = await openPredictor({ modelDirectory, threads })
  const idleMs = IDLE_MS[database.source.kind]
  const placer = openPlacer({ threads })
  const place = (work: PoseWork) => placeBlock({ db: database.db, placer, predictor }, work)
  const worker = startWorker({ ...parts, poses: { threads, place }, predictor, idleMs })
  return {
    wake: (lane?: 'small') => (lane === 'small' ? worker.wakeSmall() : worker.wake()),
    async stop() {
      await worker.stop()
      await Promise.all([predictor.close(), placer.close()])
    },
  }
}
