import { compoundProperties, matrixFlags } from '@pkdex/contract'
import { describe, expect, test } from 'vitest'
import { cellUnder, layOut, moveByKey, shorten, viewOf } from './heat-map-layout.ts'
import { shadeOf } from './heat-map-drawing.ts'
import { binNumbers } from './histogram.tsx'
import { domainStates } from '#web/lib/domain-states.ts'
import { axisOf } from '#web/ui/axis.ts'
import { bandOf, columnsOf, pointsOf } from './scatter-columns.ts'
import {
  domainStateAt,
  orderRows,
  pkdAt,
  readDetails,
  readGrid,
  selectivityAt,
  withBlock,
} from './screen-matrix.ts'

const { hasNumber, isInDomain } = matrixFlags
const IN = hasNumber | isInDomain

/** Two targets; the predictions of each compound in turn, null where there is none. */
function matrixOf(numbers: (number | null)[][]) {
  const all = numbers.flat()
  return {
    targets: [
      { name: 'src', chain: 'A' },
      { name: 'abl', chain: 'A' },
    ],
    compounds: numbers.map((_, row) => `C${row}`),
    best_kd: words(all.map((pkd) => Math.round((pkd ?? 0) * 100))),
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
  test('are read as written, negatives included; missing values stay missing', () => {
    const grid = readGrid(
      matrixOf([
        [7.12, -0.35],
        [0, null],
      ]),
    )
    expect([0, 1, 2, 3].map((place) => pkdAt(grid, place))).toEqual([7.12, -0.35, 0, null])
  })

  test('of a block replace its rows and no others', () => {
    const grid = readGrid(
      matrixOf([
        [7, 6],
        [null, null],
        [5, 4],
      ]),
    )
    const { best_kd, flags } = matrixOf([[9, 8]])
    const next = withBlock(grid, { first_row: 1, rows: 1, best_kd, flags })
    expect([0, 1, 2, 3, 4, 5].map((place) => pkdAt(next, place))).toEqual([7, 6, 9, 8, 5, 4])
    expect(next).not.toBe(grid)
  })

  test('give a selectivity only if another target has a prediction', () => {
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

test('SPEC 30.1: a pair known on other targets is neither inside nor outside', () => {
  const matrix = matrixOf([
    [7, 6],
    [5, 5.2],
  ])
  const states = [IN, hasNumber | matrixFlags.isKnownElsewhere, hasNumber, IN]
  const grid = readGrid({ ...matrix, flags: bytes(states) })
  expect([0, 1, 2, 3].map((place) => domainStateAt(grid, place))).toEqual([
    'known_on_target',
    'known_on_other_targets',
    'outside',
    'known_on_target',
  ])
  const { bins } = binNumbers(grid)
  expect(bins).toHaveLength(21)
  expect(bins.filter((bin) => domainStates.some((state) => bin[state] > 0))).toEqual([
    { from: 5, known_on_target: 0, known_on_other_targets: 0, outside: 1 },
    { from: 5.2, known_on_target: 1, known_on_other_targets: 0, outside: 0 },
    { from: 6, known_on_target: 0, known_on_other_targets: 1, outside: 0 },
    { from: 7, known_on_target: 1, known_on_other_targets: 0, outside: 0 },
  ])
})

describe('all numbers together', () => {
  test('put rows in order; rows without a prediction come last, ties keep their order', () => {
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

  const binned = (numbers: (number | null)[][]) =>
    binNumbers(readGrid(matrixOf(numbers))).bins.map((bin) => [bin.from, bin.known_on_target])

  test('over a wide range are binned by half a pKd; missing ones are in no bin', () => {
    const numbers = [
      [5, 5.49],
      [9.2, null],
    ]
    const empty = [5.5, 6, 6.5, 7, 7.5, 8, 8.5].map((from) => [from, 0])
    expect(binned(numbers)).toEqual([[5, 2], ...empty, [9, 1]])
  })

  test('over a narrow range are binned by a quarter or a tenth, an edge counting upwards', () => {
    expect(binned([[5, 8]])).toHaveLength(13)
    expect(binned([[6.9, 7.1]])).toEqual([
      [6.9, 1],
      [7, 0],
      [7.1, 1],
    ])
    expect(binned([[null, null]])).toEqual([])
  })
})

describe('a heat map', () => {
  const layout = layOut({ room: 1000, compounds: 100, targets: 20, letters: 8 })

  test('finds the cell under a point at any scroll position, and none on the names', () => {
    const { gutter, head, cellWidth, cellHeight } = layout
    const point = { x: gutter + 1.5 * cellWidth, y: head + 2.5 * cellHeight }
    expect(cellUnder(layout, { left: 0, top: 0 }, point)).toEqual({ row: 2, column: 1 })
    const scrolled = { left: cellWidth, top: 10 * cellHeight }
    expect(cellUnder(layout, scrolled, point)).toEqual({ row: 12, column: 2 })
    expect(cellUnder(layout, scrolled, { x: gutter - 1, y: point.y })).toBeNull()
    expect(cellUnder(layout, { left: 0, top: 98 * cellHeight }, point)).toBeNull()
  })

  test('scrolls no further than needed to show a cell', () => {
    const view = { left: 0, top: 0, width: 1000, height: layout.head + 10 * layout.cellHeight }
    expect(viewOf(layout, view, { row: 9, column: 0 })).toEqual({ left: 0, top: 0 })
    expect(viewOf(layout, view, { row: 10, column: 0 }).top).toBe(layout.cellHeight)
  })

  test('cuts a long name in the middle, so that names with the same beginning can be distinguished', () => {
    const letters = { measureText: (text: string) => ({ width: 8 * text.length }) as TextMetrics }
    expect(shorten(letters, 'CHEMBL3414740', 92)).toBe('CHEMB…14740')
    expect(shorten(letters, 'CHEMBL3414740', 104)).toBe('CHEMBL3414740')
  })

  test('can be walked by keys up to its edges', () => {
    const size = { rows: 3, columns: 2, page: 10 }
    const go = (key: string, ctrlKey = false) =>
      moveByKey({ key, ctrlKey }, { row: 1, column: 1 }, size)
    expect(go('ArrowRight')).toEqual({ row: 1, column: 1 })
    expect(go('PageDown')).toEqual({ row: 2, column: 1 })
    expect(go('Home')).toEqual({ row: 1, column: 0 })
    expect(go('End', true)).toEqual({ row: 2, column: 1 })
    expect(go('x')).toBeNull()
  })

  test('clips colours beyond the scale', () => {
    expect([-3, 4, 7, 10, 14].map(shadeOf)).toEqual([0, 0, 60, 120, 120])
  })

  test('gives values a tenth apart distinguishable colours', () => {
    expect([7.3, 7.4, 8.1].map(shadeOf)).toEqual([66, 68, 82])
  })
})

describe('a scatter plot', () => {
  const details = readDetails({
    ...matrixOf([
      [7, 5],
      [6, null],
    ]),
    interval_width: words([300, 250, 200, 0]),
    interval_lower: words([560, 380, 500, 0]),
    compound_similarity: bytes([255, 255, 51, 51]),
    target_similarity: bytes([102, 0, 102, 0]),
  })
  const column = (id: string) => {
    const found = columnsOf(details).find((each) => each.id === id)
    if (found === undefined) throw new Error(`no column ${id}`)
    return found
  }

  test('every axis is named in words, not as the field', () => {
    const labels = columnsOf(details).map(({ label }) => label)
    expect(labels).toContain('Similarity of the closest compound')
    expect(labels.filter((label) => label.includes('_'))).toEqual([])
  })

  test('has a point for each pair that has both values', () => {
    const { x, y } = pointsOf(details, column('best_lower'), column('compound_similarity'))
    expect([...x]).toEqual([3, 2.5, 2])
    expect([...y]).toEqual([1, 1, 0.2])
  })

  test('SPEC 32.3: efficiencies are those of the best estimate, as in rows', () => {
    const properties = Float32Array.from({ length: 2 * compoundProperties.length }, (_, at) => {
      const name = compoundProperties[at % compoundProperties.length]
      return name === 'heavy_atoms' ? 20 : name === 'log_p' ? 2 : 0
    })
    const columns = columnsOf({ ...details, properties, measured: new Map([[0, 8]]) })
    const valueAt = (id: string, place: number) =>
      columns.find((each) => each.id === id)?.valueAt(place)
    // The first compound was measured on the first target as 8; its best estimate is 7.
    expect(valueAt('lipophilic_efficiency', 0)).toBe(5)
    expect(valueAt('ligand_efficiency', 0)).toBeCloseTo((1.37 * 7) / 20)
    expect(valueAt('lipophilic_efficiency', 1)).toBe(3)
    expect(valueAt('lipophilic_efficiency', 3)).toBeNull()
  })

  test('of two targets has one point per compound', () => {
    const { x, y } = pointsOf(details, column('target 0'), column('target 1'))
    expect([...x, ...y]).toEqual([7, 5])
  })

  test('of two targets has a band in which errors explain a difference', () => {
    // 1.4 below the stronger and 1.3 above the weaker; the other compound has one number only.
    expect(bandOf(details, 0, 1)).toBeCloseTo(Math.hypot(1.4, 1.3))
    expect(bandOf(details, 1, 0)).toBeCloseTo(Math.hypot(1.4, 1.3))
  })

  test('has axes that contain every value and end on round numbers', () => {
    expect(axisOf(Float64Array.of(4.2, 9.7))).toMatchObject({ from: 4, to: 10, step: 1 })
    const same = axisOf(Float64Array.of(5, 5))
    expect(same.from).toBeLessThanOrEqual(5)
    expect(same.to).toBeGreaterThan(same.from)
  })
})
