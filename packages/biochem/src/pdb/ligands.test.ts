/** No atom of a ligand is lost, however a program named its atoms and residues, and one molecule is one ligand. */
import { describe, expect, test } from 'vitest'
import { amprenavir, sample, structureOf } from '../fixtures/sample.ts'
import { layOntoLigand } from '../pose/own-ligand.ts'
import { listReferences, readReference } from '../pose/reference-ligand.ts'
import { openRdkit } from '../smiles/rdkit.ts'
import { file, peptide, residueLines } from './fixtures/pdb-lines.ts'
import { findPocket } from './pocket.ts'
import { reportTarget } from './report-target.ts'
import type { Structure } from './structure.ts'

const ligandLines = sample.split('\n').filter((line) => isOfLigand(line))
const proteinLines = sample.split('\n').filter((line) => line.startsWith('ATOM'))
const heavyAtoms = 35

function isOfLigand(line: string): boolean {
  return line.startsWith('HETATM') && line.slice(17, 20) === '478'
}

/** The sample with the lines of its ligand rewritten. */
function withLigand(rewrite: (line: string, place: number) => string): Structure {
  return structureOf([...proteinLines, 'TER', ...ligandLines.map(rewrite), 'END', ''].join('\n'))
}

function nameAtom(line: string, name: string): string {
  return `${line.slice(0, 12)} ${name.padEnd(3)}${line.slice(16)}`
}

function countsOf({ ligands }: Structure): [string, number][] {
  return ligands.map(({ name, atoms }) => [name, atoms.length])
}

describe('the ligand of the sample keeps its atoms, its pocket and its SMILES', () => {
  const element = (line: string) => line.slice(13, 14)
  test.each([
    ['atoms named by element', (line: string) => nameAtom(line, element(line)), '478'],
    ['names cut to two characters', (line: string) => nameAtom(line, line.slice(13, 15)), '478'],
    [
      'ATOM records of an unknown residue, as docking programs write them',
      (line: string) => `ATOM  ${line.slice(6, 17)}UNK     0${line.slice(26)}`,
      'UNK',
    ],
    [
      'ATOM records and the name of a modified residue',
      (line: string) => `ATOM  ${line.slice(6, 17)}DPP L   1${line.slice(26)}`,
      'DPP',
    ],
    [
      'a chain name of two letters that shifts the columns',
      (line: string) => `${line.slice(0, 21)}LB   1${line.slice(26, 26)}${line.slice(26)}`,
      '478',
    ],
    [
      'atom numbers of six digits that shift the columns',
      (line: string, place: number) => `HETATM${100_000 + place}${line.slice(11)}`,
      '478',
    ],
  ])('%s', async (_, rewrite, name) => {
    const structure = withLigand(rewrite)
    expect(countsOf(structure)).toEqual([[name, heavyAtoms]])
    expect(findPocket(structure)?.ligand).toBe(name)
    const laid = layOntoLigand(await openRdkit(), amprenavir, { structure, chain: 'A' })
    expect(laid.ok ? laid.value.of : laid.reason).toContain(name)
  })
})

test('shifted columns are reported', () => {
  const structure = withLigand((line) => `${line.slice(0, 21)}LB   1${line.slice(26)}`)
  expect(structure.ligands[0]).toMatchObject({ chainId: 'LB', number: 1 })
  expect(structure.warnings).toContain(
    'The columns of 35 atom lines are shifted by a long atom number or chain name; they were read by their fields.',
  )
})

test('a residue number of five digits is read with or without shifted columns', () => {
  const numbered = (text: string) =>
    peptide('ALA CYS ASP GLU').map((line) => `${line.slice(0, 22)}${text}${line.slice(27)}`)
  for (const text of ['10001', '10001 ']) {
    const chains = structureOf(file(peptide('ALA CYS ASP GLU', 'B'), numbered(text))).chains
    expect(chains[1]?.residues[0]).toMatchObject({ number: 10_001, insertionCode: '' })
  }
})

