/** An mmCIF file gives the same structure as the PDB file of the same entry. */
import { expect, test } from 'vitest'
import { entryText, structureOf } from '../fixtures/sample.ts'
import { readStructure } from './read-structure.ts'
import { atomsMax } from './scan-records.ts'
import { type Structure, chainSegments } from './structure.ts'

test.each(['1A8O', '2BEG', '103l'])('%s is the same structure as mmCIF and as PDB', (entry) => {
  const fromCif = structureOf(entryText(`${entry}.cif`))
  const fromPdb = structureOf(entryText(`${entry}.pdb`))
  expect(summaryOf(fromCif)).toEqual(summaryOf(fromPdb))
  expect(atomsOf(fromCif)).toEqual(atomsOf(fromPdb))
})

test('quotes, text fields, comments, unknown values and any column order are read', () => {
  const structure = structureOf(`data_7XYZ
_entry.id   7XYZ
_struct.title
;A title that goes
on
;
loop_
_pdbx_poly_seq_scheme.asym_id
_pdbx_poly_seq_scheme.seq_id
_pdbx_poly_seq_scheme.mon_id
_pdbx_poly_seq_scheme.pdb_strand_id
${['MET', 'ALA', 'ALA', 'GLY', 'SER', 'LYS'].map((name, at) => `A ${at + 1} ${name} AAA`).join('\n')}
A 6 ARG AAA # the other residue at a place of microheterogeneity
#
loop_
_atom_site.Cartn_z
_atom_site.Cartn_x
_atom_site.Cartn_y
_atom_site.group_PDB
_atom_site.auth_asym_id
_atom_site.label_asym_id
_atom_site.auth_seq_id
_atom_site.pdbx_PDB_ins_code
_atom_site.label_seq_id
_atom_site.label_comp_id
_atom_site.label_atom_id
_atom_site.type_symbol
_atom_site.label_alt_id
${['ALA', 'ALA', 'GLY', 'SER', 'LYS'].map((name, at) => `0.0 ${at * 3.8} 0 ATOM AAA A ${at + 11} ? ${at + 2} ${name} CA C .`).join('\n')}
1 2 3 HETATM AAA B 99 A . 'LIG' "O5'" O ?
1 2 9 HETATM AAA C 100 ? . HOH O O ?
data_second
_struct.title 'never read'
`)
  expect(structure).toMatchObject({ title: 'A title that goes on', pdbCode: '7XYZ', waters: 1 })
  expect(structure.chains.map(({ id, seqres }) => [id, seqres])).toEqual([['AAA', 'MAAGSK']])
  expect(structure.ligands.map(({ name, number }) => [name, number])).toEqual([['LIG', 99]])
  expect(structure.ligands[0]?.atoms[0]?.name).toBe("O5'")
})

const atom = (at: number) => `ATOM A ${at} ALA CA ${at % 9000} 0 0\n`
const table = `data_x\nloop_\n${['group_PDB', 'auth_asym_id', 'auth_seq_id', 'label_comp_id', 'label_atom_id', 'Cartn_x', 'Cartn_y', 'Cartn_z'].map((item) => `_atom_site.${item}\n`).join('')}`

test('residues beyond 9,999 and coordinates too wide for PDB columns are read', () => {
  const far = [5_000_123, 5_000_124, 5_000_125, 5_000_126]
  const structure = structureOf(
    table + far.map((at) => `ATOM A ${at} ALA CA ${at - 5_000_000} 0 0\n`).join(''),
  )
  expect(structure.chains[0]?.residues.map(({ number }) => number)).toEqual(far)
})

