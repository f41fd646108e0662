/** How the reader handles the oddities of real PDB files, one small file each. */
import { describe, expect, test } from 'vitest'
import { structureOf } from '../fixtures/sample.ts'
import { file, peptide, residueLines } from './fixtures/pdb-lines.ts'
import { type Chain, chainSegments, longestProteinChain, type Structure } from './structure.ts'

const plain = file(peptide('ALA CYS ASP GLU PHE GLY'))

describe('line ends and line lengths', () => {
  test.each([
    ['CRLF', plain.replaceAll('\n', '\r\n')],
    ['lone CR', plain.replaceAll('\n', '\r')],
    ['a byte order mark', `\ufeff${plain}`],
    ['no END and no last line break', plain.replace('TER\nEND\n', '').trimEnd()],
    ['no element columns', plain.replaceAll(/^(ATOM.{62}).*$/gm, '$1')],
    ['lines that stop after the coordinates', plain.replaceAll(/^(ATOM.{50}).*$/gm, '$1')],
    ['AutoDock types in columns 78-79 (PDBQT)', asPdbqt(plain)],
  ])('reads the same chain with %s', (_, text) => {
    const structure = structureOf(text)
    expect(sequences(structure)).toEqual(['A:ACDEFG'])
    expect(structure.chains[0]?.residues[0]?.atoms.map((atom) => atom.element)).toEqual([
      'N',
      'C',
      'C',
      'O',
    ])
    expect(structure.warnings).toEqual([tooShort(6)])
  })

  test('ignores lines with invalid coordinates, and names the first', () => {
    const lines = plain.split('\n')
    const text = [
      ...lines.slice(0, 3),
      lines[3]?.replace(/.{8}(?=.{26}$)/, '     NaN'),
      ...lines.slice(4),
    ].join('\n')
    expect(structureOf(text).warnings).toContain(
      '1 atom line could not be read and was ignored (first: line 4).',
    )
  })
})

test('keeps the location with the highest occupancy, with one letter throughout a residue', () => {
  const text = file(
    peptide('ALA CYS ASP').slice(0, -1),
    residueLines({
      name: 'SER',
      number: 4,
      altloc: 'A',
      occupancy: 0.4,
      aside: 0.2,
      atoms: { N: 0, CA: 1.45, C: 2.5, CB: 1.5 },
    }),
    residueLines({
      name: 'SER',
      number: 4,
      altloc: 'B',
      occupancy: 0.6,
      aside: 0.4,
      atoms: { N: 0, CA: 1.45, C: 2.5 },
    }),
    residueLines({
      name: 'SER',
      number: 4,
      altloc: 'B',
      occupancy: 0.3,
      aside: 0.4,
      atoms: { CB: 1.5 },
    }),
  )
  const structure = structureOf(text)
  expect(residue(structure, 3).atoms.map(({ name, y }) => [name, y])).toEqual([
    ['N', 0.4],
    ['CA', 0.4],
    ['C', 0.4],
    ['CB', 0.4],
  ])
  expect(structure.warnings).toContain(
    '1 residue with alternate locations: the one with the highest occupancy is used.',
  )
})

test('takes an atom missing in the chosen location from another', () => {
  const text = file(
    peptide('ALA CYS ASP').slice(0, -1),
    residueLines({ name: 'SER', number: 4, altloc: 'A', occupancy: 0.6 }),
    residueLines({ name: 'SER', number: 4, altloc: 'B', occupancy: 0.4, atoms: { OG: 1 } }),
  )
  expect(residue(structureOf(text), 3).atoms.map((atom) => atom.name)).toContain('OG')
})

test('reads locations written in blocks of several residues', () => {
  const block = (altloc: string, occupancy: number) =>
    [4, 5, 6].flatMap((number) => residueLines({ name: 'SER', number, altloc, occupancy }))
  const text = file(peptide('ALA CYS ASP').slice(0, -1), block('A', 0.3), block('B', 0.7))
  expect(sequences(structureOf(text))).toEqual(['A:ACDSSS'])
})

test('of two residue types at one position the one with higher occupancy is used', () => {
  const text = file(
    peptide('ALA CYS ASP').slice(0, -1),
    residueLines({ name: 'SER', number: 4, altloc: 'A', occupancy: 0.4 }),
    residueLines({ name: 'PRO', number: 4, altloc: 'B', occupancy: 0.6 }),
    residueLines({ name: 'GLY', number: 5 }),
  )
  const structure = structureOf(text)
  expect(sequences(structure)).toEqual(['A:ACDPG'])
  expect(structure.warnings).toContain(
    'More than one residue type at A 4 (SER, PRO): the most occupied is used.',
  )
})

test('reads modified residues in HETATM records as their parents', () => {
  const text = file(
    residueLines({ name: 'MSE', number: 1, record: 'HETATM' }),
    peptide('ALA CYS', 'A', 2).slice(0, -1),
    residueLines({ name: 'SEP', number: 4, record: 'HETATM' }),
    peptide('GLY', 'A', 5),
  )
  const structure = structureOf(text)
  expect(sequences(structure)).toEqual(['A:MACSG'])
  expect(structure.mapped).toEqual([
    { from: 'MSE', to: 'MET', count: 1 },
    { from: 'SEP', to: 'SER', count: 1 },
  ])
})

