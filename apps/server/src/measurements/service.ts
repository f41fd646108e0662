/** What other features use of measured values: adjusted predictions, and the values still to be predicted. */
import type { ExactMeasurement, PredictionResult } from '@pkdex/contract'
import { sql } from 'kysely'
import type { ParsingWorkers } from '#server/files/parsing/service.ts'
import type { OwnValuesSettings } from '#server/inference/service.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Database } from '#server/platform/db/schema.ts'
import type { OpenDatabase } from '#server/platform/db/open.ts'
import { combineReplicates, type MeasuredCompound } from './combine.ts'
import { type FittedValues, fitMeasured, type Shifts } from './compare.ts'
import { readPacked } from './fingerprints.ts'
import { estimateOf, type KernelCompound, unpackCompound } from './own-values.ts'
import type { FindPredicted } from './import.ts'
import { type OwnRows, readDescribed, readOwnRows } from './read-described.ts'
import { countUnpredicted, type Predicted, type PredictedOf, readValuesOn } from './store.ts'

export type { FittedValues } from './compare.ts'
export type { FindPredicted } from './import.ts'
export {
  forgetOtherModels,
  listTargetsToOrder,
  noteOrder,
  readToOrder,
  storeNumbers,
} from './predictions.ts'
export { namesWithValues, type OfTarget } from './store.ts'

/** The user's exact measured values on each of the targets, replicates combined, by standard SMILES. */
export async function readExactValues(
  db: OpenDatabase['db'],
  userId: string,
  targets: string[],
): Promise<Map<string, number>[]> {
  const rows = Map.groupBy(await readValuesOn(db, userId, targets), ({ target }) => target)
  return targets.map((target) => {
    const combined = combineReplicates(rows.get(target) ?? [])
    return new Map(
      combined.flatMap(({ smiles, pk, bound }) => (bound === null ? [[smiles, pk]] : [])),
    )
  })
}

/** The user, target, chain and compound a result belongs to. */
type ResultOf = { userId: string; targetId: string; chain: string; smiles: string }

/** Finds how far the poses of a screen shift these molecules, by standard SMILES. */
export type ReadShifts = (smiles: string[]) => Promise<Shifts>

/** For a structure-adjusted pair: the shift by its own pose, and the shifts of the measured compounds. */
export type StructureStart = { shift: number; readShifts: ReadShifts }

export type AddOwnValues = (
  of: ResultOf,
  result: PredictionResult,
  start?: StructureStart | null,
) => Promise<PredictionResult>

type Measured = { kind: 'targets' | 'compounds'; ids: string[]; smiles: string[] }

/** Counts a user's values on these targets or of these molecules; all values if `what` is null. */
export async function countValuesOf(
  db: Database,
  userId: string,
  what: Measured | null,
): Promise<number> {
  const { count } = await db
    .selectFrom('measurements')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('user_id', '=', userId)
    .$if(what?.kind === 'targets', (query) =>
      query.where('target_id', '=', sql<string>`any(${what?.ids ?? []}::uuid[])`),
    )
    .$if(what?.kind === 'compounds', (query) =>
      query.where('smiles', '=', sql<string>`any(${what?.smiles ?? []}::text[])`),
    )
    .executeTakeFirstOrThrow()
  return count
}

type OwnValuesDependencies = {
  database: Pick<OpenDatabase, 'db'>
  parsingWorkers: Pick<ParsingWorkers, 'readFingerprints'>
  settings: OwnValuesSettings
  findPredicted: FindPredicted
}

