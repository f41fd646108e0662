import { describe, expect, test } from 'vitest'
import { readCompoundLines } from './compound-file.ts'
import { smilesLimits } from './rdkit.ts'

function namesIn(text: string, stem = 'library'): string[] {
  return readCompoundLines(text, stem).molecules.map((molecule) => molecule.name)
}

function reasonsIn(text: string): [line: number, reason: string][] {
  return readCompoundLines(text, 'library').rejected.map(({ line, reason }) => [line, reason])
}

describe('one molecule a line', () => {
  test('reads SMILES and name, parted by spaces or a tab', () => {
    expect(
      readCompoundLines('CCO ethanol\nCCN\tethyl amine\n  CCC   propane  ', 'x').molecules,
    ).toEqual([
      { line: 1, smiles: 'CCO', name: 'ethanol' },
      { line: 2, smiles: 'CCN', name: 'ethyl amine' },
      { line: 3, smiles: 'CCC', name: 'propane' },
    ])
  })

  test('a further tab ends the name, and a ChemAxon extension is no part of it', () => {
    expect(namesIn('CCO\tethanol\t46.07\nCCN |$;;amine$| ethylamine')).toEqual([
      'ethanol',
      'ethylamine',
    ])
  })

  test.each(['\n', '\r\n', '\r'])('takes line endings %j', (ending) => {
    const { molecules } = readCompoundLines(['CCO a', '', 'CCN b', ''].join(ending), 'x')
    expect(molecules.map(({ line, name }) => [line, name])).toEqual([
      [1, 'a'],
      [3, 'b'],
    ])
  })

  test('passes over a byte-order mark, blank lines and comments', () => {
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
  ])('passes over the heading %j', (heading) => {
    expect(readCompoundLines(`# from a database\n${heading}\nCCO a`, 'x')).toEqual({
      molecules: [{ line: 3, smiles: 'CCO', name: 'a' }],
      rejected: [],
      renamed: [],
    })
  })

  test('a heading further down is a bad line', () => {
    expect(reasonsIn('CCO a\nSMILES name')).toEqual([
      [2, '"M" is not an atom that can stand without brackets (character 2).'],
    ])
  })

  test('an empty file holds nothing and rejects nothing', () => {
    expect(readCompoundLines('\n# only a comment\n', 'x')).toEqual({
      molecules: [],
      rejected: [],
      renamed: [],
    })
  })
})

describe('names', () => {
  test('one molecule without a name has the name of its file', () => {
    expect(namesIn('CCO', 'ethanol')).toEqual(['ethanol'])
  })

  test('several are numbered, and a bad line keeps its number', () => {
    expect(namesIn('CCO\nCCN\nCC(\nCCC named\nCCS')).toEqual([
      'library',
      'library#2',
      'named',
      'library#4',
    ])
  })

  test('are composed, single-spaced and free of control characters', () => {
    expect(namesIn('CCO cafe\u0301\u202E  au\u0007 lait')).toEqual(['café au lait'])
    expect(namesIn('CCO', 'a\u0000b')).toEqual(['ab'])
  })

  test.each(['.', '..'])('%j is no name for a molecule, nor for a file', (name) => {
    expect(reasonsIn(`CCO ${name}`)).toEqual([[1, `"${name}" cannot be a name.`]])
    expect(namesIn('CCO', name)).toEqual(['compound'])
  })

  test('are at most 200 characters long', () => {
    expect(namesIn(`CCO ${'n'.repeat(200)}`)).toEqual(['n'.repeat(200)])
    expect(reasonsIn(`CCO ${'n'.repeat(201)}`)).toEqual([
      [1, 'The name is 201 characters long; 200 is the most.'],
    ])
    expect(namesIn('CCO\nCCN', 'n'.repeat(300))[1]).toHaveLength(194)
  })

  test('a name in another encoding is refused rather than spoilt', () => {
    expect(reasonsIn('CCO caf\uFFFD')).toEqual([
      [1, 'The name is not UTF-8 text: save the file as UTF-8.'],
    ])
  })

  test('another molecule of the same name is numbered, and the answer says so', () => {
    expect(readCompoundLines('CCO x\nCCN x\nCCC x (2)\nCCS x', 'f')).toMatchObject({
      molecules: [{ name: 'x' }, { name: 'x (2)' }, { name: 'x (2) (2)' }, { name: 'x (3)' }],
      renamed: [
        { line: 2, from: 'x', to: 'x (2)' },
        { line: 3, from: 'x (2)', to: 'x (2) (2)' },
        { line: 4, from: 'x', to: 'x (3)' },
      ],
    })
  })

  test('numbered names stay within the length that is allowed', () => {
    const long = 'n'.repeat(200)
    expect(namesIn(`CCO ${long}\nCCN ${long}`)[1]).toBe(`${'n'.repeat(196)} (2)`)
  })

  test('the same molecule under the same name is taken once, and the answer says so', () => {
    expect(namesIn('CCO x\n\nCCO x')).toEqual(['x'])
    expect(reasonsIn('CCO x\n\nCCO x')).toEqual([
      [3, 'Line 1 holds the same molecule under the same name.'],
    ])
  })
})

