/**
 * Works on the blocks of orders until it is stopped: small ones are predicted together, large ones in small batches, so
 * that a single prediction never waits long for a thread, and poses in threads of their own. Jobs of a dead worker return to the queue when their lease expires, or with
 * the next sweep.
 */
import type { PairOutcome, Predictor } from '#server/inference/service.ts'
import { startWorkLoops, type WorkLoops } from '#server/platform/jobs/work-loops.ts'
import type { Log } from '#server/platform/log.ts'
import type { FinishedTasks } from './finished-tasks.ts'
import type { PlacedRow, PoseWork } from './pose-blocks.ts'
import type { BlockAttempt, BlockQueue, Lane } from './queue.ts'
import type { BlockResult } from './settle.ts'
import type { PredictedPair } from './order-numbers.ts'
import { numberInGrid, numberOf } from './pair-number.ts'
import type { OrderStore, WorkBlock, WorkRow } from './store.ts'

export type WorkerDependencies = {
  queue: BlockQueue
  store: Pick<
    OrderStore,
    | 'readWork'
    | 'readPoseWork'
    | 'markStarted'
    | 'finishBlock'
    | 'finishPoses'
    | 'failAbandoned'
    | 'emptyRemoved'
  >
  predictor: Pick<Predictor, 'predict' | 'predictGrid' | 'threads' | 'modelVersion'>
  poses: { threads: number; place: (work: PoseWork) => Promise<PlacedRow[]> }
  finishedTasks: Pick<FinishedTasks, 'announce'>
  /** Orders the predictions that measured values still lack. */
  orderMeasuredValues: () => Promise<void>
  log: Pick<Log, 'error' | 'info'>
  /** Polling interval of an empty queue if no work is announced. */
  idleMs: number
}

/**
 * About 10 ms on a thread with stored features and somewhat more without, which a single prediction may have to wait.
 * Batches of 16 compounds are hardly faster.
 */
const BATCH_PAIRS = 256
const BATCH_ROWS_MAX = 4
/** Blocks fetched per poll. */
const FETCHED = { small: 16, large: 1, pose: 1 }
const HEARTBEAT_INTERVAL_MS = 3000
/** After this many attempts, including those of dead workers, pairs stay without a number and compounds without a pose. */
const ATTEMPTS = 2

/** `wakeSmall`: polls only for small blocks, such as those of single predictions. */
export type Worker = WorkLoops & { wakeSmall(): void }

/** Each lane has as many loops as there are threads; their batches take turns on the threads. */
export function startWorker(dependencies: WorkerDependencies): Worker {
  const { predictor, poses, idleMs, log } = dependencies
  const startLane = (lane: Lane, sweep: () => Promise<void>) =>
    startWorkLoops({
      threads: lane === 'pose' ? poses.threads : predictor.threads,
      idleMs,
      log,
      name: `${lane} blocks`,
      workOnce: (stopped) => workOnce(dependencies, lane, stopped),
      sweepOnce: sweep,
    })
  const small = startLane('small', () => sweepOnce(dependencies))
  const large = startLane('large', dependencies.orderMeasuredValues)
  const pose = startLane('pose', async () => undefined)
  return {
    wakeSmall: () => small.wake(),
    wake() {
      small.wake()
      large.wake()
      pose.wake()
    },
    stop: async () => void (await Promise.all([small.stop(), large.stop(), pose.stop()])),
  }
}

/** Returns whether more blocks may be waiting: false if the queue gave fewer than requested. */
async function workOnce(
  dependencies: WorkerDependencies,
  lane: Lane,
  stopped: AbortSignal,
): Promise<boolean> {
  const { queue } = dependencies
  const attempts = await queue.fetch(lane, FETCHED[lane])
  if (attempts.length === 0) return false
  const heartbeats = setInterval(() => heartbeat(dependencies, attempts), HEARTBEAT_INTERVAL_MS)
  try {
    if (lane === 'pose') for (const attempt of attempts) await workOnPoses(dependencies, attempt)
    else await workOnPairs(dependencies, attempts, stopped)
  } finally {
    clearInterval(heartbeats)
  }
  return attempts.length === FETCHED[lane]
}

