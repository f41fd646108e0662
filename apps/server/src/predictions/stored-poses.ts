/** The stored poses of screens, per target, as SDF records. */
import { fileHeading, POSE_LABEL } from '@pkdex/contract'
import { sql } from 'kysely'
import type { Database } from '#server/platform/db/schema.ts'
import type { StructureParts } from './structure-order.ts'
import { roundPk } from './pair-number.ts'
import { poseShift } from './pose-shifts.ts'
import { readPairs, toRow } from './results.ts'
import { tableOf } from './screen-table.ts'

type PosesOfScreen = {
  userId: string
  screenId: string
  targets: { name: string; chain: string; place: number }[]
}

type PlacedTarget = { screenId: string; target: PosesOfScreen['targets'][number] }

/** The targets of all screens of a user that have poses. */
export async function findPlacedTargets(db: Database, userId: string): Promise<PlacedTarget[]> {
  const rows = await db
    .selectFrom('order_targets as target')
    .innerJoin('orders', 'orders.id', 'target.order_id')
    .select(['order_id as screenId', 'target.name', 'chain', 'place'])
    .where('orders.user_id', '=', userId)
    .where((where) =>
      where.exists(
        where
          .selectFrom('poses')
          .select('poses.row')
          .whereRef('poses.order_number', '=', 'orders.number')
          .whereRef('poses.place', '=', 'target.place')
          .where('reason', 'is', null),
      ),
    )
    .orderBy('orders.created_at')
    .orderBy('orders.id')
    .orderBy('place')
    .execute()
  return rows.map(({ screenId, ...target }) => ({ screenId, target }))
}

/** Stops early if the screen is deleted in the meantime. */
export async function* writeStoredPoses(
  dependencies: Dependencies,
  { userId, screenId, targets }: PosesOfScreen,
): AsyncGenerator<string> {
  for (const target of targets) yield* writeOfTarget(dependencies, { userId, screenId, target })
}

type Dependencies = { db: Database; poses: Pick<StructureParts['poses'], 'writeStored'> }

async function* writeOfTarget(
  { db, poses: { writeStored } }: Dependencies,
  { userId, screenId, target }: PlacedTarget & { userId: string },
): AsyncGenerator<string> {
  const { name, chain, place } = target
  const targets = await db
    .selectFrom('order_targets')
    .select(['name', 'chain', 'reference'])
    .where('order_id', '=', screenId)
    .orderBy('place')
    .execute()
  const reference = targets[place]?.reference ?? ''
  for (let after = -1; ;) {
    const poses = await readPoses(db, { screenId, place, after })
    const last = poses.at(-1)
    if (last === undefined) return
    after = last.row
    const table = tableOf({ id: screenId, targets, compounds: after + 1, model_version: '' })
    const pairs = await readPairs(
      db,
      table,
      poses.map(({ row }) => row * targets.length + place),
    )
    const placed = poses.flatMap((pose, at) => {
      const pair = pairs[at]
      const smiles = pair?.input.standard ?? null
      if (pair === undefined || smiles === null) return []
      const { compound, predicted_kd: predicted } = toRow(table, pair)
      const moved = predicted !== null && pose.shift !== null ? predicted + pose.shift : null
      const fields = {
        Pose: POSE_LABEL,
        Target: `${name} chain ${chain}`,
        'Reference ligand': reference,
        [fileHeading('predicted_kd')]: String(predicted ?? ''),
        [fileHeading('structure_adjusted_kd')]: moved === null ? '' : String(roundPk(moved)),
        ...featuresOf(pose),
      }
      return [{ name: compound, smiles, x: Float64Array.from(pose.x), label: POSE_LABEL, fields }]
    })
    yield await writeStored(userId, placed)
  }
}

type StoredPose = {
  row: number
  pose: number
  similarity: number
  difference: number | null
  x: number[]
  /** How far it moves the prediction; null until all poses of the screen have ended. */
  shift: number | null
}

/** Poses per statement: others use the one embedded connection in between. */
const POSES_AT_ONCE = 100

async function readPoses(
  db: Database,
  { screenId, place, after }: { screenId: string; place: number; after: number },
): Promise<StoredPose[]> {
  const { rows } = await sql<StoredPose>`
    select poses.row, pose, similarity, difference, x, ${poseShift} as shift
    from orders join order_targets on order_targets.order_id = orders.id
    join poses on poses.order_number = orders.number and poses.place = order_targets.place
    where orders.id = ${screenId} and poses.place = ${place} and poses.row > ${after} and poses.reason is null
    order by poses.row limit ${POSES_AT_ONCE}`.execute(db)
  return rows
}

/** What adjusts the prediction; each is relative to its mean over the compounds placed together. */
function featuresOf({ pose, similarity, difference }: StoredPose) {
  return {
    'Better than the reference ligand, kcal/mol': pose.toFixed(2),
    'Similarity to the reference ligand': similarity.toFixed(3),
    ...(difference !== null && {
      'Difference from compounds of the screen, pK': difference.toFixed(2),
    }),
  }
}
