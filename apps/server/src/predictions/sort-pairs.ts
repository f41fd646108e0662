/** Sorts the pairs of a screen by the numbers in their cells or by properties of their compounds. */
import {
  errorOfDifference,
  rowProperties,
  type RowProperty,
  type ScreenResultsQuery,
  type ScreenSort,
} from '@pkdex/contract'
import { readCell } from './cells.ts'
import { predictedAt, propertyAt } from './row-details.ts'
import type { ScreenTable } from './screen-table.ts'
import { structureKey } from './structure-numbers.ts'

/** Ranks in an order, starting at 0; `to` is excluded. */
type Ranks = { from: number; to: number }

/** Places with these ranks in the requested order. */
export function sortPairs(
  table: ScreenTable,
  places: number[],
  query: ScreenResultsQuery,
  { from, to }: Ranks,
): number[] {
  if (query.sort === 'input') {
    return (query.order === 'desc' ? places.toReversed() : places).slice(from, to)
  }
  const { keys, without } = keysOf(table, places, query)
  const count = countPairs(table)
  const placeOf = (key: number) => ((key % count) + count) % count
  const rest = [from, to].map((rank) => Math.max(0, rank - keys.length))
  return [...Array.from(sortRanks(keys, { from, to }), placeOf), ...without.slice(...rest)]
}

/** For each row, the place that comes first. */
export function firstOfRows(
  table: ScreenTable,
  places: number[],
  query: ScreenResultsQuery,
): number[] {
  const keyAt = keyReader(table, query)
  const firsts: number[] = []
  let [row, best]: [number, number | null] = [-1, null]
  for (const place of places) {
    const key = keyAt(place)
    const at = Math.floor(place / table.targets.length)
    const isBetter = key !== null && (best === null || key < best)
    if (at !== row) firsts.push(place)
    else if (isBetter) firsts[firsts.length - 1] = place
    if (at !== row || isBetter) best = key
    row = at
  }
  return firsts
}

/** Key and place in one number: sorting plain numbers is many times faster than calling a comparison function. */
function keysOf(table: ScreenTable, places: number[], query: ScreenResultsQuery) {
  const count = countPairs(table)
  const keyAt = keyReader(table, query)
  const keys = new Float64Array(places.length)
  // Pairs without a number come last in either order; ties keep the order of the input.
  const without: number[] = []
  let filled = 0
  for (const place of places) {
    const key = keyAt(place)
    if (key === null) without.push(place)
    else keys[filled++] = key * count + place
  }
  return { keys: keys.subarray(0, filled), without }
}

function countPairs({ rows, targets }: ScreenTable): number {
  return rows.length * targets.length
}

/** One key in this many is sampled. A prime, so that the sample has pairs of all targets. */
const SAMPLED = 61

/** Sorts only the keys near these ranks; a sample shows between which keys they lie. */
function sortRanks(keys: Float64Array, { from, to }: Ranks): Float64Array {
  const sample = new Float64Array(Math.ceil(keys.length / SAMPLED))
  for (let at = 0; at < sample.length; at += 1) sample[at] = keys[at * SAMPLED] ?? 0
  sample.sort()
  const margin = (rank: number) => 3 * Math.sqrt(rank / SAMPLED) + 3
  const least = sample[Math.floor(from / SAMPLED - margin(from))] ?? -Infinity
  const most = sample[Math.ceil(to / SAMPLED + margin(to))] ?? Infinity
  const near: number[] = []
  let before = 0
  for (const key of keys) {
    if (key < least) before += 1
    else if (key <= most) near.push(key)
  }
  const isEnough = before <= from && before + near.length >= Math.min(to, keys.length)
  if (!isEnough) return keys.sort().subarray(from, to)
  return Float64Array.from(near)
    .sort()
    .subarray(from - before, to - before)
}

function isRowProperty(sort: ScreenSort): sort is RowProperty {
  return rowProperties.some((name) => name === sort)
}

/** Steps per unit: finer than any number on the screen. */
const STEPS = 1_000_000

/** Whole numbers, lowest first; null for a pair without a number. */
function keyReader(
  table: ScreenTable,
  { sort, order }: ScreenResultsQuery,
): (place: number) => number | null {
  const sign = (order ?? (sort === 'interval' ? 'asc' : 'desc')) === 'asc' ? 1 : -1
  const numberAt = numberReader(table, sort)
  return (place) => {
    const number = numberAt(place)
    return number === null ? null : sign * Math.round(number * STEPS)
  }
}

function numberReader(table: ScreenTable, sort: ScreenSort): (place: number) => number | null {
  if (sort === 'profile') return (place) => table.details?.scores?.of[place]?.probability ?? null
  if (isRowProperty(sort)) return (place) => propertyAt(table, place, sort)
  if (sort === 'affinity') return (place) => predictedAt(table, place)
  return (place) => {
    const cell = readCell(table.cells, place)
    return cell === null ? null : cellKey(table, { place, cell }, sort)
  }
}

function cellKey(
  table: ScreenTable,
  { place, cell }: { place: number; cell: NonNullable<ReturnType<typeof readCell>> },
  sort: Exclude<ScreenSort, RowProperty | 'profile'>,
): number | null {
  switch (sort) {
    case 'input':
      return place
    case 'affinity':
      return cell.predicted
    case 'selectivity':
      return selectivityKey(table, place)
    case 'interval':
      return cell.upper - cell.lower
    case 'nearest':
      return Math.min(cell.compoundSimilarity, cell.targetSimilarity)
    case 'compound_similarity':
      return cell.compoundSimilarity
    case 'target_similarity':
      return cell.targetSimilarity
    case 'structure':
      return structureKey(table, place, cell.predicted)
  }
}

/**
 * pKd of the pair minus the compound's best pKd on the other targets, and the error of this difference. Null if there
 * is no other target.
 */
export function selectivityOf(table: ScreenTable, place: number) {
  const best = bestOther(table, place)
  const own = shownCell(table, place)
  const next = best === null ? null : shownCell(table, best)
  if (own === null || next === null) return { selectivity: null, selectivity_error: null }
  return {
    selectivity: round(own.predicted - next.predicted),
    selectivity_error: round(errorOfDifference(own, next)),
  }
}

/** The cell with the value that the table is asked for; its interval moves with it. */
function shownCell(table: ScreenTable, place: number) {
  const cell = readCell(table.cells, place)
  const predicted = predictedAt(table, place)
  if (cell === null || predicted === null) return null
  const shift = predicted - cell.predicted
  return { predicted, lower: cell.lower + shift, upper: cell.upper + shift }
}

/** Without the error, which sorting does not need. */
function selectivityKey(table: ScreenTable, place: number): number | null {
  const best = bestOther(table, place)
  const [own, next] = [predictedAt(table, place), best === null ? null : predictedAt(table, best)]
  return own === null || next === null ? null : round(own - next)
}

/** Place of the compound’s best prediction on another target. */
function bestOther(table: ScreenTable, place: number): number | null {
  const { targets } = table
  const first = place - (place % targets.length)
  let best: number | null = null
  let most = -Infinity
  for (let other = first; other < first + targets.length; other += 1) {
    const predicted = other === place ? null : predictedAt(table, other)
    if (predicted === null || predicted <= most) continue
    best = other
    most = predicted
  }
  return best
}

function round(pk: number): number {
  return Math.round(pk * 1e6) / 1e6
}
