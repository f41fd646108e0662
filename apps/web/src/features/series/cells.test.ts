import type { ScreenRow, SeriesTable } from '@pkdex/contract'
import { expect, test } from 'vitest'
import { describeCell, isWide, placeKey, viewCells, wordRange } from './cells.ts'

const row = { target: 'T', chain: 'A', best_kd: 6, best_lower: 5, best_upper: 7 } as ScreenRow
const rows = ['a', 'b', 'c'].map((compound) => ({ ...row, compound, smiles: compound }))
const table = {
  cells: [
    { row: 0, column: 0, compounds: [0, 1] },
    { row: 0, column: 1, compounds: [2] },
  ],
  gaps: [],
} as unknown as SeriesTable

test('SPEC 31.6: a bound is shown as a bound, after exact values of the same cell', () => {
  const measured = new Map([
    ['a', { pk: 8, bound: 'upper' as const, count: 1 }],
    ['b', { pk: 5.5, bound: null, count: 3 }],
    ['c', { pk: 5, bound: 'upper' as const, count: 1 }],
  ])
  const cells = viewCells({ table, rows, measured, gapRows: [] })
  const shown = [placeKey(0, 0), placeKey(0, 1)].flatMap((place) => cells.get(place) ?? [])
  expect(shown.map(describeCell)).toEqual(['b, a, measured 5.50', 'c, measured < 5.00'])
})

test('a cell with several values shows their range, and one that spans more than 0.5 is marked', () => {
  const cellOf = (a: number, b: number) => {
    const measured = new Map([
      ['a', { pk: a, bound: null, count: 1 }],
      ['b', { pk: b, bound: null, count: 1 }],
    ])
    return viewCells({ table, rows, measured, gapRows: [] }).get(placeKey(0, 0))
  }
  const [wide, alike] = [cellOf(6.09, 8.3), cellOf(8.3, 7.85)]
  if (wide === undefined || alike === undefined) throw new Error('the cell is missing')
  expect([wordRange(wide), describeCell(wide), isWide(wide)]).toEqual([
    '6.09–8.30',
    'b, a, measured 6.09 to 8.30, n = 2',
    true,
  ])
  expect(wide.members.map(({ name, value }) => [name, value])).toEqual([
    ['b', 8.3],
    ['a', 6.09],
  ])
  expect([wordRange(alike), isWide(alike)]).toEqual(['7.85–8.30', false])
})

test('a predicted compound beside a measured one does not widen the range', () => {
  const measured = new Map([['a', { pk: 8, bound: null, count: 1 }]])
  const cell = viewCells({ table, rows, measured, gapRows: [] }).get(placeKey(0, 0))
  expect(cell && [wordRange(cell), cell.members.length]).toEqual(['8.00', 2])
})
