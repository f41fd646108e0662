/** Test models: one whose predictions follow from the lengths of a pair, and one whose predictions a test sets. */
import type { PredictionResult } from '@pkdex/contract'
import {
  type Grid,
  GRID_COLUMNS,
  gridColumns,
  type Pair,
  type PairOutcome,
} from '#server/inference/service.ts'

export const MODEL_VERSION = 'test-1'

export type Predict = (pair: Pair) => PairOutcome | Promise<PairOutcome>

export function predictEach(
  { targets, smiles }: Grid,
  predict: Predict,
): Promise<(Float32Array | null)[]> {
  return Promise.all(smiles.map((one) => predictRow(targets, one, predict)))
}

async function predictRow(targets: string[][], smiles: string, predict: Predict) {
  const row = new Float32Array(targets.length * GRID_COLUMNS)
  for (const [place, segments] of targets.entries()) {
    const outcome = await predict({ segments, smiles })
    if (!outcome.ok) return null
    const { predicted_kd, interval } = outcome.result
    const columns = row.subarray(place * GRID_COLUMNS)
    columns[gridColumns.predicted] = predicted_kd
    columns[gridColumns.lower] = interval.lower
    columns[gridColumns.upper] = interval.upper
  }
  return row
}

export type PredictGrid = (grid: Grid) => Promise<(Float32Array | null)[]>

/** The prediction of a pair depends only on the lengths of its two sides. */
export async function predictTestGrid({ targets, smiles }: Grid): Promise<Float32Array[]> {
  return smiles.map((one) => {
    const row = new Float32Array(targets.length * GRID_COLUMNS)
    for (const [place, segments] of targets.entries()) {
      const predicted = testNumber(segments, one)
      const columns = row.subarray(place * GRID_COLUMNS)
      columns[gridColumns.predicted] = predicted
      columns[gridColumns.lower] = predicted - 1
      columns[gridColumns.upper] = predicted + 1.5
      columns[gridColumns.isInside] = one.length % 2
      columns[gridColumns.compoundSimilarity] = 0.4
      columns[gridColumns.targetSimilarity] = 1
    }
    return row
  })
}

/** The same predictions one by one. */
export async function predictByGrid(
  predictGrid: PredictGrid,
  pairs: Pair[],
): Promise<PairOutcome[]> {
  return Promise.all(
    pairs.map(async ({ segments, smiles }): Promise<PairOutcome> => {
      const [row] = await predictGrid({ targets: [segments], smiles: [smiles] })
      if (!row) return { ok: false, error: new Error('no') }
      const [predicted, lower, upper] = [
        row[gridColumns.predicted] ?? 0,
        row[gridColumns.lower] ?? 0,
        row[gridColumns.upper] ?? 0,
      ]
      const result: PredictionResult = {
        predicted_kd: predicted,
        unit: 'pKd',
        interval: { lower, upper, level: 0.95 },
        domain: { is_inside: row[gridColumns.isInside] === 1, is_ligand_driven: false, reason: '' },
        nearest_compound: { similarity: 0.4 },
        nearest_targets: [{ name: 'T', similarity: 1 }],
        model_version: MODEL_VERSION,
      }
      return { ok: true, result }
    }),
  )
}

export function testNumber(segments: string[], smiles: string): number {
  return 4 + (segments.join('').length % 5) + (smiles.length % 100) / 100
}

export function resultOf(predictedKd: number): PredictionResult {
  return {
    predicted_kd: predictedKd,
    unit: 'pKd',
    interval: { lower: predictedKd - 2, upper: predictedKd + 2, level: 0.95 },
    domain: { is_inside: true, is_ligand_driven: false, reason: 'Near the training data.' },
    nearest_compound: { similarity: 0.6 },
    nearest_targets: [],
    model_version: MODEL_VERSION,
  }
}
