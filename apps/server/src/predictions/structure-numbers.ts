/**
 * What poses make of the predictions of a screen: each feature less its mean over the compounds placed together, times
 * its weight. Known once the run has ended, so that a number does not change while others are placed.
 */
import { structureColumns } from '@pkdex/contract'
import { sql } from 'kysely'
import type { StructureWeights } from '#server/inference/service.ts'
import type { Database } from '#server/platform/db/schema.ts'
import { type FeatureRow, unpackFeatures } from './structure-cells.ts'

/** By how much a pair is moved, or why it is not; null where its row has no molecule. `row` counts from 0. */
export type StructureNumbers = (row: number, column: number) => number | string | null

/** Rows from 0 whose numbers are wanted: these, or a range; without either all. */
type WantedRows = { from?: number; to?: number; rows?: number[] }

const notPlaced = 'The poses were cancelled or failed before this compound was placed.'

/** Null where the screen has no poses, or not yet. */
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

/** A run from before differences were used has neither their weight nor the feature. */
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

/** More targets than any screen has. */
const TARGETS = 10_000

function keyOf(row: number, column: number): number {
  return row * TARGETS + column
}

type Table = { structure: StructureNumbers | null; firstRow: number; targets: unknown[] }

/** By how much the pose moves a pair, or why it does not. */
function shiftAt({ structure, firstRow, targets }: Table, place: number) {
  return structure?.(firstRow + Math.floor(place / targets.length), place % targets.length) ?? null
}

/** The interval moves with the number: as many measured values are inside it as inside the plain one. */
export function structureOf(table: Table, place: number, cell: Numbers) {
  if (table.structure === null) return {}
  const shift = shiftAt(table, place)
  if (typeof shift !== 'number') return { structure_adjusted: null, structure_reason: shift }
  const [value, lower, upper] = [cell.predicted, cell.lower, cell.upper].map(
    (one) => Math.round((one + shift) * 1000) / 1000,
  )
  if (value === undefined || lower === undefined || upper === undefined) return {}
  return { structure_adjusted: { value, lower, upper }, structure_reason: null }
}

type Numbers = { predicted: number; lower: number; upper: number }

/** What rows are sorted by; null where there is no pose. */
export function structureKey(table: Table, place: number, predicted: number): number | null {
  const shift = shiftAt(table, place)
  return typeof shift === 'number' ? predicted + shift : null
}

/** Columns of files of this screen. */
export function columnsOf(table: Pick<Table, 'structure'>, columns: readonly string[]) {
  if (table.structure === null) return columns
  const start = columns.includes('own_values') ? ['own_values_start'] : []
  return [...columns, ...start, ...structureColumns]
}
