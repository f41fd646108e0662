/** Stores measured values: each belongs to one user and to the sequence of its target. */
import type { Measurement } from '@pkdex/contract'
import { type Selectable, sql } from 'kysely'
import type { Database, Tables, Trx } from '#server/platform/db/schema.ts'

export type NewMeasurement = Pick<
  Tables['measurements'],
  'compound' | 'smiles' | 'type' | 'value' | 'pk' | 'bound' | 'fingerprint'
>

type OfImport = { userId: string; targetId: string; now: Date; replace: boolean }

/** The result of an import: see `ImportedMeasurements`. */
export type ImportCounts = { added: number; replaced: number; repeated: number }

/** A compound may have any number of values. Values already stored are skipped, so an import can be sent twice. */
export async function keepMeasurements(
  trx: Trx,
  { userId, targetId, now, replace }: OfImport,
  measurements: NewMeasurement[],
): Promise<ImportCounts> {
  const smiles = [...new Set(measurements.map((measurement) => measurement.smiles))]
  if (smiles.length === 0) return { added: 0, replaced: 0, repeated: 0 }
  const replaced = replace ? await deleteOfCompounds(trx, targetId, smiles) : 0
  const added = withoutStored(measurements, await readStored(trx, targetId, smiles))
  if (added.length > 0) {
    const rows = added.map((one) => ({
      ...one,
      user_id: userId,
      target_id: targetId,
      created_at: now,
    }))
    await trx.insertInto('measurements').values(rows).execute()
  }
  return { added: added.length, replaced, repeated: measurements.length - added.length }
}

async function deleteOfCompounds(trx: Trx, targetId: string, smiles: string[]): Promise<number> {
  const ofTarget = trx.deleteFrom('measurements').where('target_id', '=', targetId)
  return Number((await ofTarget.where('smiles', 'in', smiles).executeTakeFirst()).numDeletedRows)
}

type Stored = Pick<Tables['measurements'], 'smiles' | 'type' | 'value'>

function readStored(trx: Trx, targetId: string, smiles: string[]): Promise<Stored[]> {
  return trx
    .selectFrom('measurements')
    .select(['smiles', 'type', 'value'])
    .where('target_id', '=', targetId)
    .where('smiles', 'in', smiles)
    .execute()
}

/** Replicates may be equal, so as many copies of a value are skipped as are stored already. */
function withoutStored(measurements: NewMeasurement[], stored: Stored[]): NewMeasurement[] {
  const keyOf = ({ smiles, type, value }: Stored) => JSON.stringify([smiles, type, value])
  const left = new Map<string, number>()
  for (const one of stored) left.set(keyOf(one), (left.get(keyOf(one)) ?? 0) + 1)
  return measurements.filter((measurement) => {
    const count = left.get(keyOf(measurement)) ?? 0
    left.set(keyOf(measurement), count - 1)
    return count <= 0
  })
}

export async function countMeasurements(
  trx: Trx,
  userId: string,
  targetId: string,
): Promise<{ ofUser: number; ofTarget: number }> {
  return trx
    .selectFrom('measurements')
    .select(({ fn }) => [
      fn.countAll<number>().as('ofUser'),
      fn.countAll<number>().filterWhere('target_id', '=', targetId).as('ofTarget'),
    ])
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow()
}

type Listed = Pick<
  Selectable<Tables['measurements']>,
  'id' | 'compound' | 'smiles' | 'type' | 'value' | 'pk' | 'bound' | 'created_at'
> & { target: string }

function selectListed(db: Database, userId: string) {
  return db
    .selectFrom('measurements')
    .innerJoin('targets', 'targets.id', 'measurements.target_id')
    .select(['measurements.id', 'compound', 'smiles', 'type', 'value', 'pk', 'bound'])
    .select(['measurements.created_at', 'targets.name as target'])
    .where('measurements.user_id', '=', userId)
}

export function toMeasurement({ created_at, ...row }: Listed): Measurement {
  return { ...row, created_at: created_at.toISOString() }
}

type Page = { page: number; page_size: number; target: string }

export async function pageOfMeasurements(
  db: Database,
  userId: string,
  { page, page_size, target }: Page,
) {
  const targets = await db
    .selectFrom('measurements')
    .innerJoin('targets', 'targets.id', 'measurements.target_id')
    .select(({ fn }) => ['targets.name', fn.countAll<number>().as('count')])
    .where('measurements.user_id', '=', userId)
    .groupBy('targets.name')
    .orderBy('targets.name')
    .execute()
  const rows = await selectListed(db, userId)
    .$if(target !== '', (query) => query.where('targets.name', '=', target))
    .orderBy('measurements.created_at', 'desc')
    .orderBy('compound')
    .orderBy('measurements.id')
    .limit(page_size)
    .offset((page - 1) * page_size)
    .execute()
  const counted = targets.filter(({ name }) => target === '' || name === target)
  const total = counted.reduce((sum, { count }) => sum + count, 0)
  return { total, targets, measurements: rows.map(toMeasurement) }
}