describe('copies under one label', () => {
  const moved = (line: string, by: number) =>
    line.slice(0, 30) + (Number(line.slice(30, 38)) + by).toFixed(3).padStart(8) + line.slice(38)

  test('a second copy elsewhere is a ligand of its own, whichever comes first', () => {
    for (const [first, second] of [
      [0, 60],
      [60, 0],
    ] as const) {
      const copies = ligandLines
        .map((line) => moved(line, first))
        .concat(ligandLines.map((line) => moved(line, second)))
      const structure = structureOf([...proteinLines, 'TER', ...copies, 'END', ''].join('\n'))
      expect(countsOf(structure)).toEqual([
        ['478', heavyAtoms],
        ['478', heavyAtoms],
      ])
      expect(findPocket(structure)).toMatchObject({ ligand: '478' })
      expect(listReferences(structure, 'A')[0]?.ligand.atoms[0]?.x).toBe(
        Number(ligandLines[0]?.slice(30, 38)),
      )
    }
  })

  test('copies named by element are told apart by their bonds', () => {
    const copies = [0, 60].flatMap((by) =>
      ligandLines.map((line) => moved(nameAtom(line, line.slice(13, 14)), by)),
    )
    const structure = structureOf([...proteinLines, 'TER', ...copies, 'END', ''].join('\n'))
    expect(countsOf(structure)).toEqual([
      ['478', heavyAtoms],
      ['478', heavyAtoms],
    ])
  })

  test('a copy in the same place is an alternate location without letters', () => {
    const copies = [...ligandLines, ...ligandLines.map((line) => moved(line, 0.3))]
    const structure = structureOf([...proteinLines, 'TER', ...copies, 'END', ''].join('\n'))
    expect(countsOf(structure)).toEqual([['478', heavyAtoms]])
  })

  test('three ions under one label are three ions', () => {
    const ions = [20, 24, 28].flatMap((at) =>
      residueLines({ name: 'ZN', number: 9, at, record: 'HETATM', aside: 9, atoms: { ZN: 0 } }),
    )
    expect(reportTarget(structureOf(file(peptide('ALA CYS ASP GLU'), ions))).dropped).toEqual([
      '3 ions (ZN)',
    ])
  })
})

/** A chain of atoms 1.5 Å apart along x, beside the protein, beginning at `from` Å. */
function group(name: string, number: number, { from = 0, atoms = 4, record = 'HETATM' } = {}) {
  const places = Array.from({ length: atoms }, (_, at) => [`C${at + 1}`, from + 1.5 * at])
  return residueLines({
    name,
    number,
    chain: 'C',
    at: 0,
    aside: 12,
    record: record === 'ATOM' ? 'ATOM' : 'HETATM',
    atoms: Object.fromEntries(places),
  })
}