describe('bad lines are named and sink no good one', () => {
  test('with number, text and reason', () => {
    expect(readCompoundLines('CCO a\nC1CC b\nCCN c', 'x')).toMatchObject({
      molecules: [{ name: 'a' }, { name: 'c' }],
      rejected: [
        {
          line: 2,
          text: 'C1CC b',
          reason: 'Ring 1 is opened here and never closed (character 2).',
        },
      ],
    })
  })

  test('long text is clipped, and no sign is cut in two', () => {
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
    ['CCO,ethanol', /^This looks like a row of a table; write a space/],
    ['"CCO" ethanol', /without quotation marks/],
    ['ethanol CCO', /^The SMILES comes first on a line/],
    ['CCO>>CC=O', /makes this a reaction/],
    [`${'C'.repeat(6000)}`, /^The line is 6000 characters long/],
  ])('%s', (line, reason) => {
    expect(reasonsIn(`CC first\n${line}`)).toEqual([[2, expect.stringMatching(reason)]])
  })
})

describe('files of another kind are recognised', () => {
  test.each([
    ['a zip archive', 'PK\u0003\u0004\u0014\u0000', 1, /zip archive or an Office document/],
    ['a PDF', '%PDF-1.7\n', 1, /PDF/],
    ['UTF-16', '\uFFFD\uFFFDC\u0000C\u0000O\u0000', 1, /UTF-16/],
    ['other binary content', '\u001F\uFFFD\u0008\u0000', 1, /not a text file/],
    ['PDB', 'HEADER    HYDROLASE\nATOM', 1, /target, not a list of compounds/],
    ['a MOL file', 'ethanol\r\n  RDKit\r\n\r\n  3  2  0  0  0 V2000\r\n', 4, /SD or MOL file/],
    ['the end of an SD file', 'x\n$$$$\n', 2, /SD or MOL file/],
    ['MOL2', '# made\n@<TRIPOS>MOLECULE\n', 2, /MOL2/],
    ['mmCIF', 'data_1HPV\n#\nloop_\n', 1, /CIF/],
    ['FASTA', '>sp|P03366\nPQITLWQRPLV\n', 1, /FASTA/],
    ['a web page', '<!doctype html>', 1, /web page/],
    ['JSON', '{"smiles": "CCO"}', 1, /JSON/],
  ])('%s', (_, text, line, reason) => {
    const { molecules, rejected } = readCompoundLines(text, 'x')
    expect(molecules).toEqual([])
    expect(rejected).toEqual([
      { line, text: expect.any(String) as string, reason: expect.stringMatching(reason) as string },
    ])
  })
})

describe('large files', () => {
  const { fileMolecules } = smilesLimits

  test('as many molecules as are allowed pass, with a heading; one more refuses the file', () => {
    const lines = Array.from({ length: fileMolecules }, (_, index) => `CCO m${index}`)
    expect(namesIn(['smiles name', ...lines].join('\n'))).toHaveLength(fileMolecules)
    expect(readCompoundLines([...lines, 'CCN more'].join('\n'), 'x')).toEqual({
      molecules: [],
      rejected: [
        {
          line: fileMolecules + 1,
          text: 'CCN more',
          reason: 'The file holds more than 5,000 molecules: split it.',
        },
      ],
      renamed: [],
    })
  })

  test('bad lines count as well, so that an answer stays small', () => {
    expect(reasonsIn('C(\n'.repeat(fileMolecules + 1))).toHaveLength(1)
  })

  test.each([
    ['blank lines', '\n'.repeat(20_000_000)],
    ['comments', '#\n'.repeat(10_000_000)],
    ['one line', 'C'.repeat(20_000_000)],
    ['one name', `C ${'|'.repeat(20_000_000)}`],
    ['brackets', '['.repeat(20_000_000)],
  ])('20 MB of %s is answered in less than two seconds', (_, text) => {
    const started = process.threadCpuUsage()
    expect(readCompoundLines(text, 'x').molecules).toEqual([])
    expect(cpuMsSince(started)).toBeLessThan(2000)
  })
})

/** The work itself: how busy the machine is with others says nothing. */
function cpuMsSince(start: NodeJS.CpuUsage): number {
  const { user, system } = process.threadCpuUsage(start)
  return (user + system) / 1000
}
