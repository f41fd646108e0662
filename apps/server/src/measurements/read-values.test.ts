/** Measured values in chemists' notations; unreadable ones get a message. */
import { MeasurementImport } from '@pkdex/contract'
import { describe, expect, test } from 'vitest'
import { readImport, readValue } from './read-values.ts'

const read = (text: string, more: object = {}) =>
  readImport(MeasurementImport.parse({ target: 'T', text, ...more }))

const pks = (text: string, more: object = {}) =>
  read(text, more).lines.map(({ compound, measured }) => [
    compound,
    Number(measured.pk.toFixed(3)),
    measured.bound,
  ])

describe('one value', () => {
  const nothing = { type: 'Kd' as const, unit: undefined }
  test.each([
    ['12 nM', 7.921, null, 'Kd 12 nM'],
    ['12nM', 7.921, null, 'Kd 12 nM'],
    ['0.5 µM', 6.301, null, 'Kd 0.5 µM'],
    ['0.5 μM', 6.301, null, 'Kd 0.5 µM'],
    ['0.5 uM', 6.301, null, 'Kd 0.5 µM'],
    ['1e-9 M', 9, null, 'Kd 1e-9 M'],
    ['1,500 nM', 5.824, null, 'Kd 1500 nM'],
    ['7.2 pIC50', 7.2, null, 'pIC50 7.2'],
    ['> 10 µM', 5, 'upper', 'Kd > 10 µM'],
    ['<=1 nM', 9, 'lower', 'Kd < 1 nM'],
    ['<5 pKi', 5, 'upper', 'pKi < 5'],
    ['≥ 9 pKd', 9, 'lower', 'pKd > 9'],
    ['~20 nM', 7.699, null, 'Kd 20 nM'],
  ])('%s', (text, pk, bound, value) => {
    const answer = readValue(text, nothing)
    const measured = { pk: expect.closeTo(pk, 3), bound, value }
    expect(answer).toMatchObject({ ok: true, measured })
  })

  test.each([
    ['', 'The value is missing.'],
    ['IC50', '“IC50” is not a number.'],
    ['weak', '“weak” is not a number.'],
    ['12', 'The unit is missing: add nM, µM, pKd, pKi or pIC50.'],
    ['12 mg', '“mg” is not a unit: write nM, µM or pKd.'],
    ['0 nM', 'The concentration must be greater than 0.'],
    ['500 pKd', 'pKd 500 is outside the range 0 to 16. Is it a concentration?'],
    ['1e30 nM', '1e+30 nM is outside the measurable range. Check the unit.'],
    ['1.2.3 nM', '“1.2.3 nM” is not a number.'],
  ])('%s is refused', (text, reason) => {
    expect(readValue(text, nothing)).toEqual({ ok: false, reason })
  })
})

test('a table with named columns is read whatever their order', () => {
  const text = 'Nr,IC50 (nM),Name\n1,100,imatinib\n2,>10000,"a, b"\n3,x,c'
  expect(pks(text)).toEqual([
    ['imatinib', 7, null],
    ['a, b', 5, 'upper'],
  ])
  const { lines, rejected } = read(text)
  expect(lines[0]?.measured.type).toBe('IC50')
  expect(rejected).toEqual([{ line: 4, text: '3,x,c', reason: '“x” is not a number.' }])
})

test('units and types in columns override the selected ones', () => {
  const text = 'compound\tvalue\tunit\ttype\nA\t1\tuM\tKi\nB\t8\tpKd\t\nC\t1\t\t'
  const { lines } = read(text, { type: 'IC50', unit: 'nM' })
  expect(lines.map(({ measured }) => measured.value)).toEqual(['Ki 1 µM', 'pKd 8', 'IC50 1 nM'])
})

test('words of a pasted line are compound, value and unit; a name may contain spaces', () => {
  expect(pks('imatinib 12 nM\nCompound 7 0.3 uM\r\n\nCC(=O)Oc1ccccc1C(=O)O >100 µM')).toEqual([
    ['imatinib', 7.921, null],
    ['Compound 7', 6.523, null],
    ['CC(=O)Oc1ccccc1C(=O)O', 4, 'upper'],
  ])
})

test('if semicolons separate the columns, a comma is a decimal comma', () => {
  expect(pks('Name;pKd\nA;7,5\nB;6,25')).toEqual([
    ['A', 7.5, null],
    ['B', 6.25, null],
  ])
})

test('rows sent by programs are read like lines', () => {
  const values = [
    { compound: 'A', value: 3, unit: 'nM' },
    { compound: 'B', value: '<5', unit: 'p', type: 'Ki' },
    { compound: ' ', value: 3, unit: 'nM' },
    { compound: 'A\u0000', value: 3, unit: 'nM' },
  ]
  const { lines, rejected } = readImport(MeasurementImport.parse({ target: 'T', values }))
  expect(lines.map(({ measured }) => measured.value)).toEqual(['Kd 3 nM', 'pKi < 5'])
  expect(rejected.map(({ line, reason }) => [line, reason])).toEqual([
    [3, 'The compound is missing.'],
    [4, 'It contains a control character.'],
  ])
})
