/** What files say, in many spellings, and the one right reading: a pK, or a refusal. */
import { expect, test } from 'vitest'
import { decodeText, readLines, splitValues } from './index.ts'

const M = [
  'CC(C)Cc1ccc(cc1)C(C)C(=O)O',
  'CC(=O)Oc1ccccc1C(=O)O',
  'Cn1cnc2c1c(=O)n(C)c(=O)n2C',
] as const
const [m1, m2, m3] = M

const outcomes = (text: string, unit: 'nM' | undefined = 'nM') => {
  const { lines, fromHeading, comma, problem } = splitValues(text)
  if (problem !== null) return problem
  const read = readLines(lines, { otherwise: { type: 'Kd', unit }, fromHeading, comma })
  const all = [
    ...read.lines.map(({ line, measured }) => ({
      line,
      told: `${measured.value} = ${measured.pk.toFixed(2)}${measured.bound ? ` ${measured.bound}` : ''}`,
    })),
    ...read.rejected.map(({ line, reason }) => ({ line, told: reason })),
  ]
  return all.toSorted((a, b) => a.line - b.line).map(({ told }) => told)
}

test.each<[string, string, unknown]>([
  [
    'a relation column of any name',
    `ID,SMILES,Foo,IC50 (nM)\nA,${m1},>,10000\nB,${m2},=,5`,
    ['IC50 > 10000 nM = 5.00 upper', 'IC50 5 nM = 8.30'],
  ],
  [
    'units of each value',
    `ID,Smiles,Standard Value,Standard Units,Standard Type\nA,${m1},45,%,Inhibition\nB,${m2},5,ug.mL-1,IC50\nC,${m3},0.3,umol/L,Ki\nD,${m1},2,pmol/L,Kd\nE,${m2},2,10^-6 mol/L,Ki\nF,${m3},7,nM,EC50\nG,${m1},3,fM,Kd`,
    [
      '“%” is a percentage, not a concentration.',
      '“ug.mL-1” is a mass, which is not converted: write nM or µM.',
      'Ki 0.3 µM = 6.52',
      'Kd 2 pM = 11.70',
      'Ki 2 µM = 5.70',
      '“EC50” is not read: only Kd, Ki and IC50 are.',
      'Kd 0.003 pM = 14.52',
    ],
  ],
  ['-log of a Ki', `ID,SMILES,-log Ki\nA,${m1},7.2`, ['pKi 7.2 = 7.20']],
  ['log10 of mol/L', `ID,SMILES,log10 IC50/M\nA,${m1},-7.2`, ['pIC50 7.2 = 7.20']],
  [
    'pEC50 is not taken',
    `ID,SMILES,pEC50\nA,${m1},7.2`,
    'The table has no column of Kd, Ki or IC50 values. Not taken: “pEC50”.',
  ],
  [
    'a decimal comma without quotes is no cell of its own',
    `ID,SMILES,IC50 (µM)\nA,${m1},3\nB,${m2},12,5`,
    [
      'IC50 3 µM = 5.52',
      'The line has more cells than the heading: put numbers and texts with a comma in quotes.',
    ],
  ],
  [
    'points between thousands',
    `ID;SMILES;IC50 (nM)\nA;${m1};1.234\nB;${m2};12.500\nC;${m3};1.234.567`,
    ['IC50 1234 nM = 5.91', 'IC50 12500 nM = 4.90', 'IC50 1234567 nM = 2.91'],
  ],
  [
    'a point that may be either',
    `ID;SMILES;IC50 (µM)\nA;${m1};0,5\nB;${m2};1.234\nC;${m3};7.5`,
    [
      '“0,5” may have a decimal comma or a comma between thousands: write it with a point or without a comma.',
      '“1.234” may have a decimal point or a point between thousands: write it without a point between thousands.',
      'IC50 7.5 µM = 5.12',
    ],
  ],
  ...[
    ['Ki nmol', '“nmol” is not a unit: write nM, µM or pKd.'],
    ['IC50 ug/mL', '“ug/mL” is a mass, which is not converted: write nM or µM.'],
    ['ln Ki', '“a logarithm of another base than 10” is not a unit: write nM, µM or pKd.'],
    ['log2 IC50', '“a logarithm of another base than 10” is not a unit: write nM, µM or pKd.'],
    ['IC50uM', 'IC50 5 µM = 5.30'],
    ['IC50[nM]', 'IC50 5 nM = 8.30'],
    ['IC50 µM ± SEM', 'IC50 5 µM = 5.30'],
    ['Inhibition constant (nM)', 'Ki 5 nM = 8.30'],
    ['Dissociation constant [nM]', 'Kd 5 nM = 8.30'],
  ].map(([heading = '', right]): [string, string, unknown] => [
    `the heading ${heading}`,
    `ID,SMILES,${heading}\nA,${m1},5`,
    [right],
  ]),
  ...['relative IC50', 'IC50 shift', 'normalised Ki'].map((heading): [string, string, unknown] => [
    `${heading} is no concentration`,
    `ID,SMILES,${heading}\nA,${m1},5`,
    `The table has no column of Kd, Ki or IC50 values. Not taken: “${heading}”.`,
  ]),
  [
    'rests of a cell',
    `ID,SMILES,IC50\nA,${m1},45% @ 10 uM\nB,${m2},0.5-1.0 uM\nC,${m3},1 234 nM\nD,${m1},1\u00A0234 nM\nE,${m2},12 ± 3 nM\nF,${m3},12 nM (n=3)\nG,${m1},1.5 x 10^-9 M`,
    [
      '“% @ 10 uM” is a percentage, not a concentration.',
      'A range is not a value: write one number.',
      'IC50 1234 nM = 5.91',
      'IC50 1234 nM = 5.91',
      'IC50 12 nM = 7.92',
      'IC50 12 nM = 7.92',
      'IC50 1.5e-9 M = 8.82',
    ],
  ],
  [
    'decimal commas in quotes',
    `ID,SMILES,IC50 (µM)\nF-1,${m1},"0,5"\nF-2,${m2},"12,5"\nF-3,${m3},"1,234"`,
    ['IC50 0.5 µM = 6.30', 'IC50 12.5 µM = 4.90', 'IC50 1.234 µM = 5.91'],
  ],
  [
    'one quantity twice',
    `Molecule ChEMBL ID;Smiles;Standard Type;Standard Relation;Standard Value;Standard Units;pChEMBL Value\nA;${m1};IC50;'=';100;nM;7.00\nB;${m2};IC50;'>';100000;nM;`,
    ['IC50 100 nM = 7.00', 'IC50 > 100000 nM = 4.00 upper'],
  ],
  [
    'titles, sep= and a footer',
    `sep=;\nExport of today\n\nID;SMILES;Ki (nM)\nA;${m1};10\nend of list`,
    ['Ki 10 nM = 8.00', 'The value is missing.'],
  ],
  [
    'mass in the heading',
    `ID,SMILES,IC50 (ug/mL)\nA,${m1},10`,
    ['“ug/mL” is a mass, which is not converted: write nM or µM.'],
  ],
])('%s', (_, text, right) => {
  expect(outcomes(text)).toEqual(right)
})

