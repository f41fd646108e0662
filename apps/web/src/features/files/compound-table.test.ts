import { readTextTable } from '@pkdex/intake'
import { expect, test } from 'vitest'
import { countLines, guessColumns, takeColumns, toLines } from './compound-table.ts'

function read(text: string) {
  const table = readTextTable(text)
  const columns = guessColumns(table)
  return { ...table, columns, sent: toLines(table, columns) }
}

test.each([
  ['commas', 'ID,SMILES,IC50\nA-1,CCO,12\nA-2,c1ccccc1,3\n'],
  ['semicolons', 'ID;SMILES;IC50\nA-1;CCO;12\nA-2;c1ccccc1;3\n'],
  ['tabs, as a spreadsheet copies', 'ID\tSMILES\tIC50\nA-1\tCCO\t12\nA-2\tc1ccccc1\t3'],
])('SPEC 19.9: a table with %s becomes lines of SMILES and name', (_, text) => {
  const { heading, columns, sent } = read(text)
  expect(heading).toEqual(['ID', 'SMILES', 'IC50'])
  expect(columns).toEqual({ smiles: 1, name: 0, kept: [2] })
  expect(sent).toEqual({
    text: 'SMILES\tName\tIC50\nCCO\tA-1\t12\nc1ccccc1\tA-2\t3',
    count: 2,
    skipped: 0,
  })
})

test('quoted cells may contain commas and line breaks', () => {
  expect(read('name,smiles\n"4-(a, b)\nx",CCO\n').sent.text).toBe('SMILES\tName\nCCO\t4-(a, b) x')
})

test('columns without clear headings are recognised by content', () => {
  const text = 'code,formula,mol,activity\nC1,C2H6O,CCO,5\nC2,C6H6,c1ccccc1,6\nC3,CH4,C,7\n'
  expect(read(text).columns).toEqual({ smiles: 2, name: 0, kept: [1, 3] })
})

test('a first row with a molecule is no heading', () => {
  const { heading, rows } = read('CCO,ethanol\nCCN,ethylamine\n')
  expect(heading).toEqual(['Column 1', 'Column 2'])
  expect(rows).toHaveLength(2)
})

test('rows without a SMILES are counted and keep their line, so line numbers match the file', () => {
  expect(read('name,smiles\na,CCO\nb,\nc,CCN\n').sent).toEqual({
    text: 'SMILES\tName\nCCO\ta\n\nCCN\tc',
    count: 2,
    skipped: 1,
  })
  expect(read('\n\nname,smiles\na,CCO\n\nc,CCN\n').sent).toEqual({
    text: 'SMILES\tName\n#line 4\nCCO\ta\n\nCCN\tc',
    count: 2,
    skipped: 0,
  })
})

test('rows of a table without a heading are numbered from the first, also under a heading that is sent', () => {
  expect(read('CCO,a,12\nC1CC,b,13\nCCN,c,14\n').sent.text).toBe(
    'SMILES\tName\tColumn 3\n#line 1\nCCO\ta\t12\nC1CC\tb\t13\nCCN\tc\t14',
  )
})

test('a row after a cell with line breaks has the number of its first line', () => {
  expect(read('name,smiles\r\n"a\r\nb",CCO\r\nc,CCN\r\n').sent.text).toBe(
    'SMILES\tName\nCCO\ta b\n#line 4\nCCN\tc',
  )
})

test.each([
  ['Corporate ID', 'Corporate ID,SMILES,MW\nX-1,CCO,46\nX-1,CCN,45\n'],
  ['Sample no.', 'Sample no.,SMILES\n1,CCO\n2,CCN\n'],
  ['a text that names every row once', 'Lot,SMILES,Series\nX-1,CCO,a\nX-2,CCN,a\nX-3,CCC,b\n'],
])('the name column is found by %s', (_, text) => {
  expect(read(text).columns.name).toBe(0)
})

test.each([
  ['SMILES and names', 'CCO ethanol\nc1ccccc1 benzene, of course\n', 2],
  ['SMILES and names with tabs', 'CCO\tethanol\nCCN\tethylamine\n', 2],
  ['SMILES alone', 'CCO\n\n# a comment\nCCN', 2],
])('lines of %s are not a table', (_, text, count) => {
  expect(readTextTable(text).kind).toBe('list')
  expect(countLines(text)).toBe(count)
})

test('unselected columns are not sent, and at most twenty are', () => {
  const { columns, ...table } = read('name,smiles,a,b\nx,CCO,1,2\n')
  expect(toLines(table, { ...columns, kept: [] }).text).toBe('SMILES\tName\nCCO\tx')
  expect(toLines(table, { ...columns, kept: [3] }).text).toBe('SMILES\tName\tb\nCCO\tx\t2')
  const wide = Array.from({ length: 40 }, (_, at) => `c${at}`)
  const { kept } = takeColumns(wide, { smiles: 3, name: 0 })
  expect(kept).toHaveLength(20)
  expect(kept.slice(0, 3)).toEqual([1, 2, 4])
})

test('a cell with a tab or a line break stays one cell', () => {
  const { columns, ...table } = read('name,smiles,"two\nlines"\nx,CCO,"1\t2\n3"\n')
  expect(toLines(table, columns).text).toBe('SMILES\tName\ttwo lines\n#line 3\nCCO\tx\t1 2 3')
})
