import { readTextTable } from '@pkdex/intake'
import { expect, test } from 'vitest'
import { readSdf } from './read-sdf.ts'

/** A V2000 record: atoms as symbol and position, bonds as two atoms, order and stereo mark. */
function record(title: string, atoms: string[], bonds: string[], data = ''): string {
  const counts = `${String(atoms.length).padStart(3)}${String(bonds.length).padStart(3)}`
  const atomLines = atoms.map((atom) => {
    const [symbol = '', x, y] = atom.split(' ')
    const place = [x, y, 0].map((one) => Number(one).toFixed(4).padStart(10)).join('')
    return `${place} ${symbol.padEnd(3)} 0  0  0  0  0  0`
  })
  const bondLines = bonds.map((bond) =>
    bond
      .split(' ')
      .map((one) => one.padStart(3))
      .join(''),
  )
  return [
    title,
    '  test',
    '',
    `${counts}  0  0  0  0  0  0  0  0999 V2000`,
    ...atomLines,
    ...bondLines,
    'M  END',
    `${data}$$$$\n`,
  ].join('\n')
}

const read = async (text: string) => (await readSdf(readTextTable(text), {}, () => {})).sheet
const ethanol = record(
  'ethanol',
  ['C 0 0', 'C 1.3 0.75', 'O 2.6 0'],
  ['1 2 1 0', '2 3 1 0'],
  '> 25 <IC50> (1)\n12.5\n\n>  <Note>\nfirst\nsecond\n\n',
)

test('fields become columns, and a record without a field gets an empty cell', async () => {
  const methane = record('', ['C 0 0'], [], '> <Series>\nA\n\n')
  const { heading, rows } = await read((ethanol + methane).replaceAll('\n', '\r\n'))
  expect(heading).toEqual(['SMILES', 'Title', 'IC50', 'Note', 'Series'])
  expect(rows).toEqual([
    ['CCO', 'ethanol', '12.5', 'first\nsecond', ''],
    ['C', '', '', '', 'A'],
  ])
})

test('each record has the number of the line it begins on', async () => {
  const { lines } = await read(`${ethanol}no record\n$$$$\n${ethanol}`)
  const length = ethanol.split('\n').length - 1
  expect(lines).toEqual([1, length + 1, length + 3])
})

test('wedges are kept even if the record is not flagged chiral', async () => {
  const atoms = ['C 0 0', 'N 1.3 -0.75', 'C -1.3 -0.75', 'C 0 1.5', 'O 1.3 2.25', 'O -1.3 2.25']
  const bonds = (mark: number) => [`1 2 1 ${mark}`, '1 3 1 0', '1 4 1 0', '4 5 2 0', '4 6 1 0']
  const [up, down, flat] = await Promise.all(
    [1, 6, 0].map(async (mark) => (await read(record('x', atoms, bonds(mark)))).rows[0]?.[0]),
  )
  expect(up).toMatch(/@/)
  expect(down).toMatch(/@/)
  expect(up).not.toBe(down)
  expect(flat).not.toMatch(/@/)
})

test('marks of a double bond never contradict each other', async () => {
  const atoms = ['C 0 0', 'C -1.3 -0.75', 'C -1.3 0.75', 'N 1.3 0.75', 'O 2.6 0']
  const { rows } = await read(
    record(
      'oxime',
      [...atoms, 'C -2.6 1.5'],
      ['1 2 1 0', '1 3 1 0', '1 4 2 0', '4 5 1 0', '3 6 1 0'],
    ),
  )
  const [smiles = ''] = rows[0] ?? []
  expect(smiles.match(/[/\\]/g)).toHaveLength(2)
})

test.each([
  [
    '4-methylimidazole',
    'C N C N C C H',
    '1 2 4,2 3 4,3 4 4,4 5 4,5 1 4,1 6 1,2 7 1',
    'Cc1cnc[nH]1',
  ],
  [
    'indole',
    'C C C C C C C C N H',
    '1 2 4,2 3 4,3 4 4,4 5 4,5 6 4,6 1 4,6 7 4,7 8 4,8 9 4,9 1 4,9 10 1',
    'c1c[nH]c2ccccc12',
  ],
  ['N-methylpyrazole', 'N N C C C C', '1 2 4,2 3 4,3 4 4,4 5 4,5 1 4,1 6 1', 'C[n]1nccc1'],
  [
    '2-pyridone',
    'C C C C C N O H',
    '1 2 4,2 3 4,3 4 4,4 5 4,5 6 4,6 1 4,1 7 2,6 8 1',
    'O=C1NC=CC=C1',
  ],
])('aromatic bonds of %s keep the hydrogen on nitrogen', async (...[, atoms, bonds, smiles]) => {
  const placed = atoms.split(' ').map((atom, at) => `${atom} ${at} ${at % 2}`)
  const marked = bonds.split(',').map((bond) => `${bond} 0`)
  expect((await read(record('x', placed, marked))).rows[0]?.[0]).toBe(smiles)
})

test('an unreadable record has no SMILES and does not affect others', async () => {
  const broken = ethanol.replace('  3  2', ' 99  2')
  const { rows } = await read(broken + ethanol)
  expect(rows.map(([smiles]) => smiles)).toEqual(['', 'CCO'])
})