test.each(['\u00B5', '\u03BC'])(
  'a heading in Windows-1252 or UTF-8 keeps its micro sign %s',
  (mu) => {
    const text = `ID,SMILES,IC50 (${mu}M)\nA,${m1},0.5`
    const bytes =
      mu === '\u00B5'
        ? Uint8Array.from(text, (letter) => letter.charCodeAt(0))
        : new TextEncoder().encode(text)
    expect(outcomes(decodeText(bytes).text)).toEqual(['IC50 0.5 µM = 6.30'])
  },
)

test('a line that is too long is refused unread, and the others are read', () => {
  const { lines, above } = splitValues(`SMILES,Ki (nM)\n${m1},${'1'.repeat(490_000)}\n${m2},5`)
  expect(lines.map(({ line }) => line)).toEqual([3])
  expect(above).toMatchObject([{ line: 2, reason: expect.stringContaining('5,000 characters') }])
})

test('a first line of data is never taken for a heading', () => {
  expect(outcomes('nonsense,3 nM\nCCO,3 furlongs')).toEqual([
    'Kd 3 nM = 8.52',
    '“furlongs” is not a unit: write nM, µM or pKd.',
  ])
  expect(outcomes('abc,high\nCCO,7')).toEqual(['“high” is not a number.', 'Kd 7 nM = 8.15'])
})
