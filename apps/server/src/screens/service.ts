/** Puts the feature together for a process: the calls, the worker, or both, which then tell each other. */
import type { PgBoss } from 'pg-boss'
import type { Predictor } from '#server/inference/service.ts'
import type { OpenDatabase } from '#server/platform/db/open.ts'
import { openLeasedQueue } from '#server/platform/jobs/leased-queue.ts'
import { isSoleOwner } from '#server/platform/jobs/queue.ts'
import type { Log } from '#server/platform/log.ts'
import type { ScreenDependencies } from './start.ts'
import { QUEUE_NAME } from './settle.ts'
import { openScreenStore } from './store.ts'
import { startScreenWorker } from './worker.ts'

export { rowsOfScreen } from './all-rows.ts'
export { isWaiting, rowColumns as screenRowColumns } from './results.ts'
export { isPairPaid, listKnownNumbers } from './known.ts'

export type Screens = {
  /** What the calls work with. */
  requests: ScreenDependencies
  /** Works the queue on the threads of the predictor, behind single predictions. */
  startWorker(predictor: Predictor): void
  /** Gives back what the worker has begun, then stops it. */
  stop(): Promise<void>
}

/** Embedded, every new job wakes the worker; on a server, another process may have queued it. */
const IDLE_MS = { embedded: 2000, server: 500 }

export async function openScreens(dependencies: {
  database: OpenDatabase
  boss: PgBoss
  creditsPerPrediction: number
  modelVersion: string
  log: Log
  now: () => Date
}): Promise<Screens> {
  const { database, boss, creditsPerPrediction, modelVersion, log, now } = dependencies
  const { db } = database
  const sole = isSoleOwner(database)
  const queue = await openLeasedQueue(boss, { name: QUEUE_NAME, isSoleOwner: sole })
  const store = openScreenStore({ db, queue, now })
  const workers = new Set<ReturnType<typeof startScreenWorker>>()
  const wakeWorker = () => workers.forEach((worker) => worker.wake())
  return {
    requests: { db, store, creditsPerPrediction, modelVersion, wakeWorker },
    startWorker(predictor) {
      const idleMs = IDLE_MS[database.source.kind]
      workers.add(startScreenWorker({ queue, store, predictor, log, idleMs }))
    },
    async stop() {
      await Promise.all([...workers].map((worker) => worker.stop()))
      workers.clear()
    },
  }
}
