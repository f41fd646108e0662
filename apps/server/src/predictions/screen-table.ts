/** The table of a screen: a row per input row and target. A place is the index of such a pair in input order. */
import type { Screen, ScreenTarget } from '@pkdex/contract'
import { type RawBuilder, sql } from 'kysely'
import type { CompoundFacts } from '#server/files/service.ts'
import type { Database } from '#server/platform/db/schema.ts'
import type { Best, ColumnEstimates } from './best-estimates.ts'
import { numberColumns, type PairNumber, type StoredNumber } from './pair-number.ts'
import type { InputRow } from './plan.ts'
import type { ProfileScore } from './profile-score.ts'
import type { PoseReasons } from './pose-reasons.ts'

export type ScreenTable = {
  id: string
  targets: ScreenTarget[]
  /** Number of input rows. */
  compounds: number
  /** Shown with pairs that have no number. */
  modelVersion: string
  /** Why pairs of this screen have no pose; null if it has no poses, or not yet. */
  structure: PoseReasons | null
  /** One per target: what moves its predictions to the best estimates; null where nothing does. */
  columns: (ColumnEstimates | null)[]
  /** All moved pairs, by place, once filters, order or scores needed them. */
  moved: ReadonlyMap<number, Best> | null
  /** What rows show besides predictions, once it was requested. */
  details?: TableDetails
}

/** Facts are keyed by standard SMILES. */
type TableDetails = {
  facts: Map<string, CompoundFacts>
  /** One map per target of the table. */
  measured: ReadonlyMap<string, number>[]
  /** With a profile, one per pair. */
  scores?: TableScores
}

type TableScores = {
  of: (ProfileScore | null)[]
  /** The best score per target; null if no pair has one. */
  best: (ProfileScore | null)[]
}

export type ScreenPair = {
  place: number
  input: InputRow
  /** Null without a number. */
  number: PairNumber | null
  /** Null without a number. */
  best: Best | null
  /** The estimate of the compound's strongest pair on another target. */
  other: Best | null
  modelVersion: string
  /** Why there is no number yet, or never will be one. */
  missing: string
}

export function tableOf(
  screen: Pick<Screen, 'id' | 'targets' | 'compounds' | 'model_version'>,
): ScreenTable {
  const { id, targets, compounds, model_version: modelVersion } = screen
  const columns = targets.map(() => null)
  return { id, targets, compounds, modelVersion, structure: null, columns, moved: null }
}

/** In a query: the key of an order in `order_rows` and `pairs`. */
export function orderNumber(id: string): RawBuilder<number> {
  return sql<number>`(select number from orders where id = ${id})`
}

/** Every place, in input order. */
export function allPlaces({ compounds, targets }: ScreenTable): number[] {
  return Array.from({ length: compounds * targets.length }, (_, at) => at)
}

/** Pairs per statement: others use the one embedded connection in between. */
const PAIRS_AT_ONCE = 20_000

/** The input, in order; `rows` counts from 0. */
export async function readInput(
  db: Database,
  { id, targets }: Pick<ScreenTable, 'id' | 'targets'>,
  { from = 0, to = Infinity, gone }: { from?: number; to?: number; gone?: AbortSignal } = {},
): Promise<InputRow[]> {
  const size = Math.max(1, Math.floor(PAIRS_AT_ONCE / targets.length))
  const all: InputRow[] = []
  for (let start = from; start < to; start += size) {
    gone?.throwIfAborted()
    const rows = await db
      .selectFrom('order_rows')
      .select(['name', 'smiles', 'standard', 'reason'])
      .where('order_number', '=', orderNumber(id))
      .where('row', '>=', start)
      .where('row', '<', Math.min(start + size, to))
      .orderBy('row')
      .execute()
    for (const row of rows) all.push(row)
    if (rows.length < size) break
  }
  return all
}

/** `model_version`: only if the numbers of the table are of several models. */
export type PlacedNumber = StoredNumber & { place: number; model_version?: string }

/** The pairs that have a number, by their place in the whole table, a slice of the rows at a time. */
export async function* readNumbers(
  db: Database,
  {
    id,
    targets,
    compounds,
    modelVersion,
  }: Pick<ScreenTable, 'id' | 'targets' | 'compounds' | 'modelVersion'>,
  { from = 0, to = compounds, gone }: { from?: number; to?: number; gone?: AbortSignal } = {},
): AsyncGenerator<PlacedNumber[]> {
  const width = targets.length
  const size = Math.max(1, Math.floor(PAIRS_AT_ONCE / width))
  const isMixed = modelVersion.includes(', ')
  const columns = isMixed ? ([...numberColumns, 'model_version'] as const) : numberColumns
  for (let start = from; start < to; start += size) {
    gone?.throwIfAborted()
    yield await readColumns<PlacedNumber>(
      db,
      sql`select row * ${width}::int + place as place, ${sql.raw(columns.join(', '))} from pairs
        where order_number = ${orderNumber(id)} and row >= ${start} and row < ${Math.min(start + size, to)}`,
      ['place', ...columns],
    )
  }
}

/** The rows of a query, read as one row of arrays: several times faster than many rows. */
export async function readColumns<Row extends object>(
  db: Database,
  query: RawBuilder<unknown>,
  columns: (keyof Row & string)[],
): Promise<Row[]> {
  const arrays = columns.map((name) => {
    // The driver does not know arrays of our own types.
    const column = name === 'domain_state' ? sql`domain_state::text` : sql.ref(name)
    return sql`array_agg(${column}) as ${sql.ref(name)}`
  })
  const { rows } = await sql<{ [Name in keyof Row]: Row[Name][] | null }>`
    select ${sql.join(arrays)} from (${query}) as pairs`.execute(db)
  const [found] = rows
  const [first] = columns
  if (found === undefined || first === undefined) return []
  return (found[first] ?? []).map((_, at) => {
    const row: Partial<Row> = {}
    for (const name of columns) row[name] = found[name]?.[at]
    return row as Row
  })
}

/** One entry per place; null without a number. */
export async function readAllNumbers(
  db: Database,
  table: ScreenTable,
  gone?: AbortSignal,
): Promise<(PlacedNumber | null)[]> {
  const all: (PlacedNumber | null)[] = Array.from(
    { length: table.compounds * table.targets.length },
    () => null,
  )
  for await (const numbers of readNumbers(db, table, gone === undefined ? {} : { gone })) {
    for (const number of numbers) all[number.place] = number
  }
  return all
}

/** Places of the pairs in these rows that were tried and have no number. */
export async function readFailed(
  db: Database,
  { id, targets }: Pick<ScreenTable, 'id' | 'targets'>,
  { from, to }: { from: number; to: number },
): Promise<number[]> {
  const order = await db
    .selectFrom('orders')
    .select('failed')
    .where('id', '=', id)
    .executeTakeFirst()
  if (order === undefined || order.failed === 0) return []
  const { rows } = await sql<{ places: number[] | null }>`
    select array_agg(order_rows.row * ${targets.length}::int + order_targets.place) as places
    from orders join order_rows on order_number = number join order_targets on order_targets.order_id = orders.id
      join blocks on blocks.order_id = orders.id and blocks.block = order_rows.block
    where orders.id = ${id} and order_rows.row >= ${from} and order_rows.row < ${to}
      and blocks.status = 'DONE' and compound_key is not null
      and not exists (select from pairs where pairs.order_number = order_rows.order_number
        and pairs.row = order_rows.row and pairs.place = order_targets.place)`.execute(db)
  return rows[0]?.places ?? []
}