describe('residues bonded to each other', () => {
  const protein = peptide('ALA CYS ASP GLU PHE GLY HIS ILE')

  test('a peptide with other groups bonded to both ends is one ligand, as N3 of 6LU7', () => {
    const inner = [2, 3, 4].flatMap((number) =>
      residueLines({
        name: ['ALA', 'VAL', 'LEU'][number - 2] ?? '',
        number,
        chain: 'C',
        at: number - 2,
        aside: 12,
        atoms: { N: 0, CA: 1.45, C: 2.5 },
      }),
    )
    const ends = [
      group('02J', 1, { from: -6 + 0.1 }),
      group('PJE', 5, { from: 2 * 3.8 + 2.5 + 1.4 }),
      group('010', 6, { from: 2 * 3.8 + 2.5 + 1.4 + 6 }),
    ]
    const structure = structureOf(file(protein, ends[0] ?? [], inner, ends[1] ?? [], ends[2] ?? []))
    expect(structure.chains.map(({ id }) => id)).toEqual(['A'])
    expect(structure.ligands).toMatchObject([
      { name: '02J-ALA-VAL-LEU-PJE-010', number: 1, chainId: 'C' },
    ])
    expect(structure.ligands[0]?.atoms.length).toBe(4 + 9 + 4 + 4)
    expect(reportTarget(structure).dropped).toEqual(['1 ligand (02J-ALA-VAL-LEU-PJE-010)'])
  })

  const link = (symmetry: string) =>
    [
      'LINK'.padEnd(12),
      ' C4  AAA C   1 '.padEnd(30),
      ' C1  BBB C   9 '.padEnd(17),
      `  1555 ${symmetry.padStart(6)}  2.40`,
    ].join('')
  const inTwo = (gap: number) => [group('AAA', 1), group('BBB', 9, { from: 4.5 + gap })]
  const connection = `loop_
_struct_conn.conn_type_id
_struct_conn.ptnr1_auth_asym_id
_struct_conn.ptnr1_auth_seq_id
_struct_conn.ptnr1_label_comp_id
_struct_conn.ptnr1_label_atom_id
_struct_conn.ptnr1_symmetry
_struct_conn.ptnr2_auth_asym_id
_struct_conn.ptnr2_auth_seq_id
_struct_conn.ptnr2_label_comp_id
_struct_conn.ptnr2_label_atom_id
_struct_conn.ptnr2_symmetry
covale C 1 AAA C4 1_555 C 9 BBB C1 1_555
`
  const asCif = (lines: string[][]) => `data_x
${connection}loop_
_atom_site.group_PDB
_atom_site.label_atom_id
_atom_site.label_comp_id
_atom_site.auth_asym_id
_atom_site.auth_seq_id
_atom_site.Cartn_x
_atom_site.Cartn_y
_atom_site.Cartn_z
_atom_site.type_symbol
${lines
  .flat()
  .filter((line) => line !== 'TER')
  .map((line) =>
    [
      line.slice(0, 6),
      line.slice(12, 16),
      line.slice(17, 20),
      line[21],
      line.slice(22, 26),
      line.slice(30, 38),
      line.slice(38, 46),
      line.slice(46, 54),
      line[13],
    ].join(' '),
  )
  .join('\n')}
`

  test.each([
    ['a LINK record', file([link('1555')], protein, ...inTwo(2.4)), ['AAA-BBB']],
    ['_struct_conn', asCif([protein, ...inTwo(2.4)]), ['AAA-BBB']],
    ['a record of another cell', file([link('2655')], protein, ...inTwo(2.4)), ['AAA', 'BBB']],
    ['a record of 4 Å', file([link('1555')], protein, ...inTwo(4)), ['AAA', 'BBB']],
    ['no record', file(protein, ...inTwo(2.4)), ['AAA', 'BBB']],
  ])('a long bond is read from the file: %s', (_, text, names) => {
    const { ligands } = structureOf(text)
    expect(ligands.map(({ name }) => name)).toEqual(names)
    const [ligand] = ligands
    if (ligand === undefined) throw new Error('no ligand')
    expect(readReference(ligand).atoms).toHaveLength(8 / names.length)
  })

  test('groups that only touch stay apart, and so do sugars of a glycan', () => {
    const apart = [group('AAA', 1), group('BBB', 2, { from: 7.5 })]
    expect(countsOf(structureOf(file(protein, ...apart))).map(([name]) => name)).toEqual([
      'AAA',
      'BBB',
    ])
    const glycan = [group('NAG', 1), group('NAG', 2, { from: 6 })]
    expect(countsOf(structureOf(file(protein, ...glycan))).map(([name]) => name)).toEqual([
      'NAG',
      'NAG',
    ])
  })

  test('a peptide without other groups stays a chain, and a protein never becomes a ligand', () => {
    const short = peptide('ALA CYS ASP', 'P')
    expect(structureOf(file(protein, short)).chains.map(({ id }) => id)).toEqual(['A', 'P'])
    const bonded = residueLines({
      name: 'INH',
      number: 90,
      chain: 'A',
      at: 0,
      record: 'HETATM',
      atoms: { C1: 3.8 - 1.4, C2: 3.8 - 2.9, C3: 3.8 - 4.4 },
    })
    const structure = structureOf(file(protein.slice(0, -1), bonded))
    expect(structure.chains.map(({ residues }) => residues.length)).toEqual([8])
    expect(countsOf(structure)).toEqual([['INH', 3]])
  })
})