/** Adds the adjustment by the user's current measured values to a result, if there are any. */
export function openOwnValues({
  database: { db },
  parsingWorkers,
  settings,
  findPredicted,
}: OwnValuesDependencies): AddOwnValues {
  return async (of, plain, start = null) => {
    const wanted = { ...of, modelVersion: plain.model_version }
    const from = { db, parsingWorkers, findPredicted }
    const { paid, unpaid } = await readOwnRows(from, wanted).catch(withoutWhenBusy)
    const shifts = start && (await start.readShifts(paid.map(({ smiles }) => smiles)))
    const fitted = await fitMeasured(db, { rows: paid, of: wanted, shifts }, settings)
    const result = withExact(plain, [...paid, ...unpaid], of.smiles)
    if (fitted === null) return result
    if (fitted.update === null) {
      const own_values_unused = { count: fitted.count, is_harmful: fitted.isHarmful }
      return { ...result, own_values_unused }
    }
    const read = await readPacked(parsingWorkers, of.userId, [of.smiles]).catch(nullWhenBusy)
    const packed = read?.get(of.smiles)
    if (packed === undefined) return result
    const estimate = estimateOf(result, unpackCompound(packed))
    const started = start
      ? { ...estimate, predicted: estimate.predicted + start.shift, isAdjusted: true }
      : estimate
    const [updated] = fitted.update([started])
    if (updated === undefined) return result
    const { predicted, halfWidth } = updated
    const { level } = result.interval
    const interval = { lower: predicted - halfWidth, upper: predicted + halfWidth, level }
    const { count, isHarmful: is_harmful } = fitted
    const own_values = { count, is_harmful, predicted_kd: predicted, interval }
    return {
      ...result,
      own_values: start ? { ...own_values, start: 'structure_adjusted' } : own_values,
    }
  }
}

/** Lists the user's values for exactly this molecule before those of the training data. */
function withExact(result: PredictionResult, rows: Predicted[], smiles: string): PredictionResult {
  const own = combineReplicates(rows.filter((row) => row.smiles === smiles)).map(toExact)
  if (own.length === 0) return result
  return { ...result, exact_measurements: [...own, ...(result.exact_measurements ?? [])] }
}

function toExact({ pk, bound, types, count, spread }: MeasuredCompound): ExactMeasurement {
  const several = spread === null ? {} : { count, spread }
  return { pk, bound, types, source: 'own', ...several }
}

/** Adjusts many predictions of one user. */
export type OwnValues = {
  /**
   * Fits one chain of a target and one model; null if the user's values there add nothing or are not used. With
   * `readShifts`, structure-adjusted estimates can be updated as well.
   */
  fit(of: PredictedOf, readShifts?: ReadShifts): Promise<FittedValues | null>
  /** Features for the kernel, in order; null for a molecule that cannot be read safely. */
  readCompounds(userId: string, smiles: string[]): Promise<(KernelCompound | null)[]>
  /** The measured compounds that the model has predicted, and how many it has not predicted yet. */
  list(of: PredictedOf): Promise<{ measured: OwnCompound[]; waiting: number }>
}

/** Replicates are combined; `bits` are the positions of the fingerprint's set bits. */
export type OwnCompound = Pick<MeasuredCompound, 'compound' | 'smiles' | 'pk' | 'bound'> &
  Pick<KernelCompound, 'bits'>

export function openOwnValuesOfMany({
  database: { db },
  parsingWorkers,
  settings,
  findPredicted,
}: OwnValuesDependencies): OwnValues {
  return {
    async fit(of, readShifts) {
      const { paid } = await readOwnRows({ db, parsingWorkers, findPredicted }, of)
      const shifts = readShifts ? await readShifts(paid.map(({ smiles }) => smiles)) : null
      const fitted = await fitMeasured(db, { rows: paid, of, shifts }, settings)
      return fitted?.update ? fitted : null
    },
    async list(of) {
      // Counted first: a value predicted in between is counted twice, rather than never.
      const waiting = await countUnpredicted(db, of.userId, of.targetId)
      const rows = await readDescribed({ db, parsingWorkers }, of)
      const measured = combineReplicates(rows).map(
        ({ compound, smiles, pk, bound, fingerprint }) => {
          return { compound, smiles, pk, bound, bits: unpackCompound(fingerprint).bits }
        },
      )
      return { measured, waiting }
    },
    async readCompounds(userId, smiles) {
      const read = await readPacked(parsingWorkers, userId, smiles)
      return smiles.map((one) => {
        const packed = read.get(one)
        return packed === undefined ? null : unpackCompound(packed)
      })
    },
  }
}

/** Predictions are paid for, so they are returned unadjusted if too many of the user's files are in progress. */
function withoutWhenBusy(error: unknown): OwnRows {
  nullWhenBusy(error)
  return { paid: [], unpaid: [] }
}

function nullWhenBusy(error: unknown): null {
  if (error instanceof AppError && error.code === 'too_many_requests') return null
  throw error
}
