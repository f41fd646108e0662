/** Sorts the pairs of a screen by what their cells, or the properties of their compounds, say. */
import {
  errorOfDifference,
  rowProperties,
  type RowProperty,
  type ScreenResultsQuery,
  type ScreenSort,
} from '@pkdex/contract'
import { hasNumber, readCell, readPredicted } from './cells.ts'
import { predictedAt, propertyAt } from './row-details.ts'
import type { ScreenTable } from './screen-table.ts'
import { structureKey } from './structure-numbers.ts'

/** In the order that was asked for. */
export function sortPairs(
  table: ScreenTable,
  places: number[],
  query: ScreenResultsQuery,
): number[] {
  if (query.sort === 'input') return query.order === 'desc' ? places.toReversed() : places
  return sorted(table, places, query)
}

function isRowProperty(sort: ScreenSort): sort is RowProperty {
  return rowProperties.some((name) => name === sort)
}

/** Finer than what is shown of any number. */
const STEPS = 1_000_000

/** Key and place in one number: numbers alone are sorted many times faster than by a comparison in JavaScript. */
function sorted(
  table: ScreenTable,
  places: number[],
  { sort, order }: ScreenResultsQuery,
): number[] {
  const sign = (order ?? (sort === 'interval' ? 'asc' : 'desc')) === 'asc' ? 1 : -1
  const count = table.rows.length * table.targets.length
  const keys = new Float64Array(places.length)
  // Without a number last, whatever the order; equals stay in the order of the input.
  const without: number[] = []
  let filled = 0
  for (const place of places) {
    const key = sortKey(table, place, sort)
    if (key === null) without.push(place)
    else keys[filled++] = sign * Math.round(key * STEPS) * count + place
  }
  const placeOf = (key: number) => ((key % count) + count) % count
  return [...Array.from(keys.subarray(0, filled).sort(), placeOf), ...without]
}

function sortKey(
  table: ScreenTable,
  place: number,
  sort: ScreenResultsQuery['sort'],
): number | null {
  if (sort === 'profile') return table.details?.scores?.of[place]?.probability ?? null
  if (isRowProperty(sort)) return propertyAt(table, place, sort)
  if (sort === 'affinity') return predictedAt(table, place)
  const cell = readCell(table.cells, place)
  return cell === null ? null : cellKey(table, { place, cell }, sort)
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
      return selectivityOf(table, place).selectivity
    case 'interval':
      return cell.upper - cell.lower
    case 'nearest':
      return cell.compoundSimilarity
    case 'compound_similarity':
      return cell.compoundSimilarity
    case 'target_similarity':
      return cell.targetSimilarity
    case 'structure':
      return structureKey(table, place, cell.predicted)
  }
}

/**
 * pKd of the pair less the best of its compound on the other targets, and how far off that may be. Null without
 * another target.
 */
export function selectivityOf({ targets, cells }: ScreenTable, place: number) {
  const first = place - (place % targets.length)
  let best: number | null = null
  for (let other = first; other < first + targets.length; other += 1) {
    if (other === place || !hasNumber(cells, other)) continue
    if (best === null || readPredicted(cells, other) > readPredicted(cells, best)) best = other
  }
  const [own, next] = [readCell(cells, place), best === null ? null : readCell(cells, best)]
  if (own === null || next === null) return { selectivity: null, selectivity_error: null }
  return {
    selectivity: round(own.predicted - next.predicted),
    selectivity_error: round(errorOfDifference(own, next)),
  }
}

function round(pk: number): number {
  return Math.round(pk * 1000) / 1000
}
