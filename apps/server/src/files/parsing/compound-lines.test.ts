/** Lines of `SMILES name`, as an upload is read. */
import { describe, expect, test } from 'vitest'
import { splitCompounds } from './parsing-tasks.ts'

/** Of a file. */
const MOLECULES_MAX = 5000

function readCompoundLines(text: string, fileStem: string) {
  const bytes = new TextEncoder().encode(text)
  const read = splitCompounds({ input: { bytes, fileStem }, steps: new Int32Array(1) })
  if (!read.ok) throw new Error(read.reason)
  return read.value
}

function namesIn(text: string, stem = 'library'): string[] {
  return readCompoundLines(text, stem).molecules.map((molecule) => molecule.name)
}

function reasonsIn(text: string): [line: number, reason: string][] {
  return readCompoundLines(text, 'library').rejected.map(({ line, reason }) => [line, reason])
}

describe('one molecule per line', () => {
  test('reads SMILES and name, separated by spaces or a tab', () => {
    expect(
      readCompoundLines('CCO ethanol\nCCN\tethyl amine\n  CCC   propane  ', 'x').molecules,
    ).toEqual([
      { line: 1, smiles: 'CCO', name: 'ethanol' },
      { line: 2, smiles: 'CCN', name: 'ethyl amine' },
      { line: 3, smiles: 'CCC', name: 'propane' },
    ])
  })

  test('a further tab ends the name, and a ChemAxon extension is not part of it', () => {
    expect(namesIn('CCO\tethanol\t46.07\nCCN |$;;amine$| ethylamine')).toEqual([
      'ethanol',
      'ethylamine',
    ])
  })

  test.each(['\n', '\r\n', '\r'])('accepts line endings %j', (ending) => {
    const { molecules } = readCompoundLines(['CCO a', '', 'CCN b', ''].join(ending), 'x')
    expect(molecules.map(({ line, name }) => [line, name])).toEqual([
      [1, 'a'],
      [3, 'b'],
    ])
  })

  test('ignores a byte-order mark, blank lines and comments', () => {
    expect(namesIn('\uFEFF# my library\n\n   \nCCO a\n#CCN b\n')).toEqual(['a'])
  })

  test.each([
    'smiles',
    'SMILES\tName',
    'smiles,name',
    'Canonical SMILES',
    '"canonical_smiles";"id"',
    'Name SMILES',
    'compound_id\tsmiles',
    'smi id',
  ])('ignores the heading %j', (heading) => {
    expect(readCompoundLines(`# from a database\n${heading}\nCCO a`, 'x')).toEqual({
      molecules: [{ line: 3, smiles: 'CCO', name: 'a' }],
      rejected: [],
      renamed: [],
    })
  })

  test('a heading further down is an invalid line', () => {
    expect(reasonsIn('CCO a\nSMILES name')).toEqual([[2, '“M” needs brackets (character 2).']])
  })

  test('an empty file contains nothing and rejects nothing', () => {
    expect(readCompoundLines('\n# only a comment\n', 'x')).toEqual({
      molecules: [],
      rejected: [],
      renamed: [],
    })
  })
})

describe('names', () => {
  test('a single molecule without a name gets the name of its file', () => {
    expect(namesIn('CCO', 'ethanol')).toEqual(['ethanol'])
  })

  test('several are numbered, and an invalid line keeps its number', () => {
    expect(namesIn('CCO\nCCN\nCC(\nCCC named\nCCS')).toEqual([
      'library',
      'library#2',
      'named',
      'library#4',
    ])
  })

  test('are normalised (NFC), single-spaced and free of control characters', () => {
    expect(namesIn(`CCO cafe\u0301\u202E  au\u0007 lait\n#${'-'.repeat(100)}`)).toEqual([
      'café au lait',
    ])
    expect(namesIn('CCO', 'a\u0000b')).toEqual(['ab'])
  })

  test.each(['.', '..'])('%j is no name for a molecule, nor for a file', (name) => {
    expect(reasonsIn(`CCO ${name}`)).toEqual([[1, `“${name}” is not a valid name.`]])
    expect(namesIn('CCO', name)).toEqual(['compound'])
  })

  test('are at most 200 characters long', () => {
    expect(namesIn(`CCO ${'n'.repeat(200)}`)).toEqual(['n'.repeat(200)])
    expect(reasonsIn(`CCO ${'n'.repeat(201)}`)).toEqual([
      [1, 'The name is 201 characters long; the maximum is 200.'],
    ])
    expect(namesIn('CCO\nCCN', 'n'.repeat(300))[1]).toHaveLength(194)
  })

  test('a name in another encoding is rejected rather than garbled', () => {
    expect(reasonsIn('CCO caf\uFFFD')).toEqual([
      [1, 'The name is not UTF-8 text: save the file as UTF-8.'],
    ])
  })

  test('another molecule with the same name is numbered, and the result says so', () => {
    expect(readCompoundLines('CCO x\nCCN x\nCCC x (2)\nCCS x', 'f')).toMatchObject({
      molecules: [{ name: 'x' }, { name: 'x (2)' }, { name: 'x (2) (2)' }, { name: 'x (3)' }],
      renamed: [
        { line: 2, from: 'x', to: 'x (2)' },
        { line: 3, from: 'x (2)', to: 'x (2) (2)' },
        { line: 4, from: 'x', to: 'x (3)' },
      ],
    })
  })

  test('numbered names stay within the length limit', () => {
    const long = 'n'.repeat(200)
    expect(namesIn(`CCO ${long}\nCCN ${long}`)[1]).toBe(`${'n'.repeat(196)} (2)`)
  })

  test('the same molecule with the same name is read once, and the result says so', () => {
    expect(namesIn('CCO x\n\nCCO x')).toEqual(['x'])
    expect(reasonsIn('CCO x\n\nCCO x')).toEqual([[3, 'Same compound and name as line 1.']])
  })
})

