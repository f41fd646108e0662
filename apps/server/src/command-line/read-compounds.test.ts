import { strToU8, zipSync } from 'fflate'
import { expect, test } from 'vitest'
import { readCompounds } from './read-compounds.ts'

const cells = (rows: string[][]) =>
  rows
    .map((row) => row.map((cell) => `<c t="inlineStr"><is><t>${cell}</t></is></c>`).join(''))
    .map((row) => `<row>${row}</row>`)
    .join('')

function workbook(...sheets: [name: string, rows: string[][]][]): Uint8Array {
  const names = sheets.map(([name], at) => `<sheet name="${name}" r:id="r${at}"/>`)
  const relations = sheets.map(
    (_, at) => `<Relationship Id="r${at}" Target="worksheets/${at}.xml"/>`,
  )
  const parts: [string, string][] = [
    ['xl/workbook.xml', `<workbook><sheets>${names.join('')}</sheets></workbook>`],
    ['xl/_rels/workbook.xml.rels', `<Relationships>${relations.join('')}</Relationships>`],
    ...sheets.map(([, rows], at): [string, string] => [
      `xl/worksheets/${at}.xml`,
      `<worksheet><sheetData>${cells(rows)}</sheetData></worksheet>`,
    ]),
  ]
  return zipSync(Object.fromEntries(parts.map(([name, xml]) => [name, strToU8(xml)])))
}

const compounds = [['Name', 'SMILES', 'IC50'], ['ethanol', 'CCO', '12'], [], ['amine', 'CCN', '']]
const read = (bytes: Uint8Array, more: { filename?: string; sheet?: string } = {}) =>
  readCompounds(bytes, { filename: 'a.xlsx', choice: {}, ...more })

test('SPEC 28.8: the rows of a workbook keep their columns; empty rows are skipped', () => {
  const { columns, rows } = read(workbook(['Kd', [[], ...compounds]]))
  expect(columns).toEqual(['Name', 'SMILES', 'IC50'])
  expect(rows).toEqual([
    { smiles: 'CCO', name: 'ethanol', own: { Name: 'ethanol', SMILES: 'CCO', IC50: '12' } },
    { smiles: 'CCN', name: 'amine', own: { Name: 'amine', SMILES: 'CCN', IC50: '' } },
  ])
})

test('a workbook from a pipe is recognised without its name', () => {
  const { rows } = read(workbook(['Kd', compounds]), { filename: 'Standard input' })
  expect(rows).toHaveLength(2)
})

test('SPEC 28.8: one of several sheets must be selected, and the error lists them', () => {
  const both = workbook(['Notes', [['see Kd']]], ['Kd', compounds])
  expect(read(both, { sheet: 'Kd' }).rows).toHaveLength(2)
  expect(() => read(both)).toThrow('a.xlsx has 2 sheets. Choose one with --sheet: "Notes", "Kd".')
  expect(() => read(both, { sheet: 'kd' })).toThrow(
    'a.xlsx has no sheet "kd". It has "Notes", "Kd".',
  )
})

test.each([
  [
    'a.zip',
    zipSync({ 'a.csv': strToU8('SMILES') }),
    undefined,
    'a.zip cannot be read: This is not',
  ],
  ['a.csv', strToU8('SMILES\nCCO\n'), 'Kd', 'a.csv is not a workbook (.xlsx), so --sheet cannot'],
  ['a.xlsx', workbook(['Kd', [['a'], ['7']]]), undefined, 'The table has no SMILES column.'],
])('%s is refused with a message', (filename, bytes, sheet, sentence) => {
  expect(() => read(bytes, { filename, ...(sheet && { sheet }) })).toThrow(sentence)
})

const readText = (text: string, filename = '-', choice = {}) =>
  readCompounds(strToU8(text), { filename, choice })

test('a table keeps its own columns next to SMILES and name, quoted cells included', () => {
  const { columns, rows } = readText(
    '\uFEFFid,SMILES,note\r\n1,CCO,"a, ""b"""\r\n2,CCN,\r\n',
    'b.csv',
  )
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
  expect(readText(text, filename).rows).toMatchObject([{ smiles: 'CCO', name: 'x' }])
})

test('columns with other names are read if they are named', () => {
  const choice = { smiles: 'mol', name: 'batch' }
  expect(readText('batch,mol\nB1,CCO\n', 'b.csv', choice).rows).toMatchObject([
    { smiles: 'CCO', name: 'B1' },
  ])
})

test.each([
  ['Isomeric SMILES', 'Compound name'],
  ['canonical_smiles', 'cpd_id'],
  ['Structure', 'Molecule'],
])('columns called %s and %s are recognised as in the web client', (smiles, name) => {
  expect(readText(`note,${smiles},${name}\n7,CCO,B1\n`, 'b.csv').rows).toMatchObject([
    { smiles: 'CCO', name: 'B1' },
  ])
})

test('lines are SMILES and a name; a heading, comments and blank lines are ignored', () => {
  const { columns, rows } = readText('SMILES name\nCCO ethanol 96%\n\n# no\nC\n', 'b.txt')
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
    'Name the column of SMILES with --smiles-column. The table has no SMILES column. Its columns are a, b.',
  ],
  [
    'no such column',
    'a,b\n1,2\n',
    { smiles: 'c' },
    'The table has no column c. Its columns are a, b.',
  ],
  ['nothing in it', '\n', {}, 'The table has no SMILES column. It is empty.'],
  ['a quote without end', 'smiles,b\n"C,2\n', {}, 'The table cannot be read'],
])('a table with %s gets an error message', (_, text, choice, sentence) => {
  expect(() => readText(text, 'b.csv', choice)).toThrow(sentence)
})
