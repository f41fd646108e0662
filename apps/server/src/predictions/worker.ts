/**
 * Works the prediction queue until it is stopped: fetches jobs, keeps their lease, predicts them in
 * batches and ends each task once. Whatever goes wrong in one round is logged and the loop goes on;
 * what a dead worker leaves behind comes back when its lease runs out, or is swept up.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Log } from '#server/http/log.ts'
import type { FinishedTasks } from './finished-tasks.ts'
import type { PairOutcome, Predictor } from './open-predictor.ts'
import type { Job, PredictionQueue } from './queue.ts'
import type { PredictionStore } from './store.ts'

export type Worker = {
  /** Looks for work now instead of at the next round. */
  wake(): void
  /** Ends what it has begun, then stops. */
  stop(): Promise<void>
}

export type WorkerParts = {
  queue: PredictionQueue
  store: Pick<PredictionStore, 'markStarted' | 'succeed' | 'fail' | 'failAbandoned'>
  predictor: Predictor
  finishedTasks: FinishedTasks
  log: Pick<Log, 'error'>
  /** Time between two looks at an empty queue that nobody announced work in. */
  idleMs: number
}

const BATCH_JOBS = 16
const KEEP_INTERVAL_MS = 3000
const SWEEP_INTERVAL_MS = 5000
const AFTER_ERROR_MS = 1000
/** Attempts, lost ones included, after which a pair that cannot be predicted fails for good. */
const PREDICTION_ATTEMPTS = 2

export function startWorker(parts: WorkerParts): Worker {
  const stopped = new AbortController()
  let bell = Promise.withResolvers<void>()

  async function work(): Promise<void> {
    while (!stopped.signal.aborted) {
      // Taken before looking: a bell that rings meanwhile counts.
      const rung = bell.promise
      const isBusy = await survive('work', () => workOnce(parts))
      if (!isBusy) await Promise.race([rung, pause(parts.idleMs)])
    }
  }

  async function sweep(): Promise<void> {
    while (!stopped.signal.aborted) {
      await survive('sweep', () => sweepOnce(parts))
      await pause(SWEEP_INTERVAL_MS)
    }
  }

  async function survive<T>(what: string, act: () => Promise<T>): Promise<T | null> {
    try {
      return await act()
    } catch (error) {
      parts.log.error({ err: error }, `predictions: ${what} failed; going on`)
      await pause(AFTER_ERROR_MS)
      return null
    }
  }

  async function pause(ms: number): Promise<void> {
    await sleep(ms, undefined, { signal: stopped.signal }).catch(() => {})
  }

  const loops = [sweep(), ...Array.from({ length: parts.predictor.threads }, work)]
  return {
    wake() {
      bell.resolve()
      bell = Promise.withResolvers()
    },
    async stop() {
      stopped.abort()
      await Promise.all(loops)
    },
  }
}

/** False where the queue was empty. */
async function workOnce(parts: WorkerParts): Promise<boolean> {
  const jobs = await parts.queue.take(BATCH_JOBS)
  if (jobs.length === 0) return false
  const keeping = setInterval(() => keep(parts, jobs), KEEP_INTERVAL_MS)
  try {
    await parts.store.markStarted(jobs)
    await settleAll(parts, await predict(parts.predictor, jobs))
  } finally {
    clearInterval(keeping)
  }
  return true
}

function keep({ queue, log }: WorkerParts, jobs: Job[]): void {
  queue.keep(jobs).catch((error: unknown) => {
    log.error({ err: error }, 'predictions: a lease could not be renewed')
  })
}

type Predicted = { job: Job; outcome: PairOutcome }

async function predict(predictor: Predictor, jobs: Job[]): Promise<Predicted[]> {
  const readable = jobs.flatMap((job) => (job.pair === null ? [] : [{ job, pair: job.pair }]))
  const outcomes = await predictor.predict(readable.map(({ pair }) => pair))
  const byId = new Map(readable.map(({ job }, index) => [job.id, outcomes[index]]))
  const unreadable = new Error('the job does not hold a pair')
  return jobs.map((job) => ({ job, outcome: byId.get(job.id) ?? { ok: false, error: unreadable } }))
}

/** One task that cannot be settled keeps no other from it: its lease runs out and it is tried again. */
async function settleAll(parts: WorkerParts, predicted: Predicted[]): Promise<void> {
  for (const one of predicted) {
    try {
      await settle(parts, one)
    } catch (error) {
      parts.log.error({ err: error, taskId: one.job.id }, 'predictions: a task was not settled')
    }
  }
}

async function settle(parts: WorkerParts, { job, outcome }: Predicted): Promise<void> {
  if (outcome.ok) await parts.store.succeed(job, outcome.result)
  else {
    parts.log.error({ err: outcome.error, taskId: job.id }, 'predictions: a pair failed')
    if (job.retryCount + 1 < PREDICTION_ATTEMPTS) {
      return parts.queue.giveBack(job, 'The prediction failed.')
    }
    await parts.store.fail(job)
  }
  parts.finishedTasks.announce(job.id)
}

async function sweepOnce({ store, finishedTasks, log }: WorkerParts): Promise<void> {
  for (const taskId of await store.failAbandoned()) {
    log.error({ taskId }, 'predictions: a task was left without a job')
    finishedTasks.announce(taskId)
  }
}
