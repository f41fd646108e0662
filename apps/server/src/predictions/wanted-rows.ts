/** Finds the pairs of a screen whose compound passes a filter: text, shortlist, size, substructure, properties, alerts. */
import { type Parsed, parsed, scanSmiles } from '@pkdex/biochem'
import {
  columns,
  estimateSorts,
  rowProperties,
  type RowProperty,
  type ScreenFilter,
} from '@pkdex/contract'
import { type RawBuilder, sql } from 'kysely'
import { LRUCache } from 'lru-cache'
import type { ParsingWorkers } from '#server/files/parsing/service.ts'
import { readStarredNames } from '#server/files/service.ts'
import type { Database } from '#server/platform/db/schema.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Candidates } from './find-pairs.ts'
import { STEPS_PER_PKD } from './pair-number.ts'
import type { InputRow } from './plan.ts'
import { factsOf, propertyOf } from './row-details.ts'
import { orderNumber, type PlacedNumber, type ScreenTable } from './screen-table.ts'

type Wanted = {
  userId: string
  table: ScreenTable
  /** Read if `needsInput`, with all details if `needsDetails`. */
  input: InputRow[] | null
  /** The best estimates, if `needsEstimates`. */
  numbers: (PlacedNumber | null)[]
  filter: ScreenFilter
  /** Aborts counting when the client disconnects; a shared search continues. */
  gone: AbortSignal
}

export type FindCandidates = (wanted: Wanted) => Promise<Candidates>

type Dependencies = {
  db: Database
  parsingWorkers: Searcher
}

type Searcher = Pick<ParsingWorkers, 'matchSubstructure' | 'searchStructure'>

/** Whether a filter or a sort order needs the molecules of all compounds. */
export function needsInput(filter: ScreenFilter, sort?: string): boolean {
  const { smarts, heavy_atoms_min: least, heavy_atoms_max: most } = filter
  const isBySize = least !== undefined || most !== undefined
  const isByStructure = smarts.trim() !== '' || fragmentIn(filter) !== null
  return needsDetails(filter, sort) || isByStructure || isBySize
}

/** Whether a filter or a sort order needs the properties or alerts of all compounds. */
export function needsDetails(filter: ScreenFilter, sort?: string): boolean {
  const isSorted = rowProperties.some((name) => name === sort)
  return (
    isSorted || filter.profile !== '' || filter.alerts !== undefined || boundsOf(filter).length > 0
  )
}

/** Number of cached searches: every page of a search repeats it. */
const CACHED_SEARCHES = 20
/** Rows whose atoms are counted at once, so that others are served in between. */
const ROWS_AT_ONCE = 500

/** Whether a filter or a sort order needs the best estimate of every pair. */
export function needsEstimates(filter: ScreenFilter, sort?: string): boolean {
  const { min, max, profile } = filter
  const isBounded = min !== undefined || max !== undefined || hasPairBounds(filter)
  return isBounded || profile !== '' || estimateSorts.some((name) => name === sort)
}

export function openFindCandidates({ db, parsingWorkers }: Dependencies): FindCandidates {
  const searches = new LRUCache<string, Promise<boolean[]>>({ max: CACHED_SEARCHES })

  /** Cached without expiry: the rows of a screen never change, so neither do the matches. */
  function search(
    userId: string,
    id: string,
    { rows, ...query }: { rows: InputRow[] } & ({ smarts: string } | { fragment: string }),
  ) {
    const key = `${id} ${JSON.stringify(query)}`
    const found = searches.get(key) ?? matchRows(parsingWorkers, { userId, rows, query })
    searches.set(key, found)
    found.catch(() => searches.delete(key))
    return found
  }

  return async (wanted) => {
    const { userId, table, input, filter, gone } = wanted
    const fragment = fragmentIn(filter)
    const holders =
      fragment === null || input === null
        ? []
        : await search(userId, table.id, { fragment, rows: input })
    let rows = await findByText(db, wanted, holders)
    if (input === null) return { rows }
    const sizes = await countHeavyAtoms(input, filter, gone)
    const smarts = filter.smarts.trim()
    const found = smarts === '' ? null : await search(userId, table.id, { smarts, rows: input })
    const hasDetails = detailsMatcher(table, filter)
    rows = (rows ?? [...input.keys()]).filter((row) => {
      const { standard = null } = input[row] ?? {}
      const isWanted = (sizes?.[row] ?? true) && (found?.[row] ?? true)
      return isWanted && hasDetails({ place: 0, best: null, input: { standard } })
    })
    return hasPairBounds(filter) ? { rows, places: findPlaces(wanted, rows) } : { rows }
  }
}

/** Shorter texts, such as `CO`, are taken for the beginning of a name. */
const FRAGMENT_ATOMS_MIN = 3

/** The text as a SMILES; null if it is none, or only a few letters. */
function fragmentIn({ text }: ScreenFilter): string | null {
  const smiles = text.trim()
  const scan = scanSmiles(smiles)
  return scan.ok && scan.heavyAtoms >= FRAGMENT_ATOMS_MIN ? smiles : null
}

