/** Finds the pairs of a screen that pass a filter, in the requested order: those of one page, or all. */
import {
  type DomainState,
  rowProperties,
  type RowProperty,
  type ScreenResultsQuery,
  type ScreenSort,
  usualOrder,
} from '@pkdex/contract'
import { type RawBuilder, sql } from 'kysely'
import type { Database } from '#server/platform/db/schema.ts'
import { toSteps } from './pair-number.ts'
import { orderNumber, type ScreenTable } from './screen-table.ts'

export type FoundPairs = {
  places: number[]
  /** Number of rows in all: pairs or compounds. */
  total: number
}

/** The pairs that pass the filters on compounds. */
export type Candidates = {
  /** Rows from 0, ascending; null for all. */
  rows: number[] | null
  /** Set if a filter depends on the pair: exactly these places. */
  places?: number[]
  /** With a sort order that the database does not know: the key of each place, null for none. */
  keyAt?: (place: number) => number | null
}

type FindQuery = ScreenResultsQuery & { isWhole: boolean }

export async function findPairs(
  db: Database,
  table: ScreenTable,
  query: FindQuery,
  candidates: Candidates,
): Promise<FoundPairs> {
  const grid = gridOf(table, query, candidates)
  const wanted = { table, query, grid }
  if (candidates.keyAt !== undefined) {
    const places = hasNumberFilter(query)
      ? await readPlaces(db, sql`select at from (${numbered(wanted)}) as numbered order by at`)
      : grid.places()
    return cutPage(table, query, sortPlaces(table, places, query, candidates.keyAt))
  }
  return query.by === 'pair' ? findByPair(db, wanted) : findByCompound(db, wanted)
}

type Wanted = { table: ScreenTable; query: FindQuery; grid: Grid }

/** All pairs that pass the filters on compounds and targets, with a number or without. */
type Grid = {
  count: number
  /** In input order. */
  places: () => number[]
  /** The same as a relation of `at`, and their rows as one of `row`. */
  relation: RawBuilder<unknown>
  rows: RawBuilder<unknown>
  /** Restricts the pairs `p` to the grid. */
  where: RawBuilder<unknown>
}

function gridOf(table: ScreenTable, { target }: FindQuery, { rows, places }: Candidates): Grid {
  const width = table.targets.length
  if (places !== undefined) {
    return {
      count: places.length,
      places: () => places,
      relation: sql`select unnest(${places}::int[]) as at`,
      rows: sql`select distinct unnest(${places}::int[]) / ${width}::int as row`,
      where: sql`p.row * ${width}::int + p.place = any(${places}::int[])`,
    }
  }
  const name = target.normalize('NFC')
  const columns = [...table.targets.keys()].filter(
    (at) => name === '' || table.targets[at]?.name === name,
  )
  const series =
    rows === null
      ? sql`generate_series(0, ${table.compounds - 1}::int)`
      : sql`unnest(${rows}::int[])`
  return {
    count: columns.length * (rows?.length ?? table.compounds),
    places: () => {
      const wanted = rows ?? Array.from({ length: table.compounds }, (_, row) => row)
      return wanted.flatMap((row) => columns.map((column) => row * width + column))
    },
    relation: sql`select row * ${width}::int + place as at
      from ${series} as row cross join unnest(${columns}::int[]) as place`,
    rows: sql`select row from ${series} as row where ${columns.length > 0}`,
    where: sql`${columns.length === width ? sql`true` : sql`p.place = any(${columns}::int[])`}
      and ${rows === null ? sql`true` : sql`p.row = any(${rows}::int[])`}`,
  }
}

/** Whether the filter keeps only pairs with a number. */
function hasNumberFilter({ min, max, in_domain, domain_state }: FindQuery): boolean {
  return [min, max, in_domain, domain_state].some((bound) => bound !== undefined)
}

/** Pairs with a number that pass all filters: (row, at, key). */
function numbered({ table, query, grid }: Wanted): RawBuilder<unknown> {
  const { min, max, in_domain, domain_state: state } = query
  const width = table.targets.length
  const conditions = [
    grid.where,
    // Whole steps: unrounded, a bound copied from a shown number could exclude that number.
    min === undefined ? null : sql`p.value >= ${toSteps(min)}::float8`,
    max === undefined ? null : sql`p.value <= ${toSteps(max)}::float8`,
    state === undefined ? null : isInState(state),
    in_domain === undefined
      ? null
      : sql`(${isInState('known_on_target')}) = ${in_domain === 'true'}`,
  ].filter((one) => one !== null)
  return sql`select p.row, p.row * ${width}::int + p.place as at, ${keyOf(query)} as key
    from (${pairsOf(table, query)}) as p where ${sql.join(conditions, sql` and `)}`
}

