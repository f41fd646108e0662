/** Reads the pairs of a screen at given places, as rows of its table. */
import { matrixFlags, type ScreenRow, screenRowColumns } from '@pkdex/contract'
import { sql } from 'kysely'
import type { BlocksTable, Database } from '#server/platform/db/schema.ts'
import { valuesOf } from './find-pairs.ts'
import { fromStored, numberColumns, STEPS_PER_PKD, type StoredNumber } from './pair-number.ts'
import type { InputRow } from './plan.ts'
import { detailsOf } from './row-details.ts'
import { scoreColumnsOf } from './score-table.ts'
import { orderNumber, readColumns, type ScreenPair, type ScreenTable } from './screen-table.ts'
import { selectivityOf } from './selectivity.ts'
import { structureOf } from './structure-numbers.ts'

type StoredPair = StoredNumber & {
  row: number
  place: number
  model_version: string
  /** In millionths. */
  value: number | null
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
  const pairsOf = Map.groupBy(await readStored(db, table, { rows, places }), ({ row }) => row)
  return places.flatMap((place) => {
    const row = inputOf.get(Math.floor(place / width))
    if (row === undefined) return []
    return [toPair(table, { place, row, pairs: pairsOf.get(row.row) ?? [] })]
  })
}

/** Wider screens rank the pairs of a compound in the database: a page would read too many. */
const WIDTH_MAX = 50

/** The pairs at these places with a number, and at least the two best pairs of each row, which selectivity compares. */
async function readStored(
  db: Database,
  table: ScreenTable,
  { rows, places }: { rows: number[]; places: number[] },
): Promise<StoredPair[]> {
  const width = table.targets.length
  const valued = valuesOf(table, { rows })
  const ranked = sql`select * from (
      select *, row_number() over (partition by row order by value desc nulls last, place) as rank
      from (${valued}) as valued) as ranked
    where rank <= 2 or row * ${width}::int + place = any(${places}::int[])`
  const pairs = sql`select row, place, model_version, value::int, ${sql.raw(numberColumns.join(', '))}
    from (${width > WIDTH_MAX ? ranked : valued}) as pairs order by row, place`
  return readColumns(db, pairs, ['row', 'place', 'model_version', 'value', ...numberColumns])
}

type Found = {
  place: number
  row: InputRow & { status: BlocksTable['status'] }
  pairs: StoredPair[]
}

function toPair(table: ScreenTable, { place, row, pairs }: Found): ScreenPair {
  const { name, smiles, standard, reason, status } = row
  const column = place % table.targets.length
  const own = pairs.find((pair) => pair.place === column)
  const other = bestOf(pairs.filter((pair) => pair.place !== column))
  return {
    place,
    input: { name, smiles, standard, reason },
    number: own === undefined ? null : fromStored(own),
    value: inPkd(own?.value ?? null),
    other: other && { number: fromStored(other), value: inPkd(other.value) ?? 0 },
    modelVersion: own?.model_version ?? table.modelVersion,
    missing: whyMissing(status),
  }
}

/** The first of several. */
function bestOf(pairs: StoredPair[]): StoredPair | null {
  let best: StoredPair | null = null
  for (const pair of pairs) {
    if (pair.value !== null && pair.value > (best?.value ?? -Infinity)) best = pair
  }
  return best
}

function inPkd(steps: number | null): number | null {
  return steps === null ? null : steps / STEPS_PER_PKD
}

const notPredictedYet = 'Not predicted yet.'
const notPredicted = 'Prediction failed because of a server error. Your credits were refunded.'

function whyMissing(status: BlocksTable['status']): string {
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
  const { place, input, number, modelVersion } = pair
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
  if (number === null) {
    const reason = input.reason ?? pair.missing
    return { ...shared, ...noNumber, ...noOwnValues, ...details, chain: target.chain, reason }
  }
  return {
    ...shared,
    chain: target.chain,
    predicted_kd: number.predicted,
    lower: number.lower,
    upper: number.upper,
    in_domain: number.domainState === null || number.domainState === 'known_on_target',
    domain_state: number.domainState,
    is_ligand_driven: number.isLigandDriven,
    compound_similarity: number.compoundSimilarity,
    target_similarity: number.targetSimilarity,
    ...selectivityOf(pair),
    ...structureOf(table, place, number),
    reason: null,
    ...details,
    ...noOwnValues,
  }
}

/** Until the user's own values are applied. */
const noOwnValues = {
  own_values: null,
  predicted_kd_with_own: null,
  lower_with_own: null,
  upper_with_own: null,
}

const noNumber = {
  predicted_kd: null,
  lower: null,
  upper: null,
  in_domain: null,
  domain_state: null,
  is_ligand_driven: null,
  compound_similarity: null,
  target_similarity: null,
  selectivity: null,
  selectivity_error: null,
}

/** Including the numbers adjusted by the user's own values. */
export const rowColumnsWithOwn = [
  ...screenRowColumns,
  'own_values',
  'predicted_kd_with_own',
  'lower_with_own',
  'upper_with_own',
] as const satisfies (keyof ScreenRow)[]

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