async function workOnPairs(
  dependencies: WorkerDependencies,
  attempts: BlockAttempt[],
  stopped: AbortSignal,
): Promise<void> {
  const { store } = dependencies
  const blocks = await store.readWork(attempts.map(({ id }) => id))
  const orders = [...new Set([...blocks.values()].map(({ orderId }) => orderId))]
  // Prediction need not wait for this write.
  const started = orders.length === 0 ? undefined : store.markStarted(orders)
  started?.catch(() => undefined)
  await predictAll(dependencies, attempts, { blocks, started, stopped })
}

async function workOnPoses(dependencies: WorkerDependencies, attempt: BlockAttempt): Promise<void> {
  const { queue, store, finishedTasks, log } = dependencies
  const names = namesOf(attempt)
  try {
    const work = await store.readPoseWork(attempt.id)
    const rows = work === null ? [] : await placeOrGiveUp(dependencies, attempt, work)
    await store.finishPoses(attempt, rows)
    if (work !== null) finishedTasks.announce(work.orderId)
  } catch (error) {
    // The queue limits the retries; a database error must not lose the poses.
    log.error({ err: error, ...names }, 'a block of poses is tried again')
    await queue.requeue(attempt, 'No poses.')
  }
}

/** Null if the poses cannot be computed. */
function placeOrGiveUp(
  { poses, log }: WorkerDependencies,
  attempt: BlockAttempt,
  work: PoseWork,
): Promise<PlacedRow[] | null> {
  return poses.place(work).catch((error: unknown) => {
    if (attempt.retryCount + 1 < ATTEMPTS) throw error
    log.error({ err: error, ...namesOf(attempt) }, 'poses could not be computed')
    return null
  })
}

type Work = {
  blocks: Map<string, WorkBlock>
  started: Promise<void> | undefined
  stopped: AbortSignal
}

/** Single predictions first and together; a failure to settle one does not affect the others. */
async function predictAll(
  dependencies: WorkerDependencies,
  attempts: BlockAttempt[],
  { blocks, started, stopped }: Work,
): Promise<void> {
  const kindOf = ({ id }: BlockAttempt) => blocks.get(id)?.kind
  const singles = attempts.filter((attempt) => kindOf(attempt) === 'single')
  const results = await predictSingles(dependencies, singles, blocks)
  await started
  for (const attempt of singles) await settle(dependencies, attempt, results.get(attempt.id))
  for (const attempt of attempts.filter((attempt) => !singles.includes(attempt))) {
    const block = blocks.get(attempt.id)
    // No block: it was cancelled, or its user was deleted.
    const nothing = { pairs: [], failed: 0 }
    const done =
      block === undefined ? nothing : await predictBlock(dependencies.predictor, block, stopped)
    if (done === null) await dependencies.queue.requeue(attempt, 'The worker stopped.')
    else await settle(dependencies, attempt, { block, ...done })
  }
}

type Settled = Omit<BlockResult, 'modelVersion'> & { block: WorkBlock | undefined; error?: unknown }

async function settle(
  dependencies: WorkerDependencies,
  attempt: BlockAttempt,
  result: Settled | undefined,
): Promise<void> {
  if (result === undefined) return
  try {
    await settleOne(dependencies, attempt, result)
  } catch (error) {
    // Its lease expires, and it is tried again.
    dependencies.log.error({ err: error, ...namesOf(attempt) }, 'a block was not settled')
  }
}

async function settleOne(
  { queue, store, predictor, finishedTasks, log }: WorkerDependencies,
  attempt: BlockAttempt,
  { block, error, ...result }: Settled,
): Promise<void> {
  const names = { ...namesOf(attempt), orderId: block?.orderId, failed: result.failed }
  if (result.failed > 0) log.error({ err: error, ...names }, 'pairs could not be predicted')
  if (result.failed > 0 && attempt.retryCount + 1 < ATTEMPTS) {
    return queue.requeue(attempt, 'Pairs could not be predicted.')
  }
  await store.finishBlock(attempt, { ...result, modelVersion: predictor.modelVersion })
  log.info(names, 'a block was predicted')
  if (block !== undefined) finishedTasks.announce(block.orderId)
}

