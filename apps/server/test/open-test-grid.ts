/** A grid predicted pair by pair, by a model whose predictions a test sets. */
import {
  type Grid,
  GRID_COLUMNS,
  gridColumns,
  type Pair,
  type PairOutcome,
} from '#server/inference/service.ts'

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
