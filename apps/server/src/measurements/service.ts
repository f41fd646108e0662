/** What other features use of measured values: how they move predictions, and the values still to be predicted. */
import type { ExactMeasurement } from '@pkdex/contract'
import { sql } from 'kysely'
import type { ParsingWorkers } from '#server/files/parsing/service.ts'
import type { OwnValuesSettings } from '#server/inference/service.ts'
import type { Database } from '#server/platform/db/schema.ts'
import type { OpenDatabase } from '#server/platform/db/open.ts'
import { combineReplicates, type MeasuredCompound } from './combine.ts'
import { type FittedValues, fitMeasured, type Shifts, type UnusedValues } from './compare.ts'
import { readPacked } from './fingerprints.ts'
import { type KernelCompound, unpackCompound } from './own-values.ts'
import type { FindPredicted } from './import.ts'
import { readDescribed, readOwnRows } from './read-described.ts'
import { countUnpredicted, type PredictedOf, readValuesOn } from './store.ts'

export type { FittedValues } from './compare.ts'
export { kendallTau, wordTau } from './agreement.ts'
export { type FindPredicted, importMeasurements } from './import.ts'
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

/** Finds how far poses move the predictions of these molecules, by standard SMILES. */
export type ReadShifts = (smiles: string[]) => Promise<Shifts>

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

function toExact({ pk, bound, types, count, spread }: MeasuredCompound): ExactMeasurement {
  const several = spread === null ? {} : { count, spread }
  return { pk, bound, types, source: 'own', ...several }
}

/** A user's values on one chain of a target, for one model. */
export type ValuesOnTarget = {
  /** Null without values. */
  fit: FittedValues | UnusedValues | null
  /** Measured compounds that do not count, because the user has not predicted them on this target. */
  countUnpaid(): number
  /** The values for exactly this molecule, replicates combined. */
  listExact(smiles: string): ExactMeasurement[]
}

/** Adjusts many predictions of one user. */
export type OwnValues = {
  /** With `readShifts`, predictions that a pose has moved can be updated as well. */
  read(of: PredictedOf, readShifts?: ReadShifts): Promise<ValuesOnTarget>
  /** Features for the kernel, in order; null for a molecule that cannot be read safely. */
  readCompounds(userId: string, smiles: string[]): Promise<(KernelCompound | null)[]>
  /** The measured compounds that the model has predicted, and how many it has not predicted yet. */
  list(of: PredictedOf): Promise<{ measured: OwnCompound[]; waiting: number }>
}

/** Replicates are combined; `bits` are the positions of the fingerprint's set bits. */
export type OwnCompound = Pick<MeasuredCompound, 'compound' | 'smiles' | 'pk' | 'bound'> &
  Pick<KernelCompound, 'bits'>

export function openOwnValues({
  database: { db },
  parsingWorkers,
  settings,
  findPredicted,
}: OwnValuesDependencies): OwnValues {
  return {
    async read(of, readShifts) {
      const { paid, unpaid } = await readOwnRows({ db, parsingWorkers, findPredicted }, of)
      const shifts = readShifts ? await readShifts(paid.map(({ smiles }) => smiles)) : null
      return {
        fit: await fitMeasured(db, { rows: paid, of, shifts }, settings),
        countUnpaid: () => combineReplicates(unpaid).length,
        listExact: (smiles) =>
          combineReplicates([...paid, ...unpaid].filter((row) => row.smiles === smiles)).map(
            toExact,
          ),
      }
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
