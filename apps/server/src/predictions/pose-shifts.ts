/**
 * How far the pose of a pair moves its prediction. Of several screens that placed the compound in the structure, the one
 * with the most poses counts, because each is relative to the compounds placed together; so a pair has the same number on
 * every page. A compound placed alone is compared with nothing, so its pose counts for nothing.
 */
import { sql } from 'kysely'
import type { Database } from '#server/platform/db/schema.ts'
import { compoundKey } from './pair-key.ts'

/** By standard SMILES; compounds without a pose are missing. */
export type ReadShifts = (smiles: string[]) => Promise<Map<string, number>>

/**
 * In a query over `orders`, `order_targets` and `poses`: each feature minus its mean over the compounds placed together,
 * times its weight; null until all poses of the screen have ended.
 */
export const poseShift = sql<number | null>`(
  (pose_settings #>> '{weights,pose}')::float8 * (poses.pose - pose_mean)
  + (pose_settings #>> '{weights,similarity}')::float8 * (poses.similarity - similarity_mean)
  + coalesce((pose_settings #>> '{weights,difference}')::float8 * (poses.difference - difference_mean), 0))`

/** Whether a single prediction of this pair waits for its pose, which may still move the number. */
export async function isBeingPlaced(
  db: Database,
  { userId, sequence, compound }: { userId: string; sequence: Buffer; compound: Buffer },
): Promise<boolean> {
  const { rows } = await sql`select from blocks join orders on orders.id = order_id
    join order_targets on order_targets.order_id = orders.id
    join order_rows on order_number = number and order_rows.row = 0
    where lane = 'pose' and blocks.status = 'WAITING' and kind = 'single' and orders.user_id = ${userId}
      and order_targets.key = ${sequence} and compound_key = ${compound} limit 1`.execute(db)
  return rows.length > 0
}

type Wanted = { userId: string; keys: Buffer[]; modelVersion: string }
type PlacedTarget = { number: number; place: number; key: Buffer }

/** By sequence key; null if none of the user's screens placed compounds in such a structure. */
export async function openPoseShifts(
  db: Database,
  { userId, keys, modelVersion }: Wanted,
): Promise<(key: Buffer) => ReadShifts | null> {
  const { rows } = await sql<PlacedTarget>`
    select orders.number, order_targets.place, order_targets.key
    from orders join order_targets on order_targets.order_id = orders.id
    where orders.user_id = ${userId} and kind in ('screen', 'call') and pose_settings is not null and placed > 1
      and order_targets.key = any(${keys}::bytea[])
      and ${modelVersion} = any(string_to_array(orders.model_version, ', '))
    order by placed desc, orders.created_at desc, orders.id, order_targets.place`.execute(db)
  const targetsOf = Map.groupBy(rows, ({ key }) => key.toString('latin1'))
  return (key) => {
    const targets = targetsOf.get(key.toString('latin1'))
    return targets === undefined
      ? null
      : (smiles) => readShifts(db, { userId, key, targets }, smiles)
  }
}

/** `targets`: the first that placed a compound counts, before compounds that were placed like it one by one. */
async function readShifts(
  db: Database,
  { userId, key, targets }: { userId: string; key: Buffer; targets: PlacedTarget[] },
  smiles: string[],
): Promise<Map<string, number>> {
  const smilesOf = new Map(smiles.map((one) => [compoundKey(one).toString('latin1'), one]))
  const keys = [...smilesOf.keys()].map((key) => Buffer.from(key, 'latin1'))
  const { rows } = await sql<{ key: Buffer; shift: number }>`
    select distinct on (key) key, shift from (
    select compound_key as key, ${poseShift} as shift, rank, poses.row
    from unnest(${targets.map(({ number }) => number)}::int[], ${targets.map(({ place }) => place)}::int[])
      with ordinality as wanted (number, place, rank)
    join orders using (number)
    join order_targets on order_targets.order_id = orders.id and order_targets.place = wanted.place
    join order_rows on order_rows.order_number = wanted.number and compound_key = any(${keys}::bytea[])
    join poses on poses.order_number = wanted.number and poses.row = order_rows.row and poses.place = wanted.place
    where poses.reason is null
    union all
    select compound_key, ${poseShift}, null, 0 from order_rows
    join orders on number = order_number join order_targets on order_targets.order_id = orders.id
    join poses on poses.order_number = number and poses.row = 0 and poses.place = 0
    where order_rows.row = 0 and compound_key = any(${keys}::bytea[]) and kind = 'single' and orders.user_id = ${userId}
      and order_targets.key = ${key} and pose_settings is not null and poses.reason is null
    ) as placed order by key, rank, row`.execute(db)
  return new Map(rows.map(({ key, shift }) => [smilesOf.get(key.toString('latin1')) ?? '', shift]))
}
