/** Runs the model on separate threads: predicts pairs, survives a thread's failure, and names pairs that fail. */
import type { PredictionResult } from '@pkdex/contract'
import { readModelCard } from './model-card.ts'
import type { Compare } from './differences.ts'
import { type Grid, GRID_COLUMNS } from './grid.ts'
import type { Pair } from './open-model.ts'
import { threadDataOf } from './shared-arrays.ts'

export { domainStateIn, type Grid, GRID_COLUMNS, gridColumns } from './grid.ts'
export type { Pair } from './open-model.ts'
export { chooseAnchors } from './differences.ts'
export { bitsIn, foldMorgan, FINGERPRINT_WORDS } from './fingerprints.ts'
export {
  type Estimate,
  fitOwnValues,
  leaveOneOut,
  type OwnValue,
  type UpdateEstimates,
  type Updated,
  updateByOwnValues,
} from './own-values.ts'
export { type BoundedValue, expectBounds } from './bounds.ts'
export { fitOtherScore, type OtherScore, type Scored } from './other-score.ts'
export { type OwnValuesSettings, readOwnValuesSettings } from './own-values-settings.ts'
export {
  arePosesHelpful,
  readStructureWeights,
  type StructureWeights,
} from './structure-settings.ts'
export { type Explainer, openExplainer } from './explainer.ts'
export { type ModelIdentity, readModelIdentity } from './model-card.ts'
import { openThreadPool, type Outcome } from '#server/platform/jobs/thread-pool.ts'
import type * as tasks from './inference-tasks.ts'

export type PairOutcome = { ok: true; result: PredictionResult } | { ok: false; error: unknown }

export type Predictor = {
  modelVersion: string
  /** Batches that run concurrently. */
  threads: number
  /**
   * One outcome per pair, in order; never throws. A failing pair is retried alone, so that it does not affect others.
   */
  predict(pairs: Pair[]): Promise<PairOutcome[]>
  /** For each compound the columns of its pairs; null if it cannot be predicted. Never throws. */
  predictGrid(grid: Grid): Promise<(Float32Array | null)[]>
  /** Throws if one of the compounds cannot be read. */
  compare: Compare
  close(): Promise<void>
}

const OPEN_MS_MAX = 60_000
const BATCH_MS_MAX = 20_000
const THREAD_MEMORY_MB_MAX = 1024

/** The model is missing or damaged; the message is for the operator. */
export class ModelError extends Error {
  override name = 'ModelError'
}

/** Checks the model on disk against the program, without loading it. */
export async function readModelVersion(directory: string): Promise<string> {
  try {
    return (await readModelCard(directory)).version
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new ModelError(
      `MODEL_DIR ${directory} is not valid: ${reason}. Restore the model folder as shipped.`,
      { cause },
    )
  }
}

export async function openPredictor(options: {
  modelDirectory: string
  threads: number
}): Promise<Predictor> {
  const { modelDirectory, threads } = options
  const pool = openThreadPool<typeof tasks>({
    file: new URL('inference-tasks.ts', import.meta.url),
    threads,
    memoryMbMax: THREAD_MEMORY_MB_MAX,
    workerData: threadDataOf(modelDirectory),
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

  async function predictGrid(grid: Grid): Promise<(Float32Array | null)[]> {
    const { targets, smiles } = grid
    const width = targets.length * GRID_COLUMNS
    const outcome = await pool.run('predictGrid', grid, BATCH_MS_MAX)
    if (outcome.kind === 'done' && outcome.output.length === smiles.length * width) {
      const { output } = outcome
      return smiles.map((_, row) => output.slice(row * width, (row + 1) * width))
    }
    if (smiles.length === 1 || !hasBegun(outcome)) return smiles.map(() => null)
    const rows: (Float32Array | null)[] = []
    // Features are read anew: they may be to blame.
    for (const one of smiles) rows.push(...(await predictGrid({ targets, smiles: [one] })))
    return rows
  }

  const compare: Compare = async (compared) => {
    const outcome = await pool.run('compareCompounds', compared, BATCH_MS_MAX)
    if (outcome.kind === 'done') return outcome.output
    throw new Error('the compounds could not be compared', { cause: causeOf(outcome) })
  }

  const close = () => pool.close()
  return { modelVersion: opened.output, threads, predict, predictGrid, compare, close }
}

function hasBegun(outcome: Outcome<unknown>): boolean {
  return outcome.kind === 'done' || outcome.step > 0
}

function causeOf(outcome: Outcome<unknown>): unknown {
  switch (outcome.kind) {
    case 'done':
      return new Error('the model returned a different number of pairs')
    case 'stalled':
      return new Error('the model took too long')
    case 'crashed':
      return outcome.error
  }
}
