import { guessValueColumns } from '@pkdex/contract'
import { expect, test } from 'vitest'
import { kindOf, questionOf, toValueLines } from './value-columns.ts'

const sheet = (text: string) => {
  const [heading = [], ...rows] = text.split('\n').map((line) => line.split(','))
  return { heading, rows }
}

test.each([
  [
    'ID,SMILES,IC50 nM\nA-1,CCO,12\nA-2,CCN,>100',
    1,
    { compound: 1, name: 0, value: 2, unit: null, type: null, relation: null },
  ],
  [
    'Molecule Name,Smiles,Standard Type,Standard Value,Standard Units\nx,CCO,Ki,3,nM',
    1,
    { compound: 1, name: 0, value: 3, unit: 4, type: 2, relation: null },
  ],
  [
    'Column 1,Column 2,Column 3\nimatinib,12,nM\ndasatinib,<1,nM',
    0,
    { compound: 0, name: null, value: 1, unit: 2, type: null, relation: null },
  ],
  [
    'batch,structure,MW,TYK2 potency (uM)\n1,CCO,46.1,0.5',
    1,
    { compound: 1, name: null, value: 3, unit: null, type: null, relation: null },
  ],
  [
    'SMILES,Ki nM,Name\nCCO,n.d.,A-3',
    0,
    { compound: 0, name: 2, value: 1, unit: null, type: null, relation: null },
  ],
  [
    'compound,comment,pKi\nimatinib,ok,7.2',
    0,
    { compound: 0, name: null, value: 2, unit: null, type: null, relation: null },
  ],
])('columns are recognised by heading and content: %s', (text, molecule, columns) => {
  expect(guessValueColumns(sheet(text), molecule)).toEqual(columns)
})

test('the heading of the values gives type and unit; otherwise the selection does not change', () => {
  const chosen = { type: 'Kd', unit: 'nM' } as const
  expect(kindOf('IC50 (uM)', chosen)).toEqual({ type: 'IC50', unit: 'µM' })
  expect(kindOf('pKi', chosen)).toEqual({ type: 'Ki', unit: 'p' })
  expect(kindOf('TYK2 potency (uM)', chosen)).toEqual({ type: 'Kd', unit: 'µM' })
  expect(kindOf('activity', chosen)).toEqual(chosen)
})

test('lines are sent under a heading with type and unit; rows without value or compound are skipped', () => {
  const table = sheet('ID,SMILES,IC50 nM\nA 1,CCO,12\nA-2,CCN,\n,,7\n"x",CC,>3')
  const columns = { compound: 1, name: 0, value: 2, unit: null, type: null, relation: null }
  expect(toValueLines(table, columns, { type: 'IC50', unit: 'nM' })).toEqual({
    text: 'SMILES\tIC50 nM\tName\nCCO\t12\tA 1\nCC\t>3\t"""x"""',
    count: 2,
    skipped: 2,
  })
  const inLogs = toValueLines(table, { ...columns, name: null }, { type: 'Ki', unit: 'p' })
  expect(inLogs.text.split('\n')[0]).toBe('SMILES\tpKi')
})

test.each([
  ['ID,SMILES,pIC50\nA,CCO,7.2\nB,CCN,6.1', false, /^$/],
  ['ID,SMILES,activity\nA,CCO,7.2\nB,CCN,6.1', false, /^All values are between 3 and 12/],
  ['ID,SMILES,activity\nA,CCO,7.2\nB,CCN,6.1', true, /^$/],
  ['ID,SMILES,activity\nA,CCO,72\nB,CCN,6.1', false, /^$/],
  ['ID,SMILES,Kd (nM),Ki (nM)\nA,CCO,72,3', false, /^Which column contains the values/],
  ['ID,SMILES,IC50 (ug/mL)\nA,CCO,72', false, /^“ug\/mL” is not a unit/],
])(
  'what is unclear is asked about before an import: %s, kind selected: %s',
  (text, isChosen, asked) => {
    const table = sheet(text)
    const question = questionOf(table, guessValueColumns(table, 1), isChosen)
    expect(question ?? '').toMatch(asked)
  },
)
