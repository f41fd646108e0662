/** Filters, order and derived numbers of a screen follow the value that is asked for. */
import { ScreenResultsQuery } from '@pkdex/contract'
import { expect, test } from 'vitest'
import { CELL_BYTES, writeCell } from './cells.ts'
import { matchPairs } from './match-pairs.ts'
import { predictedAt } from './row-details.ts'
import type { ScreenTable } from './screen-table.ts'
import { selectivityOf, sortPairs } from './sort-pairs.ts'

/** Three compounds on two targets; a pose changes the order, and the last compound has none. */
const plain = [7.6, 6, 7.4, 6, 7.9, 6]
const shifts = [0.2, 0, 1, 1.5, 'no pose', 'no pose']

function tableOf(isAdjusted: boolean): ScreenTable {
  const cells = Buffer.alloc(plain.length * CELL_BYTES)
  const shared = { domainState: null, isLigandDriven: false }
  for (const [place, predicted] of plain.entries()) {
    const interval = { lower: predicted - 1, upper: predicted + 1 }
    const cell = { ...shared, ...interval, predicted, compoundSimilarity: 1, targetSimilarity: 1 }
    writeCell(cells, place, cell)
  }
  const rows = ['CC', 'CCC', 'CCCC'].map((smiles) => {
    return { name: smiles, smiles, standard: smiles, reason: null }
  })
  return {
    targets: ['MET', 'JAK1'].map((name) => ({ name, chain: 'A' })),
    firstRow: 0,
    rows,
    cells,
    missing: rows.map(() => null),
    versions: rows.map(() => '1'),
    structure: (row, column) => shifts[2 * row + column] ?? null,
    isAdjusted,
  }
}

const ask = (query: object) => ScreenResultsQuery.parse({ sort: 'affinity', ...query })
const all = { from: 0, to: Infinity }

test('a bound on pKd filters the adjusted values when these are shown', () => {
  const query = ask({ min: '8', values: 'adjusted' })
  expect(matchPairs(tableOf(true), query, null)).toEqual([2])
  expect(matchPairs(tableOf(false), ask({ min: '7.5' }), null)).toEqual([0, 4])
})

test('the default order is that of the values shown; compounds without a pose come last', () => {
  const places = [0, 2, 4]
  expect(sortPairs(tableOf(true), places, ask({}), all)).toEqual([2, 0, 4])
  expect(sortPairs(tableOf(false), places, ask({}), all)).toEqual([4, 0, 2])
})

test('selectivity is the difference of the values shown', () => {
  expect(selectivityOf(tableOf(true), 2).selectivity).toBe(0.9)
  expect(selectivityOf(tableOf(false), 2).selectivity).toBe(1.4)
  expect(selectivityOf(tableOf(true), 4)).toEqual({ selectivity: null, selectivity_error: null })
  expect(predictedAt(tableOf(true), 2)).toBe(8.4)
})
