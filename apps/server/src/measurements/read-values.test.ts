/** Measured values in chemists' notations; unreadable ones get a message. */
import { MeasurementImport } from '@pkdex/contract'
import { readValueText } from '@pkdex/intake'
import { describe, expect, test } from 'vitest'
import { readImport, readOneValue } from './read-values.ts'

function read(text: string, more: object = {}) {
  const request = MeasurementImport.parse({ target: 'T', text, ...more })
  return readImport(request, readValueText(text, { type: request.type, unit: request.unit }))
}

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
    const answer = readOneValue(text, nothing)
    const measured = { pk: expect.closeTo(pk, 3), bound, value }
    expect(answer).toMatchObject({ ok: true, measured })
  })

  test.each([
    ['', 'The value is missing.'],
    ['IC50', '“IC50” is not a number.'],
    ['weak', '“weak” is not a number.'],
    ['12', 'The unit is missing: add nM, µM, pKd, pKi or pIC50.'],
    ['12 mg', '“mg” is a mass, which is not converted: write nM or µM.'],
    ['12 x', '“x” is not a unit: write nM, µM or pKd.'],
    ['0 nM', 'The concentration must be greater than 0.'],
    ['500 pKd', 'pKd 500 is outside the range 0 to 16. Is it a concentration?'],
    ['1e30 nM', '1e+30 nM is outside the measurable range. Check the unit.'],
    ['1.2.3 nM', '“1.2.3 nM” is not a number.'],
  ])('%s is refused', (text, reason) => {
    expect(readOneValue(text, nothing)).toEqual({ ok: false, reason })
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
  const { lines, rejected } = readImport(MeasurementImport.parse({ target: 'T', values }), null)
  expect(lines.map(({ measured }) => measured.value)).toEqual(['Kd 3 nM', 'pKi < 5'])
  expect(rejected.map(({ line, reason }) => [line, reason])).toEqual([
    [3, 'The compound is missing.'],
    [4, 'It contains a control character.'],
  ])
})

const MOLECULES = [
  'CC(C)Cc1ccc(cc1)C(C)C(=O)O',
  'CC(=O)Oc1ccccc1C(=O)O',
  'Cn1cnc2c1c(=O)n(C)c(=O)n2C',
]
const [A = '', B = '', C = ''] = MOLECULES
/** The value of each line, or the word by which its refusal is known. */
const outcomes = (text: string, more: object = { unit: 'nM' }) => {
  const { lines, rejected } = read(text, more)
  const all = [
    ...lines.map(({ line, measured: { type, pk, bound } }) => ({
      line,
      said: `${type} ${bound === null ? '' : bound === 'upper' ? '<' : '>'}${pk.toFixed(2)}`,
    })),
    ...rejected.map(({ line, reason }) => ({ line, said: `refused: ${reason}` })),
  ]
  return all.toSorted((one, other) => one.line - other.line).map(({ said }) => said)
}
const refusal = (part: string) => expect.stringMatching(new RegExp(`^refused: .*${part}`))

