/** Puts the feature together for a process: the calls, the worker, and what predictions say with own values. */
import type { PredictionResult } from '@pkdex/contract'
import type { ParsingWorkers } from '#server/files/parsing/service.ts'
import {
  bitsIn,
  fitOwnValues,
  foldMorgan,
  openRecentCache,
  type Predictor,
  type UpdateEstimates,
  updateByOwnValues,
} from '#server/inference/service.ts'
import { AppError } from '#server/platform/errors.ts'
import type { OpenDatabase } from '#server/platform/db/open.ts'
import type { WorkLoops } from '#server/platform/jobs/work-loops.ts'
import type { Log } from '#server/platform/log.ts'
import { errorShares, estimateOf, toOwnValues } from './own-values.ts'
import { type PredictedOf, readPredicted } from './store.ts'
import { startMeasurementWorker } from './worker.ts'

/** Of whom and of what a result is. */
type ResultOf = { userId: string; targetId: string; chain: string; smiles: string }

export type AddOwnValues = (of: ResultOf, result: PredictionResult) => Promise<PredictionResult>

export type Measurements = {
  /** Asks the predictor about measured compounds as they come. */
  startWorker: (predictor: Predictor) => void
  wakeWorker: () => void
  stop: () => Promise<void>
}

/** Embedded, every import wakes the worker; on a server, another process may have kept it. */
const IDLE_MS = { embedded: 2000, server: 1000 }

export function openMeasurements({
  database,
  log,
}: {
  database: OpenDatabase
  log: Log
}): Measurements {
  const workers = new Set<WorkLoops>()
  return {
    startWorker(predictor) {
      const idleMs = IDLE_MS[database.source.kind]
      workers.add(startMeasurementWorker({ db: database.db, predictor, log, idleMs }))
    },
    wakeWorker: () => workers.forEach((worker) => worker.wake()),
    async stop() {
      await Promise.all([...workers].map((worker) => worker.stop()))
      workers.clear()
    },
  }
}

type OwnValuesDependencies = {
  database: Pick<OpenDatabase, 'db'>
  parsingWorkers: Pick<ParsingWorkers, 'readFingerprints'>
}

/** The result with what the user's values of this moment make of it; as it is where there are none. */
export function openOwnValues({
  database: { db },
  parsingWorkers,
}: OwnValuesDependencies): AddOwnValues {
  return async (of, result) => {
    const modelVersion = result.model_version
    const own = toOwnValues(await readPredicted(db, { ...of, modelVersion }))
    if (own.length === 0) return result
    const [bits] = await parsingWorkers
      .readFingerprints(of.userId, [of.smiles])
      .catch(withoutWhenBusy)
    if (!bits) return result
    const [updated] = updateByOwnValues(own, [estimateOf(result, foldMorgan(bits))], errorShares)
    if (updated === undefined) return result
    const { predicted, halfWidth } = updated
    const { level } = result.interval
    const interval = { lower: predicted - halfWidth, upper: predicted + halfWidth, level }
    return { ...result, own_values: { count: own.length, predicted_kd: predicted, interval } }
  }
}

/** What many numbers of one user are updated with. */
export type OwnValues = {
  /** Of one chain of a target and one model; null where the user has no value there that says something. */
  fit(of: PredictedOf): Promise<{ count: number; update: UpdateEstimates } | null>
  /** The places of the bits of fingerprints, in order; null for a molecule that cannot be read safely. */
  readBits(userId: string, smiles: string[]): Promise<(number[] | null)[]>
}

/** Twice a screen of 10,000 compounds: a second look at it costs none of them again. 128 bytes each. */
const KEPT_FINGERPRINTS = 20_000

export function openOwnValuesOfMany({
  database: { db },
  parsingWorkers,
}: OwnValuesDependencies): OwnValues {
  const kept = openRecentCache<Uint32Array>(KEPT_FINGERPRINTS)
  return {
    async fit(of) {
      const own = toOwnValues(await readPredicted(db, of))
      return own.length === 0 ? null : { count: own.length, update: fitOwnValues(own, errorShares) }
    },
    async readBits(userId, smiles) {
      const found = new Map<string, Uint32Array>()
      for (const one of smiles) {
        const words = kept.get(one)
        if (words !== undefined) found.set(one, words)
      }
      const unknown = smiles.filter((one) => !found.has(one))
      const read = await parsingWorkers.readFingerprints(userId, unknown)
      for (const [at, one] of unknown.entries()) {
        const bits = read[at]
        if (!bits) continue
        const words = foldMorgan(bits)
        found.set(one, words)
        kept.set(one, words)
      }
      return smiles.map((one) => {
        const words = found.get(one)
        return words === undefined ? null : bitsIn(words)
      })
    },
  }
}

/** A number that is paid for is answered, even where its user has too much waiting to be read. */
function withoutWhenBusy(error: unknown): [] {
  if (error instanceof AppError && error.code === 'too_many_requests') return []
  throw error
}