test('reads residue names of force fields', () => {
  const text = file(peptide('HID HIE HIP HSD CYX CYM ASH GLH LYN NALA CGLY'))
  expect(sequences(structureOf(text))).toEqual(['A:HHHHCCDEKAG'])
})

test('parents from MODRES records override our table', () => {
  const modres = ['MODRES 1ABC ZZZ A    2  TRP  A ODD TRYPTOPHAN', 'MODRES 1ABC PCA A    3  GLU']
  const structure = structureOf(file(modres, peptide('ALA ZZZ PCA GLY')))
  expect(sequences(structure)).toEqual(['A:AWEG'])
})

test('reads an unknown residue as X if it is bonded into the chain', () => {
  const structure = structureOf(file(peptide('ALA CYS QQQ GLU PHE')))
  expect(sequences(structure)).toEqual(['A:ACXEF'])
  expect(structure.warnings).toContain('1 residue of unknown type read as X: QQQ.')
})

test('a free amino acid is a ligand, before or after TER', () => {
  const free = residueLines({ name: 'GLN', number: 90, record: 'HETATM', aside: 12 })
  const chain = peptide('ALA CYS ASP GLU')
  for (const text of [file(chain, free), file(chain.slice(0, -1), free)]) {
    const structure = structureOf(text)
    expect(sequences(structure)).toEqual(['A:ACDE'])
    expect(structure.ligands.map((ligand) => ligand.name)).toEqual(['GLN'])
  }
})

test('a calcium ion is not read as an alpha carbon', () => {
  const calcium = 'HETATM   99 CA    CA A 101      10.000  10.000  10.000  1.00  0.00          CA'
  const structure = structureOf(file(peptide('ALA CYS ASP GLU'), [calcium]))
  expect(structure.ligands.map(({ name, atoms }) => [name, atoms[0]?.element])).toEqual([
    ['CA', 'CA'],
  ])
})

test('caps count neither as residues, ligands nor missing residues', () => {
  const text = file(
    ['SEQRES   1 A    6  ACE ALA CYS ASP GLU NH2'],
    residueLines({ name: 'ACE', number: 0, record: 'HETATM', atoms: { CH3: 1, C: 2.5 } }),
    peptide('ALA CYS ASP GLU'),
  )
  const structure = structureOf(text)
  expect([structure.caps, structure.ligands, structure.chains[0]?.seqres]).toEqual([
    ['ACE'],
    [],
    'ACDE',
  ])
})

describe('numbers and order', () => {
  test('keeps insertion codes and the file’s order of residues', () => {
    const inserted = ['', 'A', 'B'].flatMap((insertionCode, index) =>
      residueLines({
        name: 'GLY',
        number: 52,
        insertionCode: insertionCode || ' ',
        at: 52 + index,
      }),
    )
    const text = file(
      peptide('ALA CYS ASP', 'H', 49).slice(0, -1),
      inserted.map((line) => line.replace(' A  52', ' H  52')),
    )
    const chain = structureOf(text).chains[0]
    expect(chain?.residues.map((each) => `${each.number}${each.insertionCode}`)).toEqual([
      '49',
      '50',
      '51',
      '52',
      '52A',
      '52B',
    ])
    expect(chain?.gaps).toEqual([])
  })

  test('a stray atom at the start of the file does not move its residue', () => {
    const stray = residueLines({ name: 'GLY', number: 5, atoms: { HA2: 1.6 } })
    expect(sequences(structureOf(file(stray, peptide('ALA CYS ASP GLU GLY'))))).toEqual(['A:ACDEG'])
  })

  test('reads hybrid-36 and negative residue numbers', () => {
    const text = file(
      ['-1', '0', '9999', 'A000', 'A001'].flatMap((number, at) =>
        residueLines({ name: 'ALA', number, at }),
      ),
    )
    expect(structureOf(text).chains[0]?.residues.map((each) => each.number)).toEqual([
      -1, 0, 9999, 10_000, 10_001,
    ])
  })

  test('ignores a residue without an alpha carbon, and says so', () => {
    const text = file(
      peptide('ALA CYS ASP GLU').slice(0, -1),
      residueLines({ name: 'LYS', number: 5, atoms: { N: 0 } }),
    )
    const structure = structureOf(text)
    expect(sequences(structure)).toEqual(['A:ACDE'])
    expect(structure.warnings).toContain(
      '1 residue without backbone atoms ignored: LYS 5 of chain A.',
    )
  })
})

function sequences(structure: Structure): string[] {
  return structure.chains.map((chain: Chain) => `${chain.id}:${chainSegments(chain).join('-')}`)
}

function residue(structure: Structure, index: number) {
  const found = longestProteinChain(structure)?.residues[index]
  if (found === undefined) throw new Error(`no residue ${index}`)
  return found
}

function tooShort(residues: number): string {
  return `The longest protein chain has only ${residues} residues: too few for a reliable prediction.`
}

function asPdbqt(text: string): string {
  const types: Record<string, string> = { N: 'NA', C: 'A ', O: 'OA' }
  const atoms = text.replaceAll(
    /^(ATOM.{62}).{10} (.).*$/gm,
    (_, start: string, element: string) => {
      return `${start}    +0.000 ${types[element] ?? element}`
    },
  )
  return `REMARK  Name = receptor\nROOT\n${atoms}ENDROOT\nTORSDOF 0\n`
}