/** `holders`: whether each row contains the text as a structure. Null: no such filter. */
async function findByText(
  db: Database,
  { userId, table, filter }: Wanted,
  holders: boolean[],
): Promise<number[] | null> {
  const text = filter.text.trim().normalize('NFC')
  const holding = holders.flatMap((holds, row) => (holds ? [row] : []))
  const conditions: RawBuilder<unknown>[] = []
  if (text !== '') {
    conditions.push(sql`(strpos(lower(name), lower(${text})) > 0
      or smiles = ${text} or row = any(${holding}::int[]))`)
  }
  if (filter.starred !== undefined) {
    conditions.push(sql`name = any(${await readStarredNames(db, userId)}::text[])`)
  }
  if (conditions.length === 0) return null
  const { rows } = await sql<{ found: number[] | null }>`
    select array_agg(row order by row) as found from order_rows
    where order_number = ${orderNumber(table.id)} and ${sql.join(conditions, sql` and `)}`.execute(
    db,
  )
  return rows[0]?.found ?? []
}

type Bound = { name: RowProperty; min: number; max: number }

function boundsOf(filter: ScreenFilter): Bound[] {
  // Heavy atoms are counted from the SMILES, before any property is computed.
  const names = rowProperties.filter((name) => name !== 'heavy_atoms')
  return names.flatMap((name) => {
    const [min, max] = [filter[`${name}_min`], filter[`${name}_max`]]
    return min === undefined && max === undefined
      ? []
      : [{ name, min: min ?? -Infinity, max: max ?? Infinity }]
  })
}

/** Efficiencies depend on the pKd. */
function isOfPair({ name }: Bound): boolean {
  return columns[name].of === 'efficiency'
}

function hasPairBounds(filter: ScreenFilter): boolean {
  return boundsOf(filter).some(isOfPair)
}

type Detailed = Parameters<typeof propertyOf>[1]

function detailsMatcher(table: ScreenTable, filter: ScreenFilter): (pair: Detailed) => boolean {
  const bounds = boundsOf(filter).filter((bound) => !isOfPair(bound))
  const { alerts } = filter
  return (pair) => {
    const isFree = factsOf(table, pair)?.alerts.length === 0
    if (alerts !== undefined && isFree !== (alerts === 'none')) return false
    return isWithin(table, pair, bounds)
  }
}

/** A compound without the property is outside every range. */
function isWithin(table: ScreenTable, pair: Detailed, bounds: Bound[]): boolean {
  return bounds.every(({ name, min, max }) => {
    const value = propertyOf(table, pair, name)
    return value !== null && value >= min && value <= max
  })
}

function findPlaces({ table, input, numbers, filter }: Wanted, rows: number[]): number[] {
  const bounds = boundsOf(filter).filter(isOfPair)
  const name = filter.target.normalize('NFC')
  return rows.flatMap((row) =>
    [...table.targets.keys()].flatMap((column) => {
      if (name !== '' && table.targets[column]?.name !== name) return []
      const pair = detailedPair(table, row * table.targets.length + column, { input, numbers })
      return isWithin(table, pair, bounds) ? [pair.place] : []
    }),
  )
}

type Loaded = { input: InputRow[] | null; numbers: (PlacedNumber | null)[] }

/** A pair as far as its properties need it. */
export function detailedPair(
  table: ScreenTable,
  place: number,
  { input, numbers }: Loaded,
): Detailed {
  const row = Math.floor(place / table.targets.length)
  const standard = input?.[row]?.standard ?? null
  const number = numbers[place] ?? null
  const best = number && { predicted: number.predicted / STEPS_PER_PKD }
  return { place, best, input: { standard } }
}

/** Whether each row is within the bounds; null: there are none. */
async function countHeavyAtoms(
  rows: InputRow[],
  { heavy_atoms_min: least, heavy_atoms_max: most }: ScreenFilter,
  gone: AbortSignal,
): Promise<boolean[] | null> {
  if (least === undefined && most === undefined) return null
  const isWithinBounds: boolean[] = []
  for (const [at, { standard }] of rows.entries()) {
    const scan = standard === null ? null : scanSmiles(standard)
    const size = scan?.ok === true ? scan.heavyAtoms : null
    isWithinBounds.push(size !== null && size >= (least ?? 0) && size <= (most ?? Infinity))
    if (at % ROWS_AT_ONCE !== 0) continue
    await new Promise((resolve) => setImmediate(resolve))
    gone.throwIfAborted()
  }
  return isWithinBounds
}

async function matchRows(
  parsingWorkers: Searcher,
  request: { userId: string; rows: InputRow[]; query: { smarts: string } | { fragment: string } },
): Promise<boolean[]> {
  const { userId, rows, query } = request
  const smiles = [...new Set(rows.flatMap(({ standard }) => standard ?? []))]
  const matched =
    'smarts' in query
      ? await parsingWorkers.matchSubstructure(userId, { ...query, smiles })
      : await findFragment(parsingWorkers, { userId, smiles, fragment: query.fragment })
  if (!matched.ok) throw new AppError('invalid_request', matched.reason)
  const holders = new Set(smiles.filter((_, at) => matched.value[at] === true))
  return rows.map(({ standard }) => standard !== null && holders.has(standard))
}

/** What RDKit cannot read is a name. */
async function findFragment(
  parsingWorkers: Searcher,
  { userId, smiles, fragment }: { userId: string; smiles: string[]; fragment: string },
): Promise<Parsed<boolean[]>> {
  const search = { kind: 'substructure', query: fragment, smiles } as const
  // Others may wait for the same search.
  const { signal } = new AbortController()
  const found = await parsingWorkers.searchStructure(userId, search, signal)
  return parsed(found.ok ? found.value.map((one) => one !== null) : [])
}