function isInState(state: DomainState): RawBuilder<unknown> {
  const states = state === 'known_on_target' ? [state, 'inside'] : [state]
  return sql`p.domain_state = any(${states}::text[]::domain_state[])`
}

/** The pairs with a number, and what is computed from others of the same compound. */
function pairsOf(table: ScreenTable, { sort }: Pick<FindQuery, 'sort'>): RawBuilder<unknown> {
  const values = valuesOf(table)
  if (sort !== 'selectivity') return values
  return sql`select *, case when row_number() over best = 1 then lead(value) over best
      else first_value(value) over best end as other
    from (${values}) as valued window best as (partition by row order by value desc, place)`
}

/** `value` and `width`: the best estimate and its interval, in millionths. */
function valuesOf({ id, targets, moved }: ScreenTable): RawBuilder<unknown> {
  const where = sql`order_number = ${orderNumber(id)}`
  if (moved === null || moved.size === 0) {
    return sql`select *, predicted as value, upper - lower as width from pairs where ${where}`
  }
  const all = [...moved.values()]
  const values = all.map(({ predicted }) => toSteps(predicted))
  const widths = all.map(({ lower, upper }) => toSteps(upper) - toSteps(lower))
  return sql`select pairs.*, coalesce(best.value, predicted) as value,
      coalesce(best.width, upper - lower) as width
    from pairs left join unnest(${[...moved.keys()]}::int[], ${values}::int[], ${widths}::int[])
      as best (at, value, width) on best.at = row * ${targets.length}::int + place
    where ${where}`
}

/** What the database sorts pairs by; null for a pair that has none, which then comes last. */
const keys: Record<Exclude<ScreenSort, RowProperty | 'input' | 'profile'>, RawBuilder<unknown>> = {
  affinity: sql`p.value`,
  selectivity: sql`p.value - p.other`,
  interval: sql`p.width`,
  nearest: sql`least(p.compound_similarity, p.target_similarity)`,
  compound_similarity: sql`p.compound_similarity`,
  target_similarity: sql`p.target_similarity`,
}

function keyOf({ sort }: FindQuery): RawBuilder<unknown> {
  // Other orders are not by a number of the pair.
  return sort in keys ? keys[sort as keyof typeof keys] : sql`0`
}

function isAscending({ sort, order = usualOrder(sort) }: FindQuery): boolean {
  return order === 'asc'
}

/** Pairs on a page; null for all. */
function ranksOf({ isWhole, page, page_size }: FindQuery, size = page_size) {
  return isWhole ? { from: 0, count: null } : { from: (page - 1) * size, count: size }
}

async function findByPair(db: Database, wanted: Wanted): Promise<FoundPairs> {
  const { query, grid } = wanted
  const isFiltered = hasNumberFilter(query)
  const pairs = numbered(wanted)
  const total = isFiltered ? await countRows(db, pairs) : grid.count
  const ranks = ranksOf(query)
  if (query.sort === 'input' && !isFiltered) {
    const places = isAscending(query) ? grid.places() : grid.places().toReversed()
    const end = ranks.count === null ? Infinity : ranks.from + ranks.count
    return { places: places.slice(ranks.from, end), total }
  }
  const by = query.sort === 'input' ? sql`at` : sql`key`
  const all = isFiltered ? sql`select at from (${pairs}) as matching` : grid.relation
  const keyed = sql`select at, ${by} as key from (${pairs}) as numbered`
  const sorted = { keyed, all, id: 'at' as const }
  return { places: await readSorted(db, sorted, ranks, isAscending(query)), total }
}

/** Every compound with a matching pair, with all its pairs. */
async function findByCompound(db: Database, wanted: Wanted): Promise<FoundPairs> {
  const { table, query, grid } = wanted
  const width = table.targets.length
  const pairs = numbered(wanted)
  const all = hasNumberFilter(query)
    ? sql`select distinct row from (${pairs}) as matching`
    : grid.rows
  const total = await countRows(db, all)
  const ranks = ranksOf(query, Math.max(1, Math.floor(query.page_size / width)))
  const rows = await readSorted(
    db,
    { keyed: keyedRows(wanted, all), all, id: 'row' },
    ranks,
    isAscending(query),
  )
  return {
    places: rows.flatMap((row) => table.targets.map((_, column) => row * width + column)),
    total,
  }
}

