/** Compound tables as programs write them: which column is the molecule, which the name, and what is refused. */
import { expect, test } from 'vitest'
import { chooseCompoundColumns, compoundRows, readTable, readTextTable } from './index.ts'

const m1 = 'CC(C)Cc1ccc(cc1)C(C)C(=O)O'
const m2 = 'CC(=O)Oc1ccccc1C(=O)O'
const m3 = 'Cn1cnc2c1c(=O)n(C)c(=O)n2C'

const readCompoundTable = (text: string) => {
  const sheet = readTextTable(text)
  return sheet.kind === 'list' ? null : sheet
}
const read = (text: string) => {
  const table = readCompoundTable(text)
  if (table === null) return null
  const { smiles, name } = chooseCompoundColumns(table)
  return [
    smiles === null ? null : table.heading[smiles],
    name === null ? null : table.heading[name],
    table.rows.filter((row) => row.some((cell) => cell !== '')).map((row) => row[name ?? -1] ?? ''),
  ]
}

test.each<[string, string, unknown]>([
  ['smiles_std', `smiles_std,cid\n${m1},7\n${m2},8`, ['smiles_std', null, ['', '']]],
  [
    'a person called Smith',
    `Smith ID,SMILES\nA,${m1}\nB,${m2}`,
    ['SMILES', 'Smith ID', ['A', 'B']],
  ],
  [
    'a scaffold before the compound',
    `murcko_smiles,SMILES,ID\nc1ccccc1,${m1},A\nc1ccccc1,${m2},B`,
    ['SMILES', 'ID', ['A', 'B']],
  ],
  [
    'a fragment and a reagent before the compound',
    `ID,R1 SMILES,Reagent SMILES,Full SMILES\nA,[*]C,CCO,${m1}\nB,[*]CC,CCO,${m2}`,
    ['Full SMILES', 'ID', ['A', 'B']],
  ],
  [
    'SMILES without stereochemistry first',
    `CID,CanonicalSMILES,IsomericSMILES\n1,CC(N)C(=O)O,C[C@H](N)C(=O)O`,
    ['IsomericSMILES', null, ['']],
  ],
  [
    'names under SMILES',
    `ID,SMILES,Mol\nA,CHEMBL1,${m1}\nB,CHEMBL2,${m2}`,
    ['Mol', 'ID', ['A', 'B']],
  ],
  [
    'a SMILES column that is filled now and then',
    `ID,SMILES,Canonical SMILES\nA,${m1},${m1}\nB,,${m2}\nC,,${m3}`,
    ['Canonical SMILES', 'ID', ['A', 'B', 'C']],
  ],
  [
    'a mutant before the compound',
    `Mutant name,Compound,SMILES\nT790M,A,${m1}\nL858R,B,${m2}`,
    ['SMILES', 'Compound', ['A', 'B']],
  ],
  [
    'a sample before the compound',
    `Sample ID,Batch ID,Compound ID,SMILES\nS1,B1,A,${m1}\nS2,B1,B,${m2}`,
    ['SMILES', 'Compound ID', ['A', 'B']],
  ],
  ['another separator that is told', `sep=:\nID:SMILES\nA:${m1}`, ['SMILES', 'ID', ['A']]],
  [
    'a short table with a footer',
    `ID,SMILES\nA,${m1}\n\nTotal: 1\nexported by X`,
    ['SMILES', 'ID', ['A', 'Total: 1', 'exported by X']],
  ],
  ['names with commas', `CCO ethanol, pure\nCCN amine, pure`, null],
])('%s', (_, text, right) => {
  expect(read(text)).toEqual(right)
})

test('columns of equal heading are all kept', () => {
  const table = readCompoundTable(`ID,SMILES,IC50,IC50\nA,${m1},12,14`)
  expect(table?.heading).toEqual(['ID', 'SMILES', 'IC50', 'IC50 (2)'])
  expect(table?.rows).toEqual([['A', m1, '12', '14']])
})

test('title lines are named', () => {
  const table = readCompoundTable(`Series 7,\nID,SMILES\nA,${m3}`)
  expect(table?.titles).toEqual([{ line: 1, text: 'Series 7' }])
  expect(table?.lines).toEqual([3])
})

test.each([
  ['@<TRIPOS>MOLECULE\nx', 'MOL2'],
  ['<?xml version="1.0"?>\n<CDXML>', '.cdxml'],
  ['{ \n s_m_m2io_version\n', 'Maestro'],
  ['<datawarrior-fileinfo>\n', 'DataWarrior'],
  ['MODEL 1\nREMARK VINA RESULT: -7\nROOT\n', 'docking'],
])('%s is named', (text, name) => {
  expect(() => readTextTable(text)).toThrow(name)
})

