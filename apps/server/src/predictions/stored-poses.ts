/** The stored poses of screens, per target, as SDF records. */
import { fileHeading, POSE_LABEL } from '@pkdex/contract'
import type { Database } from '#server/platform/db/schema.ts'
import type { StructureParts } from './structure-order.ts'
import { roundPk } from './pair-number.ts'
import { readPairs, toRow } from './results.ts'
import { tableOf } from './screen-table.ts'
import { type FeatureRow, unpackCoordinates, unpackFeatures } from './structure-cells.ts'
import { readStructureNumbers } from './structure-numbers.ts'

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
          .selectFrom('structure_blocks as block')
          .select('block.job_id')
          .whereRef('block.order_id', '=', 'target.order_id')
          .whereRef('block.place', '=', 'target.place')
          .where('placed', '>', 0),
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
    .select(['name', 'chain'])
    .where('order_id', '=', screenId)
    .orderBy('place')
    .execute()
  const blocks = await db
    .selectFrom('structure_blocks')
    .select(['block', 'reference', 'first_row as from', 'rows'])
    .where('order_id', '=', screenId)
    .where('place', '=', place)
    .where('placed', '>', 0)
    .orderBy('block')
    .execute()
  for (const { block, reference, from, rows: count } of blocks) {
    const stored = await db
      .selectFrom('structure_blocks')
      .select(['results', 'poses'])
      .where('order_id', '=', screenId)
      .where('place', '=', place)
      .where('block', '=', block)
      .executeTakeFirst()
    if (!stored?.results || !stored.poses) continue
    const { results, poses } = stored
    const features = await unpackFeatures(results)
    const coordinates = (await unpackCoordinates(features, poses)).values()
    const table = tableOf({ id: screenId, targets, compounds: from + count, model_version: '' })
    const structure = await readStructureNumbers(db, screenId, { from, to: from + count })
    const places = features.map((_, at) => (from + at) * targets.length + place)
    const pairs = await readPairs(db, table, places)
    const kept = features.flatMap((found, at) => {
      if (found === null || typeof found === 'string') return []
      const x = coordinates.next().value
      const pair = pairs[at]
      const smiles = pair?.input.standard ?? null
      if (x === undefined || pair === undefined || smiles === null) return []
      const { compound, predicted_kd: predicted } = toRow(table, pair)
      const shift = structure?.(from + at, place)
      const moved = predicted !== null && typeof shift === 'number' ? predicted + shift : null
      const fields = {
        Pose: POSE_LABEL,
        Target: `${name} chain ${chain}`,
        'Reference ligand': reference,
        [fileHeading('predicted_kd')]: String(predicted ?? ''),
        [fileHeading('structure_adjusted_kd')]: moved === null ? '' : String(roundPk(moved)),
        ...featuresOf(found),
      }
      return [{ name: compound, smiles, x, label: POSE_LABEL, fields }]
    })
    yield await writeStored(userId, kept)
  }
}

/** What adjusts the prediction; each is relative to its mean over the compounds placed together. */
function featuresOf({ pose, similarity, difference }: Exclude<FeatureRow, string | null>) {
  return {
    'Better than the reference ligand, kcal/mol': pose.toFixed(2),
    'Similarity to the reference ligand': similarity.toFixed(3),
    ...(difference !== null && {
      'Difference from compounds of the screen, pK': difference.toFixed(2),
    }),
  }
}