export function findMeasurement(db: Database, userId: string, id: string) {
  return selectListed(db, userId).where('measurements.id', '=', id).executeTakeFirst()
}

export async function changeMeasurement(
  db: Database,
  { userId, id }: { userId: string; id: string },
  change: Pick<Tables['measurements'], 'type' | 'value' | 'pk' | 'bound'>,
): Promise<void> {
  const own = db.updateTable('measurements').where('user_id', '=', userId)
  await own.set(change).where('id', '=', id).execute()
}

/** Deletes one of the user's values, or all on a target. Returns how many. */
export async function deleteMeasurements(
  db: Database,
  userId: string,
  which: { id: string } | { targetId: string },
): Promise<number> {
  const own = db.deleteFrom('measurements').where('user_id', '=', userId)
  const chosen =
    'id' in which ? own.where('id', '=', which.id) : own.where('target_id', '=', which.targetId)
  return Number((await chosen.executeTakeFirst()).numDeletedRows)
}

export type Predicted = Pick<
  Selectable<Tables['measurements']>,
  'id' | 'compound' | 'smiles' | 'type' | 'pk' | 'bound' | 'fingerprint'
> & { predicted: number; halfWidth: number }

export type PredictedOf = { userId: string; targetId: string; chain: string; modelVersion: string }

/** The user's values on a target that this model has predicted for this chain: oldest first, per import by name. */
export async function readPredicted(db: Database, of: PredictedOf): Promise<Predicted[]> {
  const rows = await db
    .selectFrom('measurements')
    .select(['id', 'compound', 'smiles', 'type', 'pk', 'bound', 'fingerprint', 'predicted'])
    .select('half_width as halfWidth')
    .where('user_id', '=', of.userId)
    .where('target_id', '=', of.targetId)
    .where('chain', '=', of.chain)
    .where('model_version', '=', of.modelVersion)
    .orderBy('created_at')
    .orderBy('compound')
    .orderBy('id')
    .execute()
  return rows.flatMap(({ predicted, halfWidth, ...row }) =>
    predicted === null || halfWidth === null ? [] : [{ ...row, predicted, halfWidth }],
  )
}

/** All values on targets with these names, predicted or not: oldest first, per import by name. */
export function readValuesOn(db: Database, userId: string, targets: string[]) {
  return db
    .selectFrom('measurements')
    .innerJoin('targets', 'targets.id', 'measurements.target_id')
    .select(['compound', 'smiles', 'type', 'pk', 'bound', 'predicted', 'targets.name as target'])
    .where('measurements.user_id', '=', userId)
    .where('targets.name', '=', sql<string>`any(${targets}::text[])`)
    .orderBy('measurements.created_at')
    .orderBy('compound')
    .orderBy('measurements.id')
    .execute()
}

/** The names among these whose target has measured values. */
export async function namesWithValues(
  db: Database,
  userId: string,
  targets: string[],
): Promise<string[]> {
  const rows = await db
    .selectFrom('measurements')
    .innerJoin('targets', 'targets.id', 'measurements.target_id')
    .select('targets.name')
    .distinct()
    .where('measurements.user_id', '=', userId)
    .where('targets.name', '=', sql<string>`any(${targets}::text[])`)
    .execute()
  return rows.map(({ name }) => name)
}

export type OfTarget = Pick<PredictedOf, 'userId' | 'targetId'>

/** The user's choice for the target; null if there is none. */
export async function readUseOfOwnValues(
  db: Database,
  { userId, targetId }: OfTarget,
): Promise<boolean | null> {
  const target = await db
    .selectFrom('targets')
    .select('use_own_values')
    .where('id', '=', targetId)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return target?.use_own_values ?? null
}

export async function chooseUseOfOwnValues(
  db: Database,
  { userId, targetId }: OfTarget,
  use_own_values: boolean | null,
): Promise<void> {
  const own = db.updateTable('targets').where('user_id', '=', userId)
  await own.set({ use_own_values }).where('id', '=', targetId).execute()
}

export async function keepFingerprint(db: Database, id: string, fingerprint: Buffer) {
  await db.updateTable('measurements').set({ fingerprint }).where('id', '=', id).execute()
}

export async function countUnpredicted(
  db: Database,
  userId: string,
  targetId: string,
): Promise<number> {
  const { waiting } = await db
    .selectFrom('measurements')
    .select(({ fn }) => fn.countAll<number>().as('waiting'))
    .where('user_id', '=', userId)
    .where('target_id', '=', targetId)
    .where('is_predicted', '=', false)
    .executeTakeFirstOrThrow()
  return waiting
}
