/** The model on threads of its own: predicts pairs, survives the thread, and says which pair could not be predicted. */
import type { PredictionResult } from '@pkdex/contract'
import type { Pair } from '#server/inference/open-model.ts'
import { openThreadPool, type Outcome } from '#server/workshop/thread-pool.ts'
import type * as tasks from './inference-tasks.ts'

export type PairOutcome = { ok: true; result: PredictionResult } | { ok: false; error: unknown }

export type Predictor = {
  modelVersion: string
  /** How many batches run at the same time. */
  threads: number
  /** One outcome a pair, in order; never throws. A pair that fails is tried alone, so that it sinks no other. */
  predict(pairs: Pair[]): Promise<PairOutcome[]>
  close(): Promise<void>
}

const OPEN_MS_MAX = 60_000
const BATCH_MS_MAX = 20_000
const THREAD_MEMORY_MB_MAX = 1024

export async function openPredictor(options: {
  modelDirectory: string
  threads: number
}): Promise<Predictor> {
  const { modelDirectory, threads } = options
  const pool = openThreadPool<typeof tasks>({
    file: new URL('inference-tasks.ts', import.meta.url),
    threads,
    memoryMbMax: THREAD_MEMORY_MB_MAX,
    workerData: { modelDirectory },
  })
  const opened = await pool.run('readModelVersion', null, OPEN_MS_MAX)
  if (opened.kind !== 'done') {
    await pool.close()
    throw new Error(`the model in ${modelDirectory} cannot be used`, { cause: causeOf(opened) })
  }

  async function predict(pairs: Pair[]): Promise<PairOutcome[]> {
    const outcome = await pool.run('predictPairs', pairs, BATCH_MS_MAX)
    if (outcome.kind === 'done' && outcome.output.length === pairs.length) {
      return outcome.output.map((result) => ({ ok: true, result }))
    }
    if (pairs.length === 1 || !hasBegun(outcome)) {
      return pairs.map(() => ({ ok: false, error: causeOf(outcome) }))
    }
    const outcomes: PairOutcome[] = []
    for (const pair of pairs) outcomes.push(...(await predict([pair])))
    return outcomes
  }

  return { modelVersion: opened.output, threads, predict, close: () => pool.close() }
}

function hasBegun(outcome: Outcome<unknown>): boolean {
  return outcome.kind === 'done' || outcome.step > 0
}

function causeOf(outcome: Outcome<unknown>): unknown {
  switch (outcome.kind) {
    case 'done':
      return new Error('the model answered another number of pairs')
    case 'stalled':
      return new Error('the model took too long')
    case 'crashed':
      return outcome.error
  }
}
