/** Sorts the pairs of a screen as requested, and cuts them into pages of pairs or of whole compounds. */
import type { ScreenResultsQuery } from '@pkdex/contract'
import type { ScreenTable } from './screen-table.ts'
import { sortPairs } from './sort-pairs.ts'

type OrderedPairs = {
  places: number[]
  /** Pairs per page. */
  perPage: number
  /** Number of rows: pairs or compounds. */
  total: number
}

/** `matches`: indices of the pairs that pass the filters. */
export function orderPairs(
  table: ScreenTable,
  matches: number[],
  query: ScreenResultsQuery,
): OrderedPairs {
  if (query.by === 'pair') {
    const places = sortPairs(table, matches, query)
    return { places, perPage: query.page_size, total: places.length }
  }
  const width = table.targets.length
  const rowOf = (place: number) => Math.floor(place / width)
  const column = query.column === undefined ? null : Math.min(query.column, width) - 1
  const keys =
    column === null ? matches : [...new Set(matches.map(rowOf))].map((row) => row * width + column)
  const rows = [...new Set(sortPairs(table, keys, query).map(rowOf))]
  return {
    places: rows.flatMap((row) => table.targets.map((_, at) => row * width + at)),
    perPage: width * Math.max(1, Math.floor(query.page_size / width)),
    total: rows.length,
  }
}