function keyedRows(wanted: Wanted, all: RawBuilder<unknown>): RawBuilder<unknown> {
  const { table, query } = wanted
  if (query.sort === 'input') return sql`select row, row as key from (${all}) as matching`
  if (query.column === undefined) {
    const first = isAscending(query) ? sql`min(key)` : sql`max(key)`
    return sql`select row, ${first} as key from (${numbered(wanted)}) as numbered group by row`
  }
  const place = Math.min(query.column, table.targets.length) - 1
  return sql`select p.row, ${keyOf(query)} as key from (${pairsOf(table, query)}) as p
    where p.place = ${place}::int and p.row in (${all})`
}

type Sorted = {
  /** (id, key): null keys count as none. */
  keyed: RawBuilder<unknown>
  /** (id): those without a key come last, in input order. */
  all: RawBuilder<unknown>
  id: 'at' | 'row'
}

async function readSorted(
  db: Database,
  { keyed, all, id }: Sorted,
  { from, count }: { from: number; count: number | null },
  ascending: boolean,
): Promise<number[]> {
  const column = sql.ref(id)
  const direction = ascending ? sql`asc` : sql`desc`
  const having = sql`select ${column}, key from (${keyed}) as keyed where key is not null`
  const first = await readPlaces(
    db,
    sql`select ${column} as at from (${having}) as sorted_by
      order by key ${direction}, ${column} limit ${count}::int offset ${from}::int`,
  )
  if (count !== null && first.length === count) return first
  const before = first.length > 0 ? from + first.length : await countRows(db, having)
  const rest = count === null ? null : count - first.length
  const without = await readPlaces(
    db,
    sql`select others.${column} as at from (${all}) as others
      left join (${having}) as found on found.${column} = others.${column}
      where found.key is null order by others.${column}
      limit ${rest}::int offset ${Math.max(0, from + first.length - before)}::int`,
  )
  return [...first, ...without]
}

async function readPlaces(db: Database, select: RawBuilder<unknown>): Promise<number[]> {
  const { rows } = await sql<{ places: number[] | null }>`
    select array_agg(at order by rank) as places
    from (select at, row_number() over () as rank from (${select}) as sorted) as ranked`.execute(db)
  return rows[0]?.places ?? []
}

async function countRows(db: Database, relation: RawBuilder<unknown>): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from (${relation}) as counted`.execute(db)
  return rows[0]?.count ?? 0
}

export function isRowProperty(sort: ScreenResultsQuery['sort']) {
  return rowProperties.find((name) => name === sort) ?? null
}

/** Places, or with `by=compound` one place per row: those without a key last, ties in input order. */
function sortPlaces(
  { targets }: ScreenTable,
  places: number[],
  query: FindQuery,
  keyAt: (place: number) => number | null,
): number[] {
  const sign = isAscending(query) ? 1 : -1
  const width = targets.length
  const keyed = places.map((place) => ({ place, key: keyAt(place) }))
  if (query.by === 'compound') {
    const firsts = new Map<number, { place: number; key: number | null }>()
    for (const one of keyed) {
      const row = Math.floor(one.place / width)
      const best = firsts.get(row)
      if (query.column !== undefined) {
        const place = row * width + Math.min(query.column, width) - 1
        firsts.set(row, best ?? { place, key: keyAt(place) })
      } else if (best === undefined || isBefore(one.key, best.key, sign)) firsts.set(row, one)
    }
    keyed.splice(0, keyed.length, ...firsts.values())
  }
  return keyed
    .toSorted((one, other) =>
      isBefore(one.key, other.key, sign)
        ? -1
        : isBefore(other.key, one.key, sign)
          ? 1
          : one.place - other.place,
    )
    .map(({ place }) => place)
}

function isBefore(key: number | null, other: number | null, sign: number): boolean {
  return key !== null && (other === null || sign * (key - other) < 0)
}

function cutPage({ targets }: ScreenTable, query: FindQuery, sorted: number[]): FoundPairs {
  const width = targets.length
  const isPair = query.by === 'pair'
  const size = isPair ? query.page_size : Math.max(1, Math.floor(query.page_size / width))
  const { from, count } = ranksOf(query, size)
  const page = sorted.slice(from, count === null ? undefined : from + count)
  const rows = page.map((place) => Math.floor(place / width))
  return {
    places: isPair ? page : rows.flatMap((row) => targets.map((_, at) => row * width + at)),
    total: sorted.length,
  }
}
