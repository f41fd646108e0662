/** Sorts the pairs of a screen as requested, and cuts them into pages of pairs or of whole compounds. */
import type { ScreenResultsQuery } from '@pkdex/contract'
import type { ScreenTable } from './screen-table.ts'
import { firstOfRows, sortPairs } from './sort-pairs.ts'

type OrderedPairs = {
  places: number[]
  /** Number of rows: pairs or compounds. */
  total: number
}

/** Returns the pairs of one page, or all. `matches`: indices of the pairs that pass the filters. */
export function orderPairs(
  table: ScreenTable,
  matches: number[],
  query: ScreenResultsQuery & { isWhole: boolean },
): OrderedPairs {
  const { by, column, page, page_size, isWhole } = query
  const width = by === 'pair' ? 1 : table.targets.length
  const perPage = Math.max(1, Math.floor(page_size / width))
  const ranks = isWhole
    ? { from: 0, to: Infinity }
    : { from: (page - 1) * perPage, to: page * perPage }
  if (by === 'pair') {
    return { places: sortPairs(table, matches, query, ranks), total: matches.length }
  }
  const rowOf = (place: number) => Math.floor(place / width)
  const atColumn = column === undefined ? null : Math.min(column, width) - 1
  const keys =
    atColumn === null
      ? firstOfRows(table, matches, query)
      : [...new Set(matches.map(rowOf))].map((row) => row * width + atColumn)
  const rows = sortPairs(table, keys, query, ranks).map(rowOf)
  return {
    places: rows.flatMap((row) => table.targets.map((_, at) => row * width + at)),
    total: keys.length,
  }
}