describe('line numbers of the table that a file was made from', () => {
  test('`#line` numbers the lines after it, also in messages about other lines', () => {
    const text = 'SMILES\tName\tIC50\n#line 1\nCCO\ta\t1\nC(C\tb\t2\n#line 40\nCCO\ta\t3'
    expect(readCompoundLines(text, 'x')).toMatchObject({
      molecules: [{ line: 1, name: 'a', own: [['IC50', '1']] }],
      rejected: [
        { line: 2, text: 'C(C b 2' },
        { line: 40, reason: 'Same compound and name as line 1.' },
      ],
    })
  })

  test.each(['#line 2', '#line 0', '#line x', '# line 9', '#line 99999999999'])(
    '`%s`, which would give a number again or is a comment, changes nothing',
    (comment) => {
      const { molecules } = readCompoundLines(`CCO a\nCCN b\n${comment}\nCCC c`, 'x')
      expect(molecules.map(({ line }) => line)).toEqual([1, 2, 4])
    },
  )
})

describe('invalid lines are listed and do not affect valid ones', () => {
  test('with number, text and reason', () => {
    expect(readCompoundLines('CCO a\nC1CC b\nCCN c', 'x')).toMatchObject({
      molecules: [{ name: 'a' }, { name: 'c' }],
      rejected: [
        {
          line: 2,
          text: 'C1CC b',
          reason: 'Ring 1 is opened here but never closed (character 2).',
        },
      ],
    })
  })

  test('long text is clipped, and no character is split', () => {
    const [emoji] = readCompoundLines(`${'C'.repeat(79)}😀😀`, 'x').rejected
    expect(emoji?.text).toBe(`${'C'.repeat(79)}…`)
    expect(namesIn(`CCO ${'😀'.repeat(100)}\nCCN ${'😀'.repeat(100)}`)[1]).toBe(
      `${'😀'.repeat(98)} (2)`,
    )
    const [long] = readCompoundLines(`${'C'.repeat(300)} x`, 'x').rejected
    expect(long?.text).toBe(`${'C'.repeat(80)}…`)
  })

  test.each([
    ['InChI=1S/C2H6O/c1-2-3/h3H,2H2,1H3 ethanol', /^This is an InChI;/],
    ['LFQSCWFLJHTTHZ-UHFFFAOYSA-N', /^This is an InChIKey/],
    ['CCO,ethanol', /^This looks like a table row\. Put a space/],
    ['"CCO" ethanol', /Remove the quotation marks/],
    ['CCO>>CC=O', /makes this a reaction/],
    [`${'C'.repeat(6000)}`, /^The line is 6000 characters long/],
  ])('%s', (line, reason) => {
    expect(reasonsIn(`CC first\n${line}`)).toEqual([[2, expect.stringMatching(reason)]])
  })
})

const tooMany = 'It has more than 100,000 lines. Split it.'

describe('large files', () => {
  test('the maximum number of molecules is accepted, with a heading; one more rejects the file', () => {
    const lines = Array.from({ length: MOLECULES_MAX }, (_, index) => `CCO m${index}`)
    expect(namesIn(['smiles name', ...lines].join('\n'))).toHaveLength(MOLECULES_MAX)
    expect(readCompoundLines([...lines, 'CCN more'].join('\n'), 'x')).toEqual({
      molecules: [],
      rejected: [
        {
          line: MOLECULES_MAX + 1,
          text: 'CCN more',
          reason: 'The file has more than 5,000 molecules. Split it.',
        },
      ],
      renamed: [],
    })
  })

  test('invalid lines count as well, which bounds the result', () => {
    expect(reasonsIn('C(\n'.repeat(MOLECULES_MAX + 1))).toHaveLength(1)
  })

  test.each([
    ['blank lines', '\n'.repeat(20_000_000), tooMany],
    ['comments', '#\n'.repeat(10_000_000), tooMany],
    ['one line', 'C'.repeat(20_000_000), []],
    ['one name', `C ${'|'.repeat(20_000_000)}`, []],
    ['brackets', `C${'['.repeat(20_000_000)}`, []],
  ])('20 MB of %s get a result in less than two seconds', (_, text, refusal) => {
    const started = process.threadCpuUsage()
    const bytes = new TextEncoder().encode(text)
    const read = splitCompounds({ input: { bytes, fileStem: 'x' }, steps: new Int32Array(1) })
    expect(read.ok ? read.value.molecules : read.reason).toEqual(refusal)
    const { user, system } = process.threadCpuUsage(started)
    expect((user + system) / 1000).toBeLessThan(2000)
  })
})
