/**
 * Works the prediction queue until it is stopped: fetches jobs, keeps their lease, predicts them in
 * batches and ends each task once. Whatever goes wrong in one round is logged and the loop goes on;
 * what a dead worker leaves behind comes back when its lease runs out, or is swept up.
 */
import { startWorkLoops, type WorkLoops } from '#server/platform/jobs/work-loops.ts'
import type { Log } from '#server/platform/log.ts'
import type { FinishedTasks } from './finished-tasks.ts'
import type { PairOutcome, Predictor } from '#server/inference/service.ts'
import type { Job, PredictionQueue } from './queue.ts'
import type { PredictionStore } from './store.ts'

export type WorkerDependencies = {
  queue: PredictionQueue
  store: Pick<PredictionStore, 'markStarted' | 'succeed' | 'fail' | 'failAbandoned'>
  predictor: Pick<Predictor, 'predict' | 'threads'>
  finishedTasks: FinishedTasks
  log: Pick<Log, 'error' | 'info'>
  /** Time between two looks at an empty queue that nobody announced work in. */
  idleMs: number
}

const BATCH_JOBS = 16
const HEARTBEAT_INTERVAL_MS = 3000
/** Attempts, lost ones included, after which a pair that cannot be predicted fails for good. */
const PREDICTION_ATTEMPTS = 2

export function startWorker(dependencies: WorkerDependencies): WorkLoops {
  return startWorkLoops({
    name: 'predictions',
    threads: dependencies.predictor.threads,
    idleMs: dependencies.idleMs,
    workOnce: () => workOnce(dependencies),
    sweepOnce: () => sweepOnce(dependencies),
    log: dependencies.log,
  })
}

/** False where the queue was empty. */
async function workOnce(dependencies: WorkerDependencies): Promise<boolean> {
  const jobs = await dependencies.queue.fetch(BATCH_JOBS)
  if (jobs.length === 0) return false
  const heartbeats = setInterval(() => heartbeat(dependencies, jobs), HEARTBEAT_INTERVAL_MS)
  try {
    // The threads of the model need not wait for the disk.
    const [predicted] = await Promise.all([
      predict(dependencies.predictor, jobs),
      dependencies.store.markStarted(jobs),
    ])
    await settleAll(dependencies, predicted)
  } finally {
    clearInterval(heartbeats)
  }
  return true
}

function heartbeat({ queue, log }: WorkerDependencies, jobs: Job[]): void {
  queue.heartbeat(jobs).catch((error: unknown) => {
    log.error({ err: error }, 'predictions: a lease could not be renewed')
  })
}

type Predicted = { job: Job; outcome: PairOutcome }

async function predict(predictor: Pick<Predictor, 'predict'>, jobs: Job[]): Promise<Predicted[]> {
  const readable = jobs.flatMap((job) => (job.pair === null ? [] : [{ job, pair: job.pair }]))
  const outcomes = await predictor.predict(readable.map(({ pair }) => pair))
  const byId = new Map(readable.map(({ job }, index) => [job.id, outcomes[index]]))
  const unreadable = new Error('the job does not hold a pair')
  return jobs.map((job) => ({ job, outcome: byId.get(job.id) ?? { ok: false, error: unreadable } }))
}

/** One task that cannot be settled keeps no other from it: its lease runs out and it is tried again. */
async function settleAll(dependencies: WorkerDependencies, predicted: Predicted[]): Promise<void> {
  for (const one of predicted) {
    try {
      await settle(dependencies, one)
    } catch (error) {
      dependencies.log.error(
        { err: error, ...namesOf(one.job) },
        'predictions: a task was not settled',
      )
    }
  }
}

async function settle(
  dependencies: WorkerDependencies,
  { job, outcome }: Predicted,
): Promise<void> {
  const { log } = dependencies
  if (outcome.ok) {
    await dependencies.store.succeed(job, outcome.result)
    log.info(namesOf(job), 'predictions: a pair was predicted')
  } else {
    log.error({ err: outcome.error, ...namesOf(job) }, 'predictions: a pair failed')
    if (job.retryCount + 1 < PREDICTION_ATTEMPTS) {
      return dependencies.queue.requeue(job, 'The prediction failed.')
    }
    await dependencies.store.fail(job)
  }
  dependencies.finishedTasks.announce(job.id)
}

/** Under `reqId` the log has the call that asked for it too, of whichever process. */
function namesOf({ id, reqId }: Job) {
  return { taskId: id, reqId }
}

async function sweepOnce({ store, finishedTasks, log }: WorkerDependencies): Promise<void> {
  for (const taskId of await store.failAbandoned()) {
    log.error({ taskId }, 'predictions: a task was left without a job')
    finishedTasks.announce(taskId)
  }
}
