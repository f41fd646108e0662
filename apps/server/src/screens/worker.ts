/**
 * Works the blocks of screens until it is stopped, each in small batches, so that a single prediction never
 * waits long for a thread. What a dead worker leaves behind comes back when its lease runs out, or is swept up.
 */
import type { Predictor } from '#server/inference/service.ts'
import type { Attempt, LeasedQueue } from '#server/platform/jobs/leased-queue.ts'
import { startWorkLoops, type WorkLoops } from '#server/platform/jobs/work-loops.ts'
import type { Log } from '#server/platform/log.ts'
import { unpackRows } from './blocks.ts'
import { CELL_BYTES, hasNumber, pairColumns, writeColumns, writeFailure } from './cells.ts'
import type { ScreenStore, WorkBlock } from './store.ts'

export type ScreenWorkerDependencies = {
  queue: LeasedQueue
  store: Pick<ScreenStore, 'readWork' | 'finishBlock' | 'failAbandoned'>
  predictor: Pick<Predictor, 'predictGrid' | 'threads'>
  log: Pick<Log, 'error' | 'info'>
  /** Time between two looks at an empty queue that nobody announced work in. */
  idleMs: number
}

/** A tenth of a second of a thread, more or less. */
const BATCH_PAIRS = 256
const BATCH_ROWS_MAX = 16
const HEARTBEAT_INTERVAL_MS = 3000
/** Attempts, lost ones included, after which pairs that cannot be predicted are left without a number. */
const PREDICTION_ATTEMPTS = 2

export function startScreenWorker(dependencies: ScreenWorkerDependencies): WorkLoops {
  return startWorkLoops({
    name: 'screens',
    threads: dependencies.predictor.threads,
    idleMs: dependencies.idleMs,
    workOnce: (stopped) => workOnce(dependencies, stopped),
    sweepOnce: () => sweepOnce(dependencies),
    log: dependencies.log,
  })
}

/** False where the queue was empty. */
async function workOnce(
  dependencies: ScreenWorkerDependencies,
  stopped: AbortSignal,
): Promise<boolean> {
  const { queue, store, predictor, log } = dependencies
  const [attempt] = await queue.fetch(1)
  if (attempt === undefined) return false
  const heartbeats = setInterval(() => heartbeat(dependencies, attempt), HEARTBEAT_INTERVAL_MS)
  try {
    const block = await store.readWork(attempt.id)
    if (block === null) {
      // Cancelled, or its user is gone: nobody waits for it.
      await store.finishBlock(attempt, { cells: Buffer.alloc(0), failed: 0 })
      return true
    }
    const done = await predictBlock(predictor, block, stopped)
    if (done === null) await queue.requeue(attempt, 'The worker stopped.')
    else if (done.failed > 0 && attempt.retryCount + 1 < PREDICTION_ATTEMPTS) {
      log.error({ ...namesOf(attempt), failed: done.failed }, 'screens: pairs failed; trying again')
      await queue.requeue(attempt, 'Pairs could not be predicted.')
    } else {
      await store.finishBlock(attempt, done)
      log.info({ ...namesOf(attempt), failed: done.failed }, 'screens: a block was predicted')
    }
  } finally {
    clearInterval(heartbeats)
  }
  return true
}

/** Under `reqId` the log has the call that asked for it too, of whichever process. */
function namesOf({ id, reqId }: Attempt) {
  return { jobId: id, reqId }
}

function heartbeat({ queue, log }: ScreenWorkerDependencies, attempt: Attempt): void {
  queue.heartbeat([attempt]).catch((error: unknown) => {
    log.error({ err: error }, 'screens: a lease could not be renewed')
  })
}

/** Null where the worker is to stop. */
async function predictBlock(
  predictor: Pick<Predictor, 'predictGrid'>,
  block: WorkBlock,
  stopped: AbortSignal,
): Promise<{ cells: Buffer; failed: number } | null> {
  const { targets } = block
  const cells = block.cells ?? Buffer.alloc(block.rows * targets.length * CELL_BYTES)
  const missing = await findMissing(block, cells)
  let failed = 0
  const size = Math.min(BATCH_ROWS_MAX, Math.max(1, Math.floor(BATCH_PAIRS / targets.length)))
  for (let from = 0; from < missing.length; from += size) {
    if (stopped.aborted) return null
    const batch = missing.slice(from, from + size)
    const columns = [...new Set(batch.flatMap((one) => one.columns))]
    const numbers = await predictor.predictGrid({
      targets: columns.flatMap((at) => [targets[at] ?? []]),
      smiles: batch.map(({ smiles }) => smiles),
    })
    for (const [place, row] of batch.entries()) {
      failed += writeRow(cells, row, {
        columns,
        numbers: numbers[place] ?? null,
        width: targets.length,
      })
    }
  }
  return { cells, failed }
}

/** A row of the block, and the columns in which it has no number yet. */
type MissingRow = { row: number; smiles: string; columns: number[] }

async function findMissing(
  { compounds, targets }: WorkBlock,
  cells: Buffer,
): Promise<MissingRow[]> {
  const rows = await unpackRows(compounds)
  return rows.flatMap(({ standard }, row) => {
    if (standard === null) return []
    const columns = targets.flatMap((_, at) =>
      hasNumber(cells, row * targets.length + at) ? [] : [at],
    )
    return columns.length === 0 ? [] : [{ row, smiles: standard, columns }]
  })
}

/** `columns`: those that `numbers` holds. Answers how many pairs failed. */
function writeRow(
  cells: Buffer,
  { row, columns: wanted }: MissingRow,
  found: { columns: number[]; numbers: Float32Array | null; width: number },
): number {
  const { columns, numbers, width } = found
  for (const at of wanted) {
    const cell = row * width + at
    if (numbers === null) writeFailure(cells, cell)
    else writeColumns(cells, cell, pairColumns(numbers, columns.indexOf(at)))
  }
  return numbers === null ? wanted.length : 0
}

async function sweepOnce({ store, log }: ScreenWorkerDependencies): Promise<void> {
  for (const screenId of await store.failAbandoned()) {
    log.error({ screenId }, 'screens: a block was left without a job')
  }
}
