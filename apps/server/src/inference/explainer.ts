/** Computes evidence on one thread that starts with the first request and stops when idle. */
import type { SimilarEvidence, PredictionResult, Theme } from '@pkdex/contract'
import { openThreadPool, type Outcome, type ThreadPool } from '#server/platform/jobs/thread-pool.ts'
import type * as tasks from './explain-tasks.ts'
import type { ExplainedAtoms, KnownTarget } from './explain-tasks.ts'
import type { Pair } from './open-model.ts'
import { threadDataOf } from './shared-arrays.ts'

/** Null if the compound is too large to explain. */
export type Explainer = {
  atoms(pair: Pair, theme: Theme): Promise<ExplainedAtoms | null>
  similar(pair: Pair, theme: Theme): Promise<SimilarEvidence | null>
  /** What is known about a protein, without a compound. */
  target(segments: string[]): Promise<KnownTarget | null>
  /** The prediction with its domain and neighbours. */
  describe(pair: Pair): Promise<PredictionResult | null>
  close(): Promise<void>
}

const STEP_MS_MAX = 15_000
const THREAD_MEMORY_MB_MAX = 1024
/** A thread keeps about 100 MB in memory, or 200 MB if no other thread shares the model. */
const IDLE_MS_MAX = 5 * 60_000

export function openExplainer({ modelDirectory }: { modelDirectory: string }): Explainer {
  let pool: ThreadPool<typeof tasks> | null = null
  let idle: NodeJS.Timeout | undefined
  let running = 0

  async function ask<T>(question: (pool: ThreadPool<typeof tasks>) => Promise<Outcome<T>>) {
    clearTimeout(idle)
    running += 1
    pool ??= openThreadPool<typeof tasks>({
      file: new URL('explain-tasks.ts', import.meta.url),
      threads: 1,
      memoryMbMax: THREAD_MEMORY_MB_MAX,
      workerData: threadDataOf(modelDirectory),
    })
    try {
      return answerOf(await question(pool))
    } finally {
      running -= 1
      if (running === 0) idle = setTimeout(() => void close(), IDLE_MS_MAX).unref()
    }
  }

  async function close(): Promise<void> {
    clearTimeout(idle)
    const closing = pool
    pool = null
    await closing?.close()
  }

  return {
    atoms: (pair, theme) =>
      ask((threads) => threads.run('explainAtoms', { pair, theme }, STEP_MS_MAX)),
    similar: (pair, theme) =>
      ask((threads) => threads.run('findSimilar', { pair, theme }, STEP_MS_MAX)),
    target: (segments) => ask((threads) => threads.run('describeTarget', segments, STEP_MS_MAX)),
    describe: (pair) => ask((threads) => threads.run('describePair', pair, STEP_MS_MAX)),
    close,
  }
}

function answerOf<T>(outcome: Outcome<T>): T | null {
  if (outcome.kind === 'done') return outcome.output
  if (outcome.step === 0) throw new Error('the explaining thread did not start', { cause: outcome })
  return null
}
