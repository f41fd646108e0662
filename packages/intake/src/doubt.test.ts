/** Values that are understood for certain, and those that are refused or asked about. Each was once stored wrong or refused without help. */
import { describe, expect, test } from 'vitest'
import { chooseValueColumns, readLines, readTextTable, splitValues, withPoint } from './index.ts'

const m1 = 'CC(C)Cc1ccc(cc1)C(C)C(=O)O'
const m2 = 'CC(=O)Oc1ccccc1C(=O)O'

const outcomes = (text: string) => {
  const { lines, fromHeading, comma, problem } = splitValues(text)
  if (problem !== null) return problem
  const read = readLines(lines, { otherwise: { type: 'Kd', unit: 'nM' }, fromHeading, comma })
  const told = [
    ...read.lines.map(({ line, measured: { value, pk, bound } }) => ({
      line,
      told: `${value} = ${pk.toFixed(2)}${bound ? ` ${bound}` : ''}`,
    })),
    ...read.rejected.map(({ line, reason }) => ({ line, told: reason })),
  ]
  return told.toSorted((a, b) => a.line - b.line).map((one) => one.told)
}

const cell = (text: string) => outcomes(`ID\tSMILES\tKi\nA\t${m1}\t${text}`)[0]
const headed = (heading: string, value = '45') =>
  outcomes(`ID\tSMILES\t${heading}\nA\t${m1}\t${value}`)

describe('a cell', () => {
  test.each([
    ['ca. 5 nM', 'Ki 5 nM = 8.30'],
    ['~5 nM', 'Ki 5 nM = 8.30'],
    ['about 5 nM', 'Ki 5 nM = 8.30'],
    ['Ki = 5 nM', 'Ki 5 nM = 8.30'],
    ['Ki=5nM', 'Ki 5 nM = 8.30'],
    ['Ki: < ca. 5 nM', 'Ki < 5 nM = 8.30 lower'],
    ['Kd,app = 5 nM', 'Kd 5 nM = 8.30'],
    ['IC50 > 10 µM', 'IC50 > 10 µM = 5.00 upper'],
    ['pKi = 7.2', 'pKi 7.2 = 7.20'],
    ['pIC50: at least 7.2', 'pIC50 > 7.2 = 7.20 lower'],
    ['more than 10 µM', 'Ki > 10 µM = 5.00 upper'],
    ['up to 5 nM', 'Ki < 5 nM = 8.30 lower'],
    ['5 nM, n=2', 'Ki 5 nM = 8.30'],
    ['10⁻⁹ M', 'Ki 1e-9 M = 9.00'],
    ['5 × 10⁻⁹ M', 'Ki 5e-9 M = 8.30'],
    ['1e3 nM', 'Ki 1e3 nM = 6.00'],
  ])('%s is read', (text, right) => {
    expect(cell(text)).toBe(right)
  })

  test.each([
    ['(5 nM)', 'A value in brackets may be an error or an estimate: write it without them.'],
    ['EC50 = 5 nM', '“EC50” is not read: only Kd, Ki and IC50 are.'],
    ['IC90 5 nM', '“IC90” is not read: only Kd, Ki and IC50 are.'],
    ['5 to 10 nM', 'A range is not a value: write one number.'],
    ['5 (4-6) nM', '“(4-6) nM” after the number is not read: write one number and its unit.'],
    ['5 x 100 nM', '“x 100 nM” after the number is not read: write one number and its unit.'],
    ['5 x 103 nM', '“x 103 nM” after the number is not read: write one number and its unit.'],
    ['pKi 7.2 nM', 'A pKi has no unit.'],
    ['IC50 5 nM (Ki)', 'The value says IC50 and Ki.'],
    ['> at most 5', '“> at most” is not a relation: write < or >.'],
    ['log 5', '“log” is not a relation: write < or >.'],
    ['45% of control', '“% of control” is a percentage, not a concentration.'],
  ])('%s is refused', (text, reason) => {
    expect(cell(text)).toBe(reason)
  })

  test('of pasted words, type and relation belong to the value', () => {
    expect(outcomes('imatinib Ki = ca. 5 nM\nCompound 7 less than 5 nM\nB-1 IC50=7nM')).toEqual([
      'Ki 5 nM = 8.30',
      'Kd < 5 nM = 8.30 lower',
      'IC50 7 nM = 8.15',
    ])
  })

  test.each([
    [`ID,SMILES,Ki,Unit\nA,${m1},5 µM,nM`, 'The value says µM, but its unit says nM.'],
    [`ID,SMILES,Value,Type\nA,${m1},5 nM (IC50),Ki`, 'The value says IC50, but its type says Ki.'],
  ])('that contradicts its own columns is refused', (text, reason) => {
    expect(outcomes(text)).toEqual([reason])
  })
})