/** `reqId` also finds the call that asked for it in the log, in any process. */
function namesOf({ id, reqId }: BlockAttempt) {
  return { jobId: id, reqId }
}

function heartbeat({ queue, log }: WorkerDependencies, attempts: BlockAttempt[]): void {
  queue.heartbeat(attempts).catch((error: unknown) => {
    log.error({ err: error }, 'a lease could not be renewed')
  })
}

async function predictSingles(
  { predictor }: WorkerDependencies,
  attempts: BlockAttempt[],
  blocks: Map<string, WorkBlock>,
): Promise<Map<string, Settled>> {
  const wanted = attempts.flatMap(({ id }) => {
    const block = blocks.get(id)
    if (block === undefined) return []
    const pair = { segments: block.targets[0]?.segments ?? [], smiles: block.rows[0]?.smiles ?? '' }
    return [{ id, block, pair }]
  })
  const outcomes = wanted.length === 0 ? [] : await predictor.predict(wanted.map((one) => one.pair))
  return new Map(wanted.map(({ id, block }, at) => [id, toSettled(block, outcomes[at])]))
}

function toSettled(block: WorkBlock, outcome: PairOutcome | undefined): Settled {
  if (outcome === undefined || !outcome.ok) {
    return { block, pairs: [], failed: 1, error: outcome?.error }
  }
  const { result } = outcome
  const pairs = [{ row: 0, place: 0, ...numberOf(result) }]
  const [sequence, compound] = [block.targets[0]?.key, block.rows[0]?.compoundKey]
  if (sequence === undefined || compound === undefined) return { block, pairs, failed: 0 }
  return { block, pairs, failed: 0, reading: { key: { sequence, compound }, result } }
}

/** Null if the worker is being stopped. */
async function predictBlock(
  predictor: Pick<Predictor, 'predictGrid' | 'modelVersion'>,
  block: WorkBlock,
  stopped: AbortSignal,
): Promise<Pick<BlockResult, 'pairs' | 'failed'> | null> {
  const targets = block.targets.map(({ segments }) => segments)
  const missing = findMissing(block)
  const pairs: PredictedPair[] = []
  let failed = 0
  const size = Math.min(BATCH_ROWS_MAX, Math.max(1, Math.floor(BATCH_PAIRS / targets.length)))
  for (let from = 0; from < missing.length; from += size) {
    if (stopped.aborted) return null
    const batch = missing.slice(from, from + size)
    const columns = [...new Set(batch.flatMap((one) => one.columns))]
    const numbers = await predictor.predictGrid({
      targets: columns.flatMap((at) => [targets[at] ?? []]),
      smiles: batch.map(({ smiles }) => smiles),
      features: batch.map(({ features }) => features),
    })
    for (const [at, { row, columns: wanted }] of batch.entries()) {
      const found = numbers[at] ?? null
      if (found === null) failed += wanted.length
      else pairs.push(...wanted.map((place) => pairIn(found, { row, place, columns })))
    }
  }
  return { pairs, failed }
}

/** `columns`: the targets of the grid. */
function pairIn(
  grid: Float32Array,
  { row, place, columns }: { row: number; place: number; columns: number[] },
): PredictedPair {
  return { row, place, ...numberInGrid(grid, columns.indexOf(place)) }
}

/** A row, and the targets that it has no number for yet. */
type MissingRow = Pick<WorkRow, 'row' | 'smiles' | 'features'> & { columns: number[] }

function findMissing({ rows, targets }: WorkBlock): MissingRow[] {
  return rows.flatMap(({ row, smiles, features, known }) => {
    const columns = [...targets.keys()].filter((place) => !known.has(place))
    return columns.length === 0 ? [] : [{ row, smiles, features, columns }]
  })
}

async function sweepOnce({ store, finishedTasks, log }: WorkerDependencies): Promise<void> {
  await store.emptyRemoved()
  for (const orderId of await store.failAbandoned()) {
    log.error({ orderId }, 'a block was left without a job')
    finishedTasks.announce(orderId)
  }
}
