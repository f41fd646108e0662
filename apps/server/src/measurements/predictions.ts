/** Finds measured values without a prediction, and stores the predictions that were ordered for them. */
import { sql } from 'kysely'
import type { Database, Trx } from '#server/platform/db/schema.ts'
import type { OfTarget } from './store.ts'

/** Predictions of another model do not count. */
export async function forgetOtherModels(db: Database, modelVersion: string): Promise<void> {
  await db
    .updateTable('measurements')
    .set({ is_predicted: false })
    .where('is_predicted', '=', true)
    .where('model_version', '<>', modelVersion)
    .execute()
}

/** Targets with values that no order predicts. */
export async function listTargetsToOrder(db: Database, limit: number): Promise<OfTarget[]> {
  const { rows } = await sql<OfTarget>`
    select user_id as "userId", target_id as "targetId" from measurements
    where not is_predicted and order_id is null and target_id is not null
    group by user_id, target_id order by min(created_at) limit ${limit}`.execute(db)
  return rows
}

/** Values of a target that no order predicts, and their distinct molecules; null if there are none. */
export async function readToOrder(trx: Trx, { userId, targetId }: OfTarget) {
  const rows = await trx
    .selectFrom('measurements')
    .innerJoin('targets', 'targets.id', 'measurements.target_id')
    .select(['measurements.id', 'smiles', 'targets.name', 'targets.chain', 'targets.segments'])
    .where('measurements.user_id', '=', userId)
    .where('target_id', '=', targetId)
    .where('is_predicted', '=', false)
    .where('order_id', 'is', null)
    .orderBy('measurements.created_at')
    .orderBy('measurements.id')
    .execute()
  const [first] = rows
  if (first === undefined) return null
  const { name, chain, segments } = first
  return {
    target: { name, chain, segments: segments[chain] ?? [] },
    ids: rows.map(({ id }) => id),
    smiles: [...new Set(rows.map(({ smiles }) => smiles))],
  }
}

export async function noteOrder(trx: Trx, ids: string[], orderId: string): Promise<void> {
  await trx
    .updateTable('measurements')
    .set({ order_id: orderId })
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .execute()
}

type Ordered = { orderId: string; chain: string; modelVersion: string }
type PredictedNumber = { smiles: string; predicted: number | null; halfWidth: number | null }

/**
 * `predicted` is null if the model has no prediction. Values whose target or chain has changed since are ordered again.
 */
export async function storeNumbers(
  trx: Trx,
  { orderId, chain, modelVersion }: Ordered,
  numbers: PredictedNumber[],
): Promise<void> {
  const [smiles, predicted, halfWidths] = [
    numbers.map((number) => number.smiles),
    numbers.map((number) => number.predicted),
    numbers.map((number) => number.halfWidth),
  ]
  await sql`update measurements
    set chain = ${chain}, model_version = ${modelVersion}, predicted = numbers.predicted,
      half_width = numbers.half_width, order_id = null,
      is_predicted = coalesce(${chain} = (select targets.chain from targets where targets.id = target_id), false)
    from unnest(${smiles}::text[], ${predicted}::float8[], ${halfWidths}::float8[])
      as numbers (smiles, predicted, half_width)
    where order_id = ${orderId} and measurements.smiles = numbers.smiles`.execute(trx)
}
