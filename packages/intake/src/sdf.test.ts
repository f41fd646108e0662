import { expect, test } from 'vitest'
import { splitSdf } from './sdf.ts'

const mol = (title: string, lines: string[] = [], { symbol = 'C', bond = '  1' } = {}) =>
  [
    title,
    '  test',
    '',
    '  2  1  0  0  0  0  0  0  0  0999 V2000',
    `    0.0000    0.0000    0.0000 ${symbol.padEnd(3)} 0  0`,
    '    1.0000    0.0000    0.0000 C   0  0',
    `  1  2${bond}  0`,
    ...lines,
    'M  END',
  ].join('\n')
const v3000 = (atom: string, bond: string, more: string[] = []) =>
  [
    'x',
    '  test',
    '',
    '  0  0  0     0  0            999 V3000',
    'M  V30 BEGIN CTAB',
    'M  V30 COUNTS 2 1 0 0 0',
    'M  V30 BEGIN ATOM',
    `M  V30 1 ${atom} 0 0 0 0`,
    'M  V30 2 C 1 0 0 0',
    'M  V30 END ATOM',
    'M  V30 BEGIN BOND',
    `M  V30 1 ${bond} 1 2`,
    'M  V30 END BOND',
    ...more,
    'M  V30 END CTAB',
    'M  END',
  ].join('\n')

test('a blank line that holds a space ends a field, and fields of equal name are all kept', () => {
  const [record] = splitSdf(`${mol('a')}\n> <IC50>\n12\n \n> <Note>\nx\ny\n\n> <Note>\nz\n\n$$$$\n`)
  expect([...(record?.fields ?? [])]).toEqual([
    ['IC50', '12'],
    ['Note', 'x\ny'],
    ['Note (2)', 'z'],
  ])
})

test('records are counted by $$$$, and one without M  END is named, not lost', () => {
  const broken = mol('b').replace('\nM  END', '')
  const records = splitSdf(`${mol('a')}\n$$$$\n${broken}\n> <ID>\n7\n\n$$$$\n${mol('c')}\n$$$$\n`)
  expect(records.map(({ title, reason }) => [title, reason])).toEqual([
    ['a', null],
    ['b', 'Its line “M  END” is missing.'],
    ['c', null],
  ])
  expect(records.map(({ line }) => line)).toEqual([1, 10, 21])
  expect(records[1]?.fields.get('ID')).toBe('7')
})

test('a record with two molecules is named; its second molecule is not lost in silence', () => {
  const [record, ...others] = splitSdf(`${mol('a')}\n> <IC50>\n12\n\n${mol('b')}\n$$$$\n`)
  expect(record?.reason).toBe('It has two molecules: the line “$$$$” between them is missing.')
  expect([record?.fields.size, others]).toEqual([0, []])
})

test('a value keeps its blank lines and its signs, and a field its number', () => {
  const [record] = splitSdf(`${mol('a')}\n> <Note>\nx\n\ny\n\n> DT12\n$$$$5\n>10\n\n$$$$\n`)
  expect([...(record?.fields ?? [])]).toEqual([
    ['Note', 'x\n\ny'],
    ['DT12', '$$$$5\n>10'],
  ])
})

test.each([
  ['a repeat unit', mol('x', ['M  STY  1   1 SRU']), 'repeat unit'],
  ['an alias', mol('x', ['A    1', 'CO2Et']), 'atom alias'],
  ['attachment points', mol('x', ['M  APO  1   1   1']), 'attachment points'],
  ['a query atom', mol('x', [], { symbol: 'Q' }), '“Q”'],
  ['an R group', mol('x', [], { symbol: 'R#' }), '“R#”'],
  ['a query bond', mol('x', [], { bond: '  8' }), 'query bond'],
  ['a dative bond', v3000('N', '9'), 'dative bond'],
  ['a query atom in V3000', v3000('[C,N]', '1'), '“[C,N]”'],
  [
    'a repeat unit in V3000',
    v3000('C', '1', ['M  V30 BEGIN SGROUP', 'M  V30 1 SRU 0 ATOMS=(1 1)']),
    'repeat unit',
  ],
  ['an abbreviation of old programs', mol('x', ['G    1  2', 'Boc']), 'atom alias'],
  ['a query for hydrogens', mol('x').replace('C   0  0\n', 'C   0  0  0  2\n'), 'hydrogens'],
  ['a bond that must be in a ring', mol('x', [], { bond: '  1  0  0  1' }), 'query bond'],
  [
    'a bond to several atoms',
    v3000('N', '1').replace('1 1 1 2', '1 1 1 2 ENDPTS=(2 1 2)'),
    'bond to several',
  ],
  ['a query in V3000', v3000('N', '1').replace('2 C 1 0 0 0', '2 C 1 0 0 0 HCOUNT=2'), 'a query'],
  ['a property with a sign', mol('x', ['M  $3D']), '“M  $3D”'],
  ['an unknown property', mol('x', ['M  XYZ  1   1   1']), '“M  XYZ”'],
])('%s is refused by name', (_, block, name) => {
  expect(splitSdf(block)[0]?.reason).toContain(name)
})

test.each([
  [
    'charges and groups of data',
    mol('x', ['M  CHG  1   1   1', 'M  STY  1   1 DAT', 'M  SAL   1  1   1']),
  ],
  ['V3000', v3000('N', '1')],
])('%s are read', (_, block) => {
  expect(splitSdf(block)[0]?.reason).toBeNull()
})
