import { matrixFlags } from '@pkdex/contract'
import { describe, expect, test } from 'vitest'
import { cellUnder, layOut, moveByKey, viewOf } from './heat-map-layout.ts'
import { rampStep } from './heat-map-drawing.ts'
import { binNumbers } from './histogram.tsx'
import { axisOf, columnsOf, pointsOf } from './scatter-columns.ts'
import {
  orderRows,
  pkdAt,
  readDetails,
  readGrid,
  selectivityAt,
  withBlock,
} from './screen-matrix.ts'

const { hasNumber, isInDomain } = matrixFlags
const IN = hasNumber | isInDomain

/** Two targets; the numbers of each compound in turn, null where there is none. */
function matrixOf(numbers: (number | null)[][]) {
  const all = numbers.flat()
  return {
    targets: [
      { name: 'src', chain: 'A' },
      { name: 'abl', chain: 'A' },
    ],
    compounds: numbers.map((_, row) => `C${row}`),
    predicted_kd: words(all.map((pkd) => Math.round((pkd ?? 0) * 100))),
    flags: bytes(all.map((pkd) => (pkd === null ? 0 : IN))),
  }
}

function words(values: number[]): string {
  return bytes(values.flatMap((value) => [value & 0xff, (value >> 8) & 0xff]))
}

function bytes(values: number[]): string {
  return btoa(String.fromCharCode(...values))
}

describe('numbers', () => {
  test('are read as they were written, below zero too; a missing one is none and not zero', () => {
    const grid = readGrid(
      matrixOf([
        [7.12, -0.35],
        [0, null],
      ]),
    )
    expect([0, 1, 2, 3].map((place) => pkdAt(grid, place))).toEqual([7.12, -0.35, 0, null])
  })

  test('of a block take the place of its rows and of no others', () => {
    const grid = readGrid(
      matrixOf([
        [7, 6],
        [null, null],
        [5, 4],
      ]),
    )
    const { predicted_kd, flags } = matrixOf([[9, 8]])
    const next = withBlock(grid, { first_row: 1, rows: 1, predicted_kd, flags })
    expect([0, 1, 2, 3, 4, 5].map((place) => pkdAt(next, place))).toEqual([7, 6, 9, 8, 5, 4])
    expect(next).not.toBe(grid)
  })

  test('give a selectivity only where another target has one', () => {
    const grid = readGrid(
      matrixOf([
        [7, 5],
        [6, null],
      ]),
    )
    expect(selectivityAt(grid, 0)).toBeCloseTo(2)
    expect(selectivityAt(grid, 1)).toBeCloseTo(-2)
    expect(selectivityAt(grid, 2)).toBeNull()
  })
})

describe('all numbers together', () => {
  test('put rows in order; rows without a number come last, equals stay as they were', () => {
    const grid = readGrid(
      matrixOf([
        [null, null],
        [5, 5],
        [4, 9],
        [5, 1],
      ]),
    )
    expect([...orderRows(grid, 'input')]).toEqual([0, 1, 2, 3])
    expect([...orderRows(grid, 'strongest')]).toEqual([2, 1, 3, 0])
    expect([...orderRows(grid, 'most selective')]).toEqual([2, 3, 1, 0])
  })

  test('fall into bins of half a pKd, those without a number into none', () => {
    const bins = binNumbers(
      readGrid(
        matrixOf([
          [5, 5.49],
          [6.5, null],
        ]),
      ),
    )
    expect(bins.map(({ from, inside }) => [from, inside])).toEqual([
      [5, 2],
      [5.5, 0],
      [6, 0],
      [6.5, 1],
    ])
  })
})

describe('a heat map', () => {
  const layout = layOut({ room: 1000, compounds: 100, targets: 20, letters: 8 })

  test('finds the cell under a point however far it is scrolled, and none on the names', () => {
    const { gutter, head, cellWidth, cellHeight } = layout
    const point = { x: gutter + 1.5 * cellWidth, y: head + 2.5 * cellHeight }
    expect(cellUnder(layout, { left: 0, top: 0 }, point)).toEqual({ row: 2, column: 1 })
    const scrolled = { left: cellWidth, top: 10 * cellHeight }
    expect(cellUnder(layout, scrolled, point)).toEqual({ row: 12, column: 2 })
    expect(cellUnder(layout, scrolled, { x: gutter - 1, y: point.y })).toBeNull()
    expect(cellUnder(layout, { left: 0, top: 98 * cellHeight }, point)).toBeNull()
  })

  test('scrolls no further than a cell needs, and not at all for one in sight', () => {
    const view = { left: 0, top: 0, width: 1000, height: layout.head + 10 * layout.cellHeight }
    expect(viewOf(layout, view, { row: 9, column: 0 })).toEqual({ left: 0, top: 0 })
    expect(viewOf(layout, view, { row: 10, column: 0 }).top).toBe(layout.cellHeight)
  })

  test('is walked by keys to its edges and not beyond', () => {
    const size = { rows: 3, columns: 2, page: 10 }
    const go = (key: string, ctrlKey = false) =>
      moveByKey({ key, ctrlKey }, { row: 1, column: 1 }, size)
    expect(go('ArrowRight')).toEqual({ row: 1, column: 1 })
    expect(go('PageDown')).toEqual({ row: 2, column: 1 })
    expect(go('Home')).toEqual({ row: 1, column: 0 })
    expect(go('End', true)).toEqual({ row: 2, column: 1 })
    expect(go('x')).toBeNull()
  })

  test('keeps to the ends of its colours beyond the scale', () => {
    expect([-3, 4, 7, 10, 14].map(rampStep)).toEqual([0, 0, 4, 8, 8])
  })
})

describe('a scatter plot', () => {
  const details = readDetails({
    ...matrixOf([
      [7, 5],
      [6, null],
    ]),
    interval_width: words([300, 250, 200, 0]),
    compound_similarity: bytes([255, 255, 51, 51]),
    target_similarity: bytes([102, 0, 102, 0]),
  })
  const column = (id: string) => {
    const found = columnsOf(details).find((each) => each.id === id)
    if (found === undefined) throw new Error(`no column ${id}`)
    return found
  }

  test('has a point for each pair that has both values', () => {
    const { x, y } = pointsOf(details, column('interval'), column('compound'))
    expect([...x]).toEqual([3, 2.5, 2])
    expect([...y]).toEqual([100, 100, 20])
  })

  test('of two targets has one point a compound', () => {
    const { x, y } = pointsOf(details, column('target 0'), column('target 1'))
    expect([...x, ...y]).toEqual([7, 5])
  })

  test('has axes that hold every value and end on round numbers', () => {
    expect(axisOf(Float64Array.of(4.2, 9.7))).toEqual({ from: 4, to: 10, step: 2 })
    const same = axisOf(Float64Array.of(5, 5))
    expect(same.from).toBeLessThanOrEqual(5)
    expect(same.to).toBeGreaterThan(same.from)
  })
})