test.each([
  [
    'a quote without its end',
    `${table}ATOM A 1 'ALA CA 0 0 0\n`,
    /no atoms|protein|cannot be read/,
  ],
  ['a text field without its end', `${table};ALA\n`.repeat(3), /no atoms/],
  ['a table without rows', table, /no atoms/],
  ['half a row', `${table}ATOM A 1 ALA`, /no atoms/],
  ['a million tables', 'data_x\n' + 'loop_\n'.repeat(1_000_000), /no atoms/],
  ['a million blocks', 'data_x\n_a.b c\n' + 'data_y\n'.repeat(1_000_000), /no atoms/],
  ['10 MB of one quoted value', `data_x\n_struct.title '${'x'.repeat(10_000_000)}`, /no atoms/],
  ['words for numbers', table + 'ATOM A one ALA CA x y z\n'.repeat(9), /_atom_site\.Cartn_x/],
  [
    'too many atoms',
    table + Array.from({ length: atomsMax + 1 }, (_, at) => atom(at)).join(''),
    /more than 250,000 atoms/,
  ],
])('%s gets an error message', (_, text, sentence) => {
  const answer = readStructure(text)
  expect(answer.ok ? 'read' : answer.reason).toMatch(sentence)
})

function summaryOf({ chains, ligands, waters, models, pdbCode, mapped, secondary }: Structure) {
  return {
    chains: chains.map((chain) => [
      chain.id,
      chain.kind,
      chainSegments(chain),
      chain.gaps,
      chain.seqres,
    ]),
    ligands: ligands.map(({ name, number }) => [name, number]),
    waters,
    models,
    pdbCode,
    mapped,
    secondary: secondary.length,
  }
}

function atomsOf({ chains }: Structure) {
  return chains.flatMap(({ residues }) =>
    residues.flatMap(({ atoms }) =>
      atoms.map(({ name, element, x, y, z }) => [name, element, x, y, z]),
    ),
  )
}

const items = (names: string) => ['loop_', ...names.split(' ').map((name) => `_atom_site.${name}`)]

/** Five residues of chain A and benzamidine-like groups in chains B and C. */
function rowsOf(label: (asym: string, number: number | null) => string): string[] {
  const protein = [1, 2, 3, 4, 5].flatMap((number) =>
    ['N', 'CA', 'C', 'O'].map(
      (name, at) => `ATOM ${name[0]} ${name} ALA ${label('A', number)} ${number * 3.8 + at} 0 0`,
    ),
  )
  const groups = ['B', 'C'].flatMap((asym, copy) =>
    [0, 1, 2, 3].map(
      (at) => `HETATM C C${at} LIG ${label(asym, null)} ${1.5 * at} ${8 + 9 * copy} 0`,
    ),
  )
  return [...protein, ...groups]
}

test.each([
  [
    'auth_seq_id',
    'group_PDB type_symbol label_atom_id label_comp_id label_asym_id label_seq_id auth_asym_id auth_seq_id',
    (asym: string, number: number | null) => `${asym} ${number ?? '.'} A ${number ?? '.'}`,
    ['A', 'A'],
  ],
  [
    'label_seq_id, without columns of the author',
    'group_PDB type_symbol label_atom_id label_comp_id label_asym_id label_seq_id',
    (asym: string, number: number | null) => `${asym} ${number ?? '.'}`,
    ['B', 'C'],
  ],
])('ligands without a number are read: %s', (_, columns, label, chainIds) => {
  const head = items(`${columns} Cartn_x Cartn_y Cartn_z`)
  const structure = structureOf(['data_X', ...head, ...rowsOf(label), ''].join('\n'))
  expect(structure.ligands.map(({ name, atoms }) => [name, atoms.length])).toEqual([
    ['LIG', 4],
    ['LIG', 4],
  ])
  expect(structure.ligands.map(({ chainId }) => chainId)).toEqual(chainIds)
  expect(structure.warnings.join()).not.toContain('could not be read')
})

test('a residue without a number is not read, and reported', () => {
  const columns = 'group_PDB type_symbol label_atom_id label_comp_id label_asym_id label_seq_id'
  const rows = [...rowsOf((asym, number) => `${asym} ${number ?? '.'}`), 'ATOM C CA GLY A . 40 0 0']
  const head = items(`${columns} Cartn_x Cartn_y Cartn_z`)
  expect(structureOf(['data_X', ...head, ...rows, ''].join('\n')).warnings.join()).toContain(
    '1 atom line could not be read',
  )
})
