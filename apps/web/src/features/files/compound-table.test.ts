import { expect, test } from 'vitest'
import {
  countLines,
  guessColumns,
  orderLines,
  readTable,
  takeColumns,
  toLines,
} from './compound-table.ts'

function read(text: string) {
  const table = readTable(text)
  if (table === null) throw new Error('no table')
  const columns = guessColumns(table)
  return { ...table, columns, lines: toLines(table, columns) }
}

test.each([
  ['commas', 'ID,SMILES,IC50\nA-1,CCO,12\nA-2,c1ccccc1,3\n'],
  ['semicolons', 'ID;SMILES;IC50\nA-1;CCO;12\nA-2;c1ccccc1;3\n'],
  ['tabs, as a spreadsheet copies', 'ID\tSMILES\tIC50\nA-1\tCCO\t12\nA-2\tc1ccccc1\t3'],
])('a table with %s becomes lines of SMILES and name', (_, text) => {
  const { heading, columns, lines } = read(text)
  expect(heading).toEqual(['ID', 'SMILES', 'IC50'])
  expect(columns).toEqual({ smiles: 1, name: 0, kept: [2] })
  expect(lines).toEqual({
    text: 'SMILES\tName\tIC50\nCCO\tA-1\t12\nc1ccccc1\tA-2\t3',
    count: 2,
    skipped: 0,
  })
})

test('quoted cells keep commas and line breaks out of the name’s way', () => {
  expect(read('name,smiles\n"4-(a, b)\nx",CCO\n').lines.text).toBe('CCO 4-(a, b) x')
})

test('columns without telling names are told by what they hold', () => {
  const text = 'code,formula,mol,activity\nC1,C2H6O,CCO,5\nC2,C6H6,c1ccccc1,6\nC3,CH4,C,7\n'
  expect(read(text).columns).toEqual({ smiles: 2, name: null, kept: [0, 1, 3] })
})

test('a first row that holds a molecule is no heading', () => {
  const { heading, rows } = read('CCO,ethanol\nCCN,ethylamine\n')
  expect(heading).toEqual(['Column 1', 'Column 2'])
  expect(rows).toHaveLength(2)
})

test('rows without a SMILES are counted, not sent', () => {
  expect(read('name,smiles\na,CCO\nb,\nc,CCN\n').lines).toEqual({
    text: 'CCO a\nCCN c',
    count: 2,
    skipped: 1,
  })
})

test.each([
  ['SMILES and names', 'CCO ethanol\nc1ccccc1 benzene, of course\n', 2],
  ['SMILES and names with tabs', 'CCO\tethanol\nCCN\tethylamine\n', 2],
  ['SMILES alone', 'CCO\n\n# a comment\nCCN', 2],
])('lines of %s are no table', (_, text, count) => {
  expect(readTable(text)).toBeNull()
  expect(countLines(text)).toBe(count)
})

test('columns that are not kept are not sent, and twenty are the most', () => {
  const { heading, rows, columns } = read('name,smiles,a,b\nx,CCO,1,2\n')
  expect(toLines({ heading, rows }, { ...columns, kept: [] }).text).toBe('CCO x')
  expect(toLines({ heading, rows }, { ...columns, kept: [3] }).text).toBe(
    'SMILES\tName\tb\nCCO\tx\t2',
  )
  const wide = Array.from({ length: 40 }, (_, at) => `c${at}`)
  const { kept } = takeColumns(wide, { smiles: 3, name: 0 })
  expect(kept).toHaveLength(20)
  expect(kept.slice(0, 3)).toEqual([1, 2, 4])
})

test('a cell with a tab or a line break stays one cell', () => {
  const { heading, rows, columns } = read('name,smiles,"two\nlines"\nx,CCO,"1\t2\n3"\n')
  expect(toLines({ heading, rows }, columns).text).toBe('SMILES\tName\ttwo lines\nCCO\tx\t1 2 3')
})

test('a pasted line may begin with the name; one that can be read as it is stays so', () => {
  const text = 'acetic acid CC(=O)O\r\n# comment CCO\nCCN ethylamine\nCCO\nsalt water\nCO CN'
  expect(orderLines(text)).toBe(
    'CC(=O)O acetic acid\r\n# comment CCO\nCCN ethylamine\nCCO\nsalt water\nCO CN',
  )
})