describe('a heading', () => {
  test.each([
    ['K<sub>i</sub> (nM)', 'Ki 45 nM = 7.35'],
    ['Ki mean ± SD (µM)', 'Ki 45 µM = 4.35'],
    ['IC50 (nM), n=3', 'IC50 45 nM = 7.35'],
    ['IC50 {µM}', 'IC50 45 µM = 4.35'],
    ['IC50 (×10⁻⁹ M)', 'IC50 45 nM = 7.35'],
    ['IC50 (µM) at 1 mM ATP', 'IC50 45 µM = 4.35'],
    ['IC50 at 1 mM ATP', 'IC50 45 nM = 7.35'],
    ['IC 50 uM', 'IC50 45 µM = 4.35'],
    ['Kd (nM), 25 °C', 'Kd 45 nM = 7.35'],
  ])('%s is read', (heading, right) => {
    expect(headed(heading)).toEqual([right])
  })

  test.each(['p Ki', 'p(IC50)', '- log10 IC50 (M)'])('%s is a logarithm', (heading) => {
    expect(headed(heading, '7.2')[0]).toContain('= 7.20')
  })

  test.each([
    'IC50 (x 1000 nM)',
    'IC50 (1000 nM)',
    'IC50 (nM/µM)',
    'IC50 (nM or µM)',
    'IC50 (M x 10-9)',
    'Ki × 10⁹',
    'Ki/1e-9',
    'IC50 (a.u.)',
    'IC50 (RFU)',
  ])('%s has a unit that is not read', (heading) => {
    expect(headed(heading)[0]).toContain('is not a unit')
  })

  test.each([
    'Ki ±',
    'Ki +/- (nM)',
    '1/Ki (1/nM)',
    'Ki (M^-1)',
    'ΔpIC50',
    'IC50 (nM) rank',
    'Ki_est',
    'IC50 kcal/mol',
    'IC50 R2',
    'Solubility (µM)',
    'Test concentration (nM)',
    'IC50 date',
  ])('%s is no value', (heading) => {
    expect(headed(heading)).toContain('The table has no column of Kd, Ki or IC50 values.')
  })

  test.each([
    ['kd', 'may be a rate constant'],
    ['k_d', 'may be a rate constant'],
    ['mean kd', 'may be a rate constant'],
    ['EGFR (nM)', 'does not say Kd, Ki or IC50'],
    ['Kact (nM)', 'does not say Kd, Ki or IC50'],
    ['IC50b (nM)', 'does not say Kd, Ki or IC50'],
  ])('%s is asked about', (heading, doubt) => {
    expect(headed(heading)).toBe(
      `The column “${heading}” ${doubt}: write type and unit into its heading, as in “Kd (nM)”.`,
    )
    const table = readTextTable(`ID,SMILES,${heading}\nA,${m1},45`)
    expect(chooseValueColumns(table)).toMatchObject({ columns: { value: 2 }, doubt })
  })

  test('kd is a rate beside ka, and a constant with a unit in its cells or their column', () => {
    expect(outcomes(`ID,SMILES,ka,kd\nA,${m1},12000,0.015`)).toContain('Not taken: “ka”, “kd”.')
    expect(headed('kd', '15 nM')).toEqual(['Kd 15 nM = 7.82'])
    expect(outcomes(`ID,SMILES,kd,unit\nA,${m1},0.015,1/s\nB,${m2},5,nM`)).toEqual([
      '“1/s” is not a unit: write nM, µM or pKd.',
      'Kd 5 nM = 8.30',
    ])
  })

  test.each(['pIC90', '10 µM', 'p(IC50)'])('%s beside SMILES is no row of data', (heading) => {
    expect(readTextTable(`ID,SMILES,${heading}\nA,${m1},45`).heading[2]).toBe(heading)
  })
})

test.each([
  ['@<TRIPOS>MOLECULE\nA', 'MOL2'],
  [`A\n\n\n  0  0  0  0  0  0  0  0  0  0999 V2000\nM  END\n$$$$\n`, 'This is an SD file'],
])('a text that is no table is named, not refused line by line', (text, name) => {
  expect(() => splitValues(text)).toThrow(name)
})

