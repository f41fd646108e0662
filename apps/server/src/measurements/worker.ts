/**
 * Asks the model about the compounds that users measured, so that their values can be compared with its numbers.
 * It costs no credit: the answer is known to who asks. Doing it twice does no harm, so nothing is leased.
 */
import type { Predictor } from '#server/inference/service.ts'
import type { Database } from '#server/platform/db/schema.ts'
import { startWorkLoops, type WorkLoops } from '#server/platform/jobs/work-loops.ts'
import type { Log } from '#server/platform/log.ts'
import { forgetOtherModels, notePrediction, readUnpredicted } from './store.ts'

export type MeasurementWorkerDependencies = {
  db: Database
  predictor: Pick<Predictor, 'predict' | 'modelVersion'>
  log: Pick<Log, 'error'>
  /** Time between two looks when nobody said that there is work. */
  idleMs: number
}

/** Few at a time, so that a single prediction never waits long for a thread. */
const BATCH_PAIRS = 16

export function startMeasurementWorker(dependencies: MeasurementWorkerDependencies): WorkLoops {
  const { db, predictor, log, idleMs } = dependencies
  return startWorkLoops({
    name: 'measurements',
    threads: 1,
    idleMs,
    workOnce: () => workOnce(dependencies),
    sweepOnce: () => forgetOtherModels(db, predictor.modelVersion),
    log,
  })
}

/** False where there was nothing to ask. */
async function workOnce({ db, predictor }: MeasurementWorkerDependencies): Promise<boolean> {
  const rows = await readUnpredicted(db, BATCH_PAIRS)
  if (rows.length === 0) return false
  const { modelVersion } = predictor
  const pairs = rows.map(({ smiles, chain, segments }) => {
    return { smiles, segments: segments[chain] ?? [] }
  })
  const outcomes = await predictor.predict(pairs)
  for (const [place, { id, chain }] of rows.entries()) {
    const outcome = outcomes[place]
    const { predicted_kd = null, interval = null } = outcome?.ok === true ? outcome.result : {}
    const halfWidth = interval && (interval.upper - interval.lower) / 2
    await notePrediction(db, id, { chain, modelVersion, predicted: predicted_kd, halfWidth })
  }
  return true
}
