import { expect, test } from 'vitest'
import { readCompoundTable } from './compound-table.ts'

const read = (text: string, filename = '-', choice = {}) =>
  readCompoundTable(text, { filename, choice })

test('a table keeps its own columns next to SMILES and name, quoted cells included', () => {
  const { columns, rows } = read('\uFEFFid,SMILES,note\r\n1,CCO,"a, ""b"""\r\n2,CCN,\r\n', 'b.csv')
  expect(columns).toEqual(['id', 'SMILES', 'note'])
  expect(rows).toEqual([
    { smiles: 'CCO', name: '1', own: { id: '1', SMILES: 'CCO', note: 'a, "b"' } },
    { smiles: 'CCN', name: '2', own: { id: '2', SMILES: 'CCN', note: '' } },
  ])
})

test.each([
  ['semicolons, as spreadsheets in many countries write', 'Name;SMILES\nx;CCO\n', 'b.csv'],
  ['tabs', 'Name\tSMILES\nx\tCCO\n', 'b.tsv'],
  ['a pipe, recognised by its heading', 'Name,SMILES\nx,CCO\n', '-'],
])('%s are read', (_, text, filename) => {
  expect(read(text, filename).rows).toMatchObject([{ smiles: 'CCO', name: 'x' }])
})

test('columns with other names are read if they are named', () => {
  const choice = { smiles: 'mol', name: 'batch' }
  expect(read('batch,mol\nB1,CCO\n', 'b.csv', choice).rows).toMatchObject([
    { smiles: 'CCO', name: 'B1' },
  ])
})

test.each([
  ['Isomeric SMILES', 'Compound name'],
  ['canonical_smiles', 'cpd_id'],
  ['Structure', 'Molecule'],
])('columns called %s and %s are recognised as in the web client', (smiles, name) => {
  expect(read(`note,${smiles},${name}\n7,CCO,B1\n`, 'b.csv').rows).toMatchObject([
    { smiles: 'CCO', name: 'B1' },
  ])
})

test('lines are SMILES and a name; a heading, comments and blank lines are ignored', () => {
  const { columns, rows } = read('SMILES name\nCCO ethanol 96%\n\n# no\nC\n', 'b.txt')
  expect(columns).toEqual([])
  expect(rows.map(({ smiles, name }) => [smiles, name])).toEqual([
    ['CCO', 'ethanol 96%'],
    ['C', 'line 5'],
  ])
})

test.each([
  [
    'no column SMILES',
    'a,b\n1,2\n',
    {},
    'The table has no SMILES column. Name it with --smiles-column. Its columns are a, b.',
  ],
  [
    'no such column',
    'a,b\n1,2\n',
    { smiles: 'c' },
    'The table has no column c. Its columns are a, b.',
  ],
  [
    'nothing in it',
    '',
    {},
    'The table has no SMILES column. Name it with --smiles-column. The table is empty.',
  ],
  ['a quote without end', 'smiles,b\n"C,2\n', {}, 'The table cannot be read'],
])('a table with %s gets an error message', (_, text, choice, sentence) => {
  expect(() => read(text, 'b.csv', choice)).toThrow(sentence)
})
