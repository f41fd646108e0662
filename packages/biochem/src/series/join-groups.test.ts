import { expect, test } from 'vitest'
import { openRdkit } from '../smiles/rdkit.ts'
import { decompose } from './decompose.ts'
import { joinGroups, openJoiner } from './join-groups.ts'
import { listScaffolds, type WrittenScaffolds } from './scaffolds.ts'

const rdkit = await openRdkit()

const canonical = (smiles: string) => {
  using molecule = rdkit.get_mol(smiles)
  return molecule?.get_smiles() ?? ''
}

/** Centres of the core with hydrogen, rings across two positions, charges, and a double-bonded group. */
const series = [
  'C[C@H]1CN(Cc2ccccc2)C[C@@H](C)O1',
  'C[C@@H]1CN(Cc2ccc(F)cc2)C[C@H](CC)O1',
  'O=C1CN(Cc2ccncc2)C[C@@H](C)O1',
  'C1CN(C[C@@H]2CC[C@H]2O)CCO1',
  'C[N+]1(C)CCO[C@@H](c2ccccc2)C1',
  'C1CN(C(C)C)C[C@]2(CCCO2)O1',
]

test('cached cores give the same compounds as freshly read ones, including hydrogens and stereo', () => {
  const smiles = series.map(canonical)
  const rows = decompose(rdkit, { core: 'C1CNCCO1', smiles })?.rows ?? []
  expect(rows.length).toBeGreaterThan(4)
  const joiner = openJoiner(rdkit)
  const twice = [...rows, ...rows].map((row) => joiner.join(row))
  joiner.delete()
  const made = rows.map((row) => joinGroups(rdkit, row))
  expect(made).toEqual(rows.map(({ compound }) => smiles[compound]))
  expect(twice).toEqual([...made, ...made])
})

test('a group with a single bond, including hydrogen, does not fit a core with a double bond there', () => {
  const core = 'CC=[*:1]'
  expect(joinGroups(rdkit, { core, groups: { R1: 'F[*:1]' } })).toBeNull()
  expect(joinGroups(rdkit, { core, groups: { R1: '[H][*:1]' } })).toBeNull()
  expect(joinGroups(rdkit, { core, groups: { R1: 'O=[*:1]' } })).toBe('CC=O')
})

test('a position without a group gives no molecule', () => {
  expect(joinGroups(rdkit, { core: 'C([*:1])C[*:2]', groups: { R1: '[H][*:1]' } })).toBeNull()
})

test('cached scaffolds equal freshly written ones', () => {
  const written: WrittenScaffolds = new Map()
  for (const one of [...series, ...series].map(canonical)) {
    using molecule = rdkit.get_mol(one)
    if (molecule === null) throw new Error(one)
    expect(listScaffolds(rdkit, molecule, written)).toEqual(
      listScaffolds(rdkit, molecule, new Map()),
    )
  }
  expect(written.size).toBeGreaterThan(3)
})
