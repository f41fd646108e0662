import type { ScreenRow, SeriesTable } from '@pkdex/contract'
import { expect, test } from 'vitest'
import { describeCell, placeKey, viewCells } from './cells.ts'

const row = { target: 'T', chain: 'A', predicted_kd: 6, lower: 5, upper: 7 } as ScreenRow
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