describe('a table', () => {
  test.each<[string, string, unknown]>([
    [
      'units below the headings',
      `ID,SMILES,Ki,MW\n,,(µM),g/mol\nA,${m1},0.8,206`,
      ['Ki 0.8 µM = 6.10'],
    ],
    [
      'a unit in the title',
      `All values in µM\nID,SMILES,Ki\nA,${m1},0.8`,
      'The column “Ki” has no unit, but a line above it says µM: write type and unit into its heading, as in “Kd (nM)”.',
    ],
    [
      'a unit in the heading and another in a column',
      `ID,SMILES,Ki (nM),Unit\nA,${m1},0.8,uM`,
      'The column “Ki (nM)” says nM, but “Unit” says µM: write type and unit into its heading, as in “Kd (nM)”.',
    ],
    [
      'a type in the heading and another in a column',
      `ID,SMILES,Ki (nM),Type\nA,${m1},0.8,Ki\nB,${m2},5,IC50`,
      'The column “Ki (nM)” says Ki, but “Type” says IC50: write type and unit into its heading, as in “Kd (nM)”.',
    ],
    [
      'relations of another value',
      `ID,SMILES,Ki (nM),Ki qualifier,IC50 qualifier\nA,${m1},7,,>`,
      ['Ki 7 nM = 8.15'],
    ],
    [
      'units of another value',
      `ID,SMILES,IC50 unit,Ki,Ki unit\nA,${m1},µM,7,pM`,
      ['Ki 7 pM = 11.15'],
    ],
    [
      'censored values in words',
      `ID,SMILES,Ki (nM),Censoring\nA,${m1},7,right\nB,${m2},8,none`,
      ['Ki > 7 nM = 8.15 upper', 'Ki 8 nM = 8.10'],
    ],
    [
      'a flag that does not say the direction',
      `ID,SMILES,Ki (nM),Censored\nA,${m1},7,1\nB,${m2},8,0`,
      ['“1” is not a relation: write <, > or =.', 'Ki 8 nM = 8.10'],
    ],
    [
      'cells beyond the heading, after a tab',
      `ID\tSMILES\tIC50 (nM)\nA\t${m1}\t5\t7\nB\t${m2}\t6`,
      [
        'The line has more cells than the heading: put numbers and texts with a comma in quotes.',
        'IC50 6 nM = 8.22',
      ],
    ],
    ['texts for Excel', `ID,SMILES,Ki (nM)\nA,${m1},="5"`, ['Ki 5 nM = 8.30']],
    [
      'a comma that another column shows to be decimal',
      `ID\tSMILES\tKi (µM)\tLogP\nA\t${m1}\t1,234\t2,5`,
      [
        '“1,234” may have a decimal comma or a comma between thousands: write it with a point or without a comma.',
      ],
    ],
    [
      'a point beside decimal commas',
      `ID;SMILES;Ki (nM);LogP\nA;${m1};1.234;2,5`,
      [
        '“1.234” may have a decimal point or a point between thousands: write it without a point between thousands.',
      ],
    ],
    ['logarithms with three decimals', `ID,SMILES,pKi\nA,${m1},"7,234"`, ['pKi 7.234 = 7.23']],
    [
      'a comma behind a sign',
      `ID,SMILES,Ki (µM)\nA,${m1},">0,5"\nB,${m2},"1,234"`,
      ['Ki > 0.5 µM = 6.30 upper', 'Ki 1.234 µM = 5.91'],
    ],
  ])('%s', (_, text, right) => {
    expect(outcomes(text)).toEqual(right)
  })

  test.each([
    ['row names of R', `"ID","SMILES","IC50 (nM)"\n"1","A","${m1}",5\n"2","B","${m2}",6`],
    ['a decimal comma in every row', `SMILES,IC50 (µM)\n${m1},0,5\n${m2},12,5`],
  ])('%s: the heading is too short', (_, text) => {
    for (const read of [splitValues, readTextTable]) {
      expect(() => read(text)).toThrow('Every line has more cells than the heading.')
    }
  })
})

test.each([
  ['1.234,5', 'decimal', '1234.5'],
  ['>0,5 µM', 'decimal', '>0.5 µM'],
  ['7.5', 'decimal', '7.5'],
  ['1,234', 'thousands', '1234'],
  ['1,23', 'thousands', '1,23'],
] as const)('%s with %s commas is %s', (text, comma, right) => {
  expect(withPoint(text, comma)).toBe(right)
})
