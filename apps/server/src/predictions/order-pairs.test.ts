import { ScreenResultsQuery } from '@pkdex/contract'
import { expect, test } from 'vitest'
import { CELL_BYTES, hasNumber, readCell, readPredicted, writeCell } from './cells.ts'
import { orderPairs } from './order-pairs.ts'
import type { ScreenTable } from './screen-table.ts'

const ROWS = 3000
const targets = ['T1', 'T2', 'T3'].map((name) => ({ name, chain: 'A' }))
const places = Array.from({ length: ROWS * targets.length }, (_, place) => place)

/** Without a prediction where `pkdAt` is null. */
function tableOf(pkdAt: (place: number) => number | null): ScreenTable {
  const cells = Buffer.alloc(places.length * CELL_BYTES)
  const rest = {
    domainState: null,
    isLigandDriven: false,
    compoundSimilarity: 1,
    targetSimilarity: 1,
  }
  for (const place of places) {
    const predicted = pkdAt(place)
    if (predicted === null) continue
    writeCell(cells, place, { predicted, lower: predicted - 1, upper: predicted + 1, ...rest })
  }
  const rows: ScreenTable['rows'] = Array.from({ length: ROWS })
  return { targets, firstRow: 0, rows, cells, missing: [], versions: [], structure: null }
}

/** The same order by comparison. */
function compared({ cells }: ScreenTable, order: 'asc' | 'desc'): number[] {
  const sign = order === 'asc' ? 1 : -1
  const [having, without] = [true, false].map((is) =>
    places.filter((place) => hasNumber(cells, place) === is),
  )
  const pkd = (place: number) => readPredicted(cells, place)
  return [...(having ?? []).toSorted((a, b) => sign * (pkd(a) - pkd(b))), ...(without ?? [])]
}

const tables = {
  'without ties': tableOf((place) =>
    place % 97 === 0 ? null : 4 + ((place * 7919) % 9001) / 2000,
  ),
  'with many ties': tableOf((place) => (place % 5 === 0 ? null : 4 + ((place * 7919) % 11))),
  'of equal predictions': tableOf(() => 6),
  'without predictions': tableOf(() => null),
  // Every place that a sample may look at is among the strongest.
  'whose sample misleads': tableOf((place) => (place % 61 === 0 ? 9 : 5) + place / 10_000),
}

test.each(Object.entries(tables))(
  'each page of a screen %s is that part of the whole order',
  (_, table) => {
    for (const order of ['asc', 'desc'] as const) {
      const all = compared(table, order)
      const width = targets.length
      const rows = [...new Set(all.map((place) => Math.floor(place / width)))]
      for (const page of [1, 2, 40, 140, 176, 179, 180, 181]) {
        const asked = (by: 'pair' | 'compound') =>
          ScreenResultsQuery.parse({ sort: 'affinity', order, by, page, page_size: 50 })
        expect(orderPairs(table, places, { ...asked('pair'), isWhole: false })).toEqual({
          places: all.slice((page - 1) * 50, page * 50),
          total: places.length,
        })
        expect(orderPairs(table, places, { ...asked('compound'), isWhole: false })).toEqual({
          places: rows
            .slice((page - 1) * 16, page * 16)
            .flatMap((row) => targets.map((_, at) => row * width + at)),
          total: ROWS,
        })
        const whole = orderPairs(table, places, { ...asked('pair'), isWhole: true })
        expect(whole.places).toEqual(all)
      }
    }
  },
)

type Numbers = NonNullable<ReturnType<typeof readCell>>
const keys: [
  sort: 'affinity' | 'nearest' | 'compound_similarity' | 'target_similarity',
  key: (cell: Numbers) => number,
][] = [
  ['affinity', (cell) => cell.predicted],
  ['nearest', (cell) => Math.min(cell.compoundSimilarity, cell.targetSimilarity)],
  ['compound_similarity', (cell) => cell.compoundSimilarity],
  ['target_similarity', (cell) => cell.targetSimilarity],
]

test.each(keys)(
  'sort=%s is the order of a plain sort, with ties and missing values',
  (sort, keyOf) => {
    const some = places.slice(0, 300)
    const cells = Buffer.alloc(places.length * CELL_BYTES)
    for (const place of some) {
      if (place % 11 === 0) continue
      const predicted = 4 + ((place * 7919) % 23) / 5
      const half = 1 + (place % 7) / 10
      writeCell(cells, place, {
        predicted,
        lower: predicted - half,
        upper: predicted + half,
        domainState: null,
        isLigandDriven: false,
        compoundSimilarity: ((place * 31) % 50) / 51,
        targetSimilarity: ((place * 17) % 40) / 51,
      })
    }
    const table = { ...tableOf(() => null), cells }
    for (const order of ['asc', 'desc'] as const) {
      const sign = order === 'asc' ? 1 : -1
      const key = (place: number) => {
        const cell = readCell(cells, place)
        return cell === null ? null : keyOf(cell)
      }
      const [having, without] = [true, false].map((is) =>
        some.filter((place) => (key(place) !== null) === is),
      )
      const sorted = [
        ...(having ?? []).toSorted((a, b) => sign * (Number(key(a)) - Number(key(b)))),
        ...(without ?? []),
      ]
      const query = ScreenResultsQuery.parse({ sort, order, by: 'pair', page_size: 50 })
      expect(orderPairs(table, some, { ...query, isWhole: true }).places).toEqual(sorted)
    }
  },
)
