import { expect, test } from 'vitest'
import { kindOf, toValueLines } from './value-columns.ts'

const sheet = (text: string) => {
  const [heading = [], ...rows] = text.split('\n').map((line) => line.split(','))
  return { heading, rows, lines: rows.map((_, at) => at + 2) }
}
const columns = { compound: 1, name: 0, value: 2, unit: null, type: null, relation: null }

test('the heading of the values gives type and unit; otherwise the selection does not change', () => {
  const chosen = { type: 'Kd', unit: 'nM' } as const
  expect(kindOf('IC50 (uM)', chosen)).toEqual({ type: 'IC50', unit: 'µM' })
  expect(kindOf('pKi', chosen)).toEqual({ type: 'Ki', unit: 'p' })
  expect(kindOf('TYK2 potency (uM)', chosen)).toEqual({ type: 'Kd', unit: 'µM' })
  expect(kindOf('activity', chosen)).toEqual(chosen)
})

test('lines are sent under a heading with type and unit; rows without value or compound are skipped', () => {
  const table = sheet('ID,SMILES,IC50 nM\nA 1,CCO,12\nA-2,CCN,\n,,7\n"x",CC,>3')
  const kind = { type: 'IC50', unit: 'nM' } as const
  expect(toValueLines(table, { columns, kind, comma: null })).toMatchObject({
    text: 'SMILES\tIC50 nM\tName\nCCO\t12\tA 1\nCC\t>3\t"""x"""',
    count: 2,
    skipped: 2,
  })
  const inLogs = {
    columns: { ...columns, name: null },
    kind: { type: 'Ki', unit: 'p' },
    comma: null,
  } as const
  expect(toValueLines(table, inLogs).text.split('\n')[0]).toBe('SMILES\tpKi')
})

test('a relation column is sent with the values', () => {
  const table = sheet('ID,SMILES,Qualifier,IC50 (nM)\nA,CCO,>,10000')
  const kind = { type: 'IC50', unit: 'nM' } as const
  const { text, lines } = toValueLines(table, {
    columns: { ...columns, value: 3, relation: 2 },
    kind,
    comma: null,
  })
  expect(text).toBe('SMILES\tIC50 nM\tName\tRelation\nCCO\t10000\tA\t>')
  expect(lines[0]?.measured).toMatchObject({ pk: 5, bound: 'upper' })
})

test('a unit that is not read stays in the heading, so the server refuses it too', () => {
  const table = sheet('ID,SMILES,IC50 (ug/mL)\nA,CCO,10')
  const read = toValueLines(table, { columns, kind: { type: 'IC50', unit: 'nM' }, comma: null })
  expect(read.text.split('\n')[0]).toBe('SMILES\tIC50 (ug/mL)\tName')
  expect(read.lines).toEqual([])
})

test.each([
  ['decimal', 'CCO\t1.234\tA'],
  ['thousands', 'CCO\t1234\tA'],
] as const)('a comma answered to be %s is sent without doubt', (comma, line) => {
  const table = { heading: ['ID', 'SMILES', 'IC50 nM'], rows: [['A', 'CCO', '1,234']], lines: [2] }
  const read = toValueLines(table, { columns, kind: { type: 'IC50', unit: 'nM' }, comma })
  expect(read.text.split('\n')[1]).toBe(line)
})
