/** Reads the pairs of a screen at given places, as rows of its table. */
import { matrixFlags, noPrediction, type ScreenRow } from '@pkdex/contract'
import { sql } from 'kysely'
import type { Database, Tables } from '#server/platform/db/schema.ts'
import type { Best } from './best-estimates.ts'
import { bestOf, movePairs, structureOf } from './table-estimates.ts'
import { fromStored, numberColumns, type StoredNumber } from './pair-number.ts'
import type { InputRow } from './plan.ts'
import { detailsOf } from './row-details.ts'
import { scoreColumnsOf } from './score-table.ts'
import { orderNumber, readColumns, type ScreenPair, type ScreenTable } from './screen-table.ts'
import { selectivityOf } from './selectivity.ts'

type StoredPair = StoredNumber & {
  row: number
  place: number
  model_version: string
}

/** In the order of the places. */
export async function readPairs(
  db: Database,
  table: ScreenTable,
  places: number[],
): Promise<ScreenPair[]> {
  const width = table.targets.length
  const rows = [...new Set(places.map((place) => Math.floor(place / width)))]
  const input = await db
    .selectFrom('order_rows')
    .innerJoin('blocks', 'blocks.block', 'order_rows.block')
    .select(['row', 'name', 'smiles', 'standard', 'reason', 'status'])
    .where('order_number', '=', orderNumber(table.id))
    .where('order_id', '=', table.id)
    .where('row', '=', sql<number>`any(${rows}::int[])`)
    .execute()
  const inputOf = new Map(input.map((one) => [one.row, one]))
  const stored = await readStored(db, table, { rows, places })
  const moved =
    table.moved ??
    (await movePairs(
      table,
      stored.map((pair) => ({
        ...pair,
        place: pair.row * width + pair.place,
        standard: inputOf.get(pair.row)?.standard ?? null,
        modelVersion: pair.model_version,
      })),
    ))
  const pairsOf = Map.groupBy(stored, ({ row }) => row)
  return places.flatMap((place) => {
    const row = inputOf.get(Math.floor(place / width))
    if (row === undefined) return []
    return [toPair(table, { place, row, pairs: pairsOf.get(row.row) ?? [], moved })]
  })
}

/** Of wider screens, the database selects the pairs of a compound: a page would read too many. */
const WIDTH_MAX = 50

/** The pairs at these places with a number, and those of each row that may be its best, which selectivity compares. */
async function readStored(
  db: Database,
  { id, targets: { length: width }, columns }: ScreenTable,
  { rows, places }: { rows: number[]; places: number[] },
): Promise<StoredPair[]> {
  const moving = [...columns.keys()].filter((at) => columns[at] !== null)
  const all = sql`select * from pairs
    where order_number = ${orderNumber(id)} and row = any(${rows}::int[])`
  const ranked = sql`select * from (
      select *, row_number() over (partition by row order by predicted desc, place) as rank
      from (${all}) as stored) as ranked
    where rank <= ${moving.length + 2}::int or place = any(${moving}::int[])
      or row * ${width}::int + place = any(${places}::int[])`
  const pairs = sql`select row, place, model_version, ${sql.raw(numberColumns.join(', '))}
    from (${width > WIDTH_MAX ? ranked : all}) as pairs order by row, place`
  return readColumns(db, pairs, ['row', 'place', 'model_version', ...numberColumns])
}

type Found = {
  place: number
  row: InputRow & { status: Tables['blocks']['status'] }
  pairs: StoredPair[]
  moved: ReadonlyMap<number, Best>
}

function toPair(table: ScreenTable, { place, row, pairs, moved }: Found): ScreenPair {
  const { name, smiles, standard, reason, status } = row
  const width = table.targets.length
  const column = place % width
  const first = place - column
  const own = pairs.find((pair) => pair.place === column)
  const others = pairs
    .filter((pair) => pair.place !== column)
    .map((pair) => bestOf(moved, first + pair.place, fromStored(pair)))
  const number = own === undefined ? null : fromStored(own)
  return {
    place,
    input: { name, smiles, standard, reason },
    number,
    best: number && bestOf(moved, place, number),
    other: strongestOf(others),
    modelVersion: own?.model_version ?? table.modelVersion,
    missing: whyMissing(status),
  }
}

/** The first of several. */
function strongestOf(all: Best[]): Best | null {
  return all.reduce<Best | null>(
    (best, one) => (best === null || one.predicted > best.predicted ? one : best),
    null,
  )
}

const notPredictedYet = 'Not predicted yet.'
const notPredicted = 'Prediction failed because of a server error. Your credits were refunded.'

function whyMissing(status: Tables['blocks']['status']): string {
  switch (status) {
    case 'WAITING':
      return notPredictedYet
    case 'CANCELLED':
      return 'Not predicted: the screen was cancelled.'
    case 'FAILED':
    case 'DONE':
      return notPredicted
  }
}

/** Whether it may still get a number. */
export function isWaiting({ reason }: ScreenRow): boolean {
  return reason === notPredictedYet
}

export function toRow(table: ScreenTable, pair: ScreenPair): ScreenRow {
  const { targets } = table
  const { place, input, number, best, modelVersion } = pair
  const target = targets[place % targets.length]
  if (target === undefined) throw new Error('there is no such pair')
  const shared = {
    row: Math.floor(place / targets.length) + 1,
    compound: input.name,
    smiles: input.smiles,
    target: target.name,
    model_version: modelVersion,
  }
  const details = { ...detailsOf(table, pair), ...scoreColumnsOf(table, place) }
  if (number === null || best === null) {
    const reason = input.reason ?? pair.missing
    return { ...shared, ...noPrediction, ...details, chain: target.chain, reason }
  }
  return {
    ...shared,
    chain: target.chain,
    best_kd: best.predicted,
    best_lower: best.lower,
    best_upper: best.upper,
    own_values: best.ownValues === 0 ? null : best.ownValues,
    predicted_kd: number.predicted,
    lower: number.lower,
    upper: number.upper,
    in_domain: number.domainState === null || number.domainState === 'known_on_target',
    domain_state: number.domainState,
    is_ligand_driven: number.isLigandDriven,
    compound_similarity: number.compoundSimilarity,
    target_similarity: number.targetSimilarity,
    ...selectivityOf(pair),
    ...structureOf(table, place, best.pose),
    reason: null,
    ...details,
  }
}

const ROWS_AT_ONCE = 1000

/** Splits places into pages, so that a long table does not block the process. */
export function* cutPages(places: number[]): Generator<number[]> {
  for (let from = 0; from < places.length; from += ROWS_AT_ONCE) {
    yield places.slice(from, from + ROWS_AT_ONCE)
  }
}

/** As in `matrixFlags`. `isFailed`: the pair was tried. */
export function flagsOf({ domain_state, is_ligand_driven }: StoredNumber): number {
  const { hasNumber, isInDomain, isKnownOnTarget, isKnownElsewhere, isLigandDriven } = matrixFlags
  const states = {
    outside: 0,
    inside: isInDomain,
    known_on_target: isInDomain | isKnownOnTarget,
    known_on_other_targets: isKnownElsewhere,
  }
  return hasNumber | states[domain_state] | (is_ligand_driven ? isLigandDriven : 0)
}