test.each<[string, string | Uint8Array, string]>([
  ['an old workbook', Uint8Array.from([0xd0, 0xcf, 0x11, 0xe0]), '(.xls, .doc); save it as .xlsx'],
  ['a PDF', '%PDF-1.7\n', 'a PDF document'],
  ['a structure', 'HEADER    HYDROLASE\nATOM', 'a target, not a list of compounds'],
  ['mmCIF', 'data_1HPV\n#\nloop_\n', 'a target, not a list of compounds'],
  ['FASTA', '>sp|P03366\nPQITLWQRPLV\n', 'FASTA'],
  ['a web page', '<!doctype html>', 'web page'],
  ['JSON', '{"smiles": "CCO"}', 'JSON'],
  ['a reaction', '$RXN\n', 'reaction'],
  ['binary content', Uint8Array.from([0x43, 0, 0x4f, 0]), 'binary data'],
  ['nothing', '', 'The file is empty.'],
])('%s is named', (_, content, reason) => {
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content
  expect(() => readTable(bytes)).toThrow(reason)
})

test.each([
  [`Name,InChI\nA,"InChI=1S/C2H6O/c1-2-3/h3H,2H2,1H3"`, 'InChI is not read'],
  [`Name\tInChI\nCCO\tInChI=1S/C2H6O/c1-2-3/h3H,2H2,1H3`, 'InChI is not read'],
  ['Name,CAS\nCOC-1,50-78-2\nOC-2,15687-27-1', 'no SMILES column. Its columns are Name, CAS.'],
])('a table without SMILES is refused: %s', (text, reason) => {
  expect(() => compoundRows(readTextTable(text))).toThrow(reason)
})

const rowOf = (text: string) => {
  const row = compoundRows(readTextTable(text))[0]
  return row && [row.smiles, row.name, row.reason]
}

test.each<[string, unknown]>([
  ['ID,SMILES\nA,"CC.c1ccccc1 |m:0:2.3,4|"', ['CC.c1ccccc1 |m:0:2.3,4|', 'A', null]],
  ['ID\tSMILES\tx\nA\tCO |$;$| A\t1', ['CO |$;$|', 'A', null]],
  ['ID,SMILES\nA,CCO ethanol', ['CCO', 'A', '“ethanol” after the SMILES is not read.']],
  ['SMILES,IC50\nCCO ethanol,3', ['CCO', 'ethanol', null]],
  ['CC.c1ccccc1 |m:0:2.3.4| A', ['CC.c1ccccc1 |m:0:2.3.4|', 'A', null]],
  [`A ${m1}\nB ${m2}\nC ${m3}`, [m1, 'A', null]],
  ['acetic acid CC(=O)O\nCCN ethylamine', ['CC(=O)O', 'acetic acid', null]],
  ['CCCl C\nCCBr N', ['CCCl', 'C', null]],
  ['A-1,CCCl\nA-2,CCBr', ['CCCl', 'A-1', null]],
  ['CCCl,A-1\nCCBr,A-2', ['CCCl', 'A-1', null]],
  [`"CCO" B`, ['"CCO"', 'B', 'This looks like a table row. Remove the quotation marks.']],
  [
    'ID,SMILES\nA,InChI=1S/CH4/h1H4',
    ['InChI=1S/CH4/h1H4', 'A', 'This is an InChI; convert it to a SMILES first.'],
  ],
  ['ID,SMILES\nA,', ['', 'A', 'This row has no SMILES.']],
])('a cell is a SMILES, its extension and a name, and no more: %s', (text, row) => {
  expect(rowOf(text)).toEqual(row)
})

test('an apostrophe that our own files put before a formula is removed again', () => {
  const table = readCompoundTable(`ID,SMILES,note\nA,${m1},'-OH analog\nB,${m2},'quoted'`)
  expect(table?.rows.map((row) => row[2])).toEqual(['-OH analog', "'quoted'"])
})

test.each([
  `Compound Name,Vendor ID,Compound ID,SMILES\n${Array.from({ length: 19 }, (_, at) => `A${at},V1,C1,${m2}\n`).join('')},V2,C2,${m1}`,
  `SMILES\tName\tCompound ID\n${m2}\tA0\tC1\n${m1}\t\tC2`,
])('a row without a name takes it from the next best column', (text) => {
  const names = compoundRows(readTextTable(text)).map(({ name }) => name)
  expect([names[0], names.at(-1)]).toEqual(['A0', 'C2'])
})

test('a row with a comma in its name is refused, not read with half of it', () => {
  const rows = compoundRows(readTextTable(`SMILES,Name\n${m1},1,2-diol\n${m2},B`))
  expect(rows.map(({ reason }) => reason)).toEqual([
    'The line has more cells than the heading: put numbers and texts with a comma in quotes.',
    null,
  ])
})

test('a table of very many columns is refused at once', () => {
  const start = () => readCompoundTable(`ID,SMILES\nA,${m1}${',1'.repeat(50_000)}`)
  expect(start).toThrow('More than 1,000 columns.')
})
