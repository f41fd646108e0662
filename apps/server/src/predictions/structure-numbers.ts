/**
 * Adjusts the predictions of a screen by their poses: each feature minus its mean over the compounds placed together,
 * times its weight. Available once the run has ended, because the means change while compounds are being placed.
 */
import { sql } from 'kysely'
import type { StructureWeights } from '#server/inference/service.ts'
import type { Database } from '#server/platform/db/schema.ts'
import { type FeatureRow, unpackFeatures } from './structure-cells.ts'

/** The shift of a pair, or the reason why it has none; null if its row has no molecule. `row` counts from 0. */
export type StructureNumbers = (row: number, column: number) => number | string | null

/** Which rows to read, counted from 0: a list or a range; all if neither is given. */
type WantedRows = { from?: number; to?: number; rows?: number[] }

const notPlaced = 'The poses were cancelled or failed before this compound was placed.'

/** Null if the screen has no poses, or not yet. */
export async function readStructureNumbers(
  db: Database,
  screenId: string,
  wanted: WantedRows = {},
): Promise<StructureNumbers | null> {
  const run = await db
    .selectFrom('structure_runs')
    .select('weights')
    .where('order_id', '=', screenId)
    .where('status', 'in', ['DONE', 'FAILED'])
    .executeTakeFirst()
  if (run === undefined) return null
  const { weights } = run
  const centres = await readCentres(db, screenId)
  const features = await readFeatures(db, screenId, wanted)
  return (row, column) => {
    const found = features.get(keyOf(row, column))
    const centre = centres.get(column)
    if (found === null || typeof found === 'string') return found
    if (found === undefined || centre === undefined) return notPlaced
    return shiftOf(weights, found, centre)
  }
}

type Features = { pose: number; similarity: number; difference: number | null }

/** Runs from before differences were used have neither this weight nor this feature. */
function shiftOf(weights: StructureWeights, found: Features, centre: Features): number {
  const { pose, similarity, difference = 0 } = weights
  const apart = (found.difference ?? 0) - (centre.difference ?? 0)
  return (
    pose * (found.pose - centre.pose) +
    similarity * (found.similarity - centre.similarity) +
    difference * apart
  )
}

async function readCentres(db: Database, screenId: string): Promise<Map<number, Features>> {
  const rows = await db
    .selectFrom('structure_blocks')
    .select(['place', sql<number>`sum(pose_sum) / nullif(sum(placed), 0)`.as('pose')])
    .select(sql<number>`sum(similarity_sum) / nullif(sum(placed), 0)`.as('similarity'))
    .select(sql<number | null>`sum(difference_sum) / nullif(sum(placed), 0)`.as('difference'))
    .where('order_id', '=', screenId)
    .groupBy('place')
    .execute()
  return new Map(rows.map(({ place, ...centre }) => [place, centre]))
}

async function readFeatures(
  db: Database,
  screenId: string,
  { from = 0, to = Infinity, rows }: WantedRows,
): Promise<Map<number, FeatureRow>> {
  const blocks = await db
    .selectFrom('structure_blocks')
    .select(['place', 'first_row as firstRow', 'results'])
    .where('order_id', '=', screenId)
    .where(sql<boolean>`first_row + rows > ${from}::int`)
    .$if(to < Infinity, (query) => query.where('first_row', '<', to))
    .$if(rows !== undefined, (query) =>
      query.where(sql<boolean>`exists (
        select from unnest(${rows ?? []}::int[]) as wanted (row)
        where wanted.row >= first_row and wanted.row < first_row + rows)`),
    )
    .execute()
  const features = new Map<number, FeatureRow>()
  for (const { place, firstRow, results } of blocks) {
    if (results === null) continue
    for (const [at, row] of (await unpackFeatures(results)).entries()) {
      features.set(keyOf(firstRow + at, place), row)
    }
  }
  return features
}

/** Greater than the number of targets of any screen. */
const TARGETS = 10_000

function keyOf(row: number, column: number): number {
  return row * TARGETS + column
}
