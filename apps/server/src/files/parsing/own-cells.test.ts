import { expect, test } from 'vitest'
import { splitCompounds } from './parsing-tasks.ts'

function read(...lines: string[]) {
  const bytes = new TextEncoder().encode(lines.join('\n'))
  const answer = splitCompounds({ input: { bytes, fileStem: 'series' }, steps: new Int32Array(1) })
  if (!answer.ok) throw new Error(answer.reason)
  return answer.value
}
const cellsOf = (...lines: string[]) => read(...lines).molecules.map(({ own }) => own)

test('a tab-separated heading names further columns, and each molecule gets its cells', () => {
  const { molecules, rejected } = read(
    'SMILES\tName\tIC50 (nM)\tSeries',
    'CCO\tethanol\t12\tA',
    'CCN\t\t\tB, late',
    'C1CC\tbroken\t3\tB',
    'CCC\tpropane',
  )
  expect(molecules).toEqual([
    {
      line: 2,
      smiles: 'CCO',
      name: 'ethanol',
      own: [
        ['IC50 (nM)', '12'],
        ['Series', 'A'],
      ],
    },
    { line: 3, smiles: 'CCN', name: 'series', own: [['Series', 'B, late']] },
    { line: 5, smiles: 'CCC', name: 'propane', own: [] },
  ])
  expect(rejected.map(({ line }) => line)).toEqual([4])
})

test('a further cell without a heading is kept too, but not behind a line of words', () => {
  const own = [['Column 3', '12']]
  for (const [heading, more] of [
    ['# list', { own }],
    ['SMILES\tName', { own }],
    ['SMILES name IC50', {}],
  ] as const) {
    expect(read(heading, 'CCO\tethanol\t12').molecules).toEqual([
      { line: 2, smiles: 'CCO', name: 'ethanol', ...more },
    ])
  }
})

test('columns without a name, or with a duplicate one, get one', () => {
  const heading = ['smiles', 'id', 'Run', '', 'Run', 'Run'].join('\t')
  expect(cellsOf(heading, 'CCO\tx\t1\t2\t3\t4')).toEqual([
    [
      ['Run', '1'],
      ['Column 4', '2'],
      ['Run (2)', '3'],
      ['Run (3)', '4'],
    ],
  ])
})

test('twenty columns of 200 characters are kept, without characters that a database cannot store', () => {
  const names = Array.from({ length: 30 }, (_, at) => `c${at}`)
  const cells = names.map(() => `a\u0001\uD800${'x'.repeat(300)}`)
  const [own = []] = cellsOf(
    ['SMILES', 'Name', ...names].join('\t'),
    ['CCO', 'e', ...cells].join('\t'),
  )
  expect(own.map(([name]) => name)).toEqual(names.slice(0, 20))
  for (const [, value] of own) {
    expect(value).toMatch(/^a \uFFFDx+$/)
    expect(value.length).toBe(200)
  }
})
