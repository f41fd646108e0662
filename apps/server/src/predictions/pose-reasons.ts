/** Why pairs of a screen have no pose. */
import { sql } from 'kysely'
import type { Database } from '#server/platform/db/schema.ts'

const noLigand = ' has no ligand to place compounds on.'
const notPlaced = 'The poses were cancelled or failed before this compound was placed.'

/** Why a pair of a screen has no pose; null if it has one, or no molecule. Both count from 0. */
export type PoseReasons = (row: number, place: number) => string | null

/** Of these rows, or of all. Null if the screen has no poses, or not yet. */
export async function readPoseReasons(
  db: Database,
  orderId: string,
  rows: number[] | null = null,
): Promise<PoseReasons | null> {
  const { rows: found } = await sql<{
    isReady: boolean
    rows: number[] | null
    places: number[] | null
    reasons: string[] | null
  }>`
    with screen as (
      select number, id from orders where id = ${orderId} and pose_settings is not null
        and status not in ('QUEUED', 'RUNNING')
        and not exists (select from blocks where order_id = id and lane = 'pose' and status = 'WAITING'))
    select true as "isReady", missing.* from screen cross join lateral (
      select array_agg(input.row) as rows, array_agg(target.place) as places,
        array_agg(case when reference is null then target.name || ${noLigand} else coalesce(poses.reason, ${notPlaced}) end)
          as reasons
      from order_rows as input cross join order_targets as target
      left join poses on poses.order_number = number and poses.row = input.row and poses.place = target.place
      where input.order_number = number and target.order_id = screen.id and standard is not null
        and (poses.row is null or poses.reason is not null)
        and (${rows}::int[] is null or input.row = any(${rows}::int[]))) as missing`.execute(db)
  const [screen] = found
  if (screen === undefined) return null
  const { rows: at, places, reasons } = screen
  const reasonOf = new Map(
    at?.map((row, index) => [keyOf(row, places?.[index] ?? 0), reasons?.[index] ?? notPlaced]),
  )
  return (row, place) => reasonOf.get(keyOf(row, place)) ?? null
}

function keyOf(row: number, place: number): string {
  return `${row} ${place}`
}
