/** What the database remembers of measured values: each belongs to one user, and goes with its target. */
import type { Measurement } from '@pkdex/contract'
import { type Selectable, sql } from 'kysely'
import type { Database, MeasurementsTable, Trx } from '#server/platform/db/schema.ts'

export type NewMeasurement = Pick<
  MeasurementsTable,
  'compound' | 'smiles' | 'type' | 'value' | 'pk' | 'bound' | 'fingerprint'
>

/** A value of a molecule that has one on the target takes its place. Answers of each whether it is new. */
export async function keepMeasurements(
  trx: Trx,
  { userId, targetId, now }: { userId: string; targetId: string; now: Date },
  measurements: NewMeasurement[],
): Promise<boolean[]> {
  if (measurements.length === 0) return []
  const kept = await trx
    .insertInto('measurements')
    .values(
      measurements.map((one) => ({
        ...one,
        user_id: userId,
        target_id: targetId,
        created_at: now,
      })),
    )
    .onConflict((conflict) =>
      conflict.columns(['target_id', 'smiles']).doUpdateSet((row) => ({
        compound: row.ref('excluded.compound'),
        type: row.ref('excluded.type'),
        value: row.ref('excluded.value'),
        pk: row.ref('excluded.pk'),
        bound: row.ref('excluded.bound'),
        created_at: row.ref('excluded.created_at'),
      })),
    )
    .returning(sql<boolean>`xmax = 0`.as('isNew'))
    .execute()
  return kept.map(({ isNew }) => isNew)
}

/** Whether the user has the target, to the end of the transaction. */
export async function holdTarget(trx: Trx, userId: string, targetId: string): Promise<boolean> {
  const target = await trx
    .selectFrom('targets')
    .select('id')
    .where('id', '=', targetId)
    .where('user_id', '=', userId)
    .forShare()
    .executeTakeFirst()
  return target !== undefined
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
  Selectable<MeasurementsTable>,
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
  change: Pick<MeasurementsTable, 'type' | 'value' | 'pk' | 'bound'>,
): Promise<void> {
  const own = db.updateTable('measurements').where('user_id', '=', userId)
  await own.set(change).where('id', '=', id).execute()
}

/** One of the user's values, or all on a target. Answers how many. */
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
  Selectable<MeasurementsTable>,
  'id' | 'compound' | 'smiles' | 'pk' | 'bound' | 'fingerprint'
> & { predicted: number; halfWidth: number }

export type PredictedOf = { userId: string; targetId: string; chain: string; modelVersion: string }

/** The user's values on a target whose compounds this model has predicted, on this chain of it; oldest first. */
export async function readPredicted(db: Database, of: PredictedOf): Promise<Predicted[]> {
  const rows = await db
    .selectFrom('measurements')
    .select(['id', 'compound', 'smiles', 'pk', 'bound', 'fingerprint', 'predicted'])
    .select('half_width as halfWidth')
    .where('user_id', '=', of.userId)
    .where('target_id', '=', of.targetId)
    .where('chain', '=', of.chain)
    .where('model_version', '=', of.modelVersion)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  return rows.flatMap(({ predicted, halfWidth, ...row }) =>
    predicted === null || halfWidth === null ? [] : [{ ...row, predicted, halfWidth }],
  )
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

// What the worker does.

/** What another model said of them is not said by this one. */
export async function forgetOtherModels(db: Database, modelVersion: string): Promise<void> {
  await db
    .updateTable('measurements')
    .set({ is_predicted: false })
    .where('is_predicted', '=', true)
    .where('model_version', '<>', modelVersion)
    .execute()
}

export function readUnpredicted(db: Database, limit: number) {
  return db
    .selectFrom('measurements')
    .innerJoin('targets', 'targets.id', 'measurements.target_id')
    .select(['measurements.id', 'measurements.smiles', 'targets.chain', 'targets.segments'])
    .where('is_predicted', '=', false)
    .orderBy('measurements.created_at')
    .orderBy('measurements.id')
    .limit(limit)
    .execute()
}

/** `predicted` is null where the model has no number. */
export async function notePrediction(
  db: Database,
  id: string,
  of: {
    chain: string
    modelVersion: string
    predicted: number | null
    halfWidth: number | null
  },
): Promise<void> {
  const { chain, predicted } = of
  await db
    .updateTable('measurements')
    .set({ chain, predicted, model_version: of.modelVersion, half_width: of.halfWidth })
    .set({
      is_predicted: sql<boolean>`${chain} = (select targets.chain from targets where targets.id = target_id)`,
    })
    .where('id', '=', id)
    .execute()
}