describe('what is filled and not understood is refused, never given a default', () => {
  test.each<[string, string, unknown[]]>([
    [
      'a column of relations, quoted or not, makes bounds',
      `ID;Smiles;Standard Type;Standard Relation;Standard Value;Standard Units\nA;${A};IC50;">";10000;nM\nB;${B};Ki;"'<'";1;nM\nC;${C};Ki;=;1;nM`,
      ['IC50 <5.00', 'Ki >9.00', 'Ki 9.00'],
    ],
    [
      'a qualifier before the value is a relation',
      `ID,SMILES,Qualifier,IC50 (nM)\nA,${A},>,10000\nB,${B},?,3`,
      ['IC50 <5.00', refusal('not a relation')],
    ],
    [
      'units and types of ChEMBL: known ones are read, others refused',
      `ID,SMILES,Standard Value,Standard Units,Standard Type\nA,${A},45,%,Inhibition\nB,${B},5,ug.mL-1,IC50\nC,${C},0.3,umol/L,Ki\nD,${A},2,pmol/L,Ki\nE,${B},2,10^-6 mol/L,Kd\nF,${C},12,nM,EC50`,
      [
        refusal('“%” is a percentage'),
        refusal('“ug.mL-1” is a mass'),
        'Ki 6.52',
        'Ki 11.70',
        'Kd 5.70',
        refusal('“EC50” is not read: only Kd'),
      ],
    ],
    [
      'rates of surface plasmon resonance are not the constant',
      `ID,SMILES,ka (1/Ms),kd (1/s),KD (M)\nA,${A},1.2E+05,1.5E-02,1.25E-07`,
      ['Kd 6.90'],
    ],
    [
      'an error before its value is not the value',
      `ID,SMILES,Kd SE (nM),Kd (nM)\nA,${A},0.4,25`,
      ['Kd 7.60'],
    ],
    ['a count is not the value', `ID,SMILES,Ki n,Ki (nM)\nA,${A},3,25`, ['Ki 7.60']],
    [
      'two columns that could be the value are asked about',
      `ID,SMILES,Kd (nM),Ki (nM)\nA,${A},3,25`,
      [refusal('Several columns')],
    ],
    ['pChEMBL is logarithmic', `ID,SMILES,pChEMBL Value\nA,${A},7.2`, ['Kd 7.20']],
    ['so is pIC50_mean', `ID,SMILES,pIC50_mean\nA,${A},7.2`, ['IC50 7.20']],
    [
      'and pIC50_EGFR, below Ligand_SMILES',
      `ID,Ligand_SMILES,pIC50_EGFR\nA,${A},7.2`,
      ['IC50 7.20'],
    ],
    ['and -logKi', `ID,SMILES,-logKi\nA,${A},7.2`, ['Ki 7.20']],
    ['EC50 is not taken', `ID,SMILES,pEC50\nA,${A},7.2`, [refusal('Not taken: “pEC50”')]],
    [
      'a percentage, a range and a text after the number',
      `ID,SMILES,IC50\nA,${A},45% @ 10 uM\nB,${B},0.5-1.0 uM\nC,${C},12 nM at pH 7`,
      [refusal('a percentage'), refusal('A range'), refusal('after the number is not read')],
    ],
    [
      'spaces separate thousands; an error and a count may follow',
      `ID,SMILES,IC50\nA,${A},1 234 nM\nB,${B},12 ± 3 nM\nC,${C},12 nM (n=3)`,
      ['IC50 5.91', 'IC50 7.92', 'IC50 7.92'],
    ],
    [
      'commas in a quoted column separate thousands',
      `ID,SMILES,IC50 (nM)\nA,${A},"1,234"\nB,${B},"12,500"`,
      ['IC50 5.91', 'IC50 4.90'],
    ],
    [
      'or are decimal marks',
      `ID,SMILES,IC50 (µM)\nA,${A},"0,5"\nB,${B},"12,5"`,
      ['IC50 6.30', 'IC50 4.90'],
    ],
    [
      'but not both',
      `ID,SMILES,IC50 (nM)\nA,${A},"0,5"\nB,${B},"12,345,678"\nC,${C},7`,
      [refusal('decimal comma'), refusal('decimal comma'), 'IC50 8.15'],
    ],
    [
      'a µ that could not be decoded is no M',
      `ID,SMILES,IC50 (\uFFFDM)\nA,${A},0.5`,
      [refusal('not a unit')],
    ],
    [
      'mass units are refused',
      `ID,SMILES,IC50 (µg/mL)\nA,${A},0.5`,
      [refusal('“ug/mL” is a mass')],
    ],
    [
      'a positive logarithm is not taken',
      `ID,SMILES,log10(IC50)\nA,${A},2.3`,
      [refusal('Not taken')],
    ],
    [
      'a column of initials is no relation',
      `ID,SMILES,Operator,IC50 (nM)\nA,${A},AB,25`,
      ['IC50 7.60'],
    ],
    [
      'title lines above the heading are named, and sep= is no line',
      `sep=;\nSeries MET, 2026;;\nID;SMILES;Ki (nM)\nA;${A};25`,
      [refusal('above the heading'), 'Ki 7.60'],
    ],
  ])('%s', (_, text, expected) => {
    expect(outcomes(text)).toEqual(expected)
  })
})
