/** RDKit is the judge: both find the same patterns and atoms. */
import { expect, test } from 'vitest'
import { readCommonMolecules } from '../fixtures/common-molecules.ts'
import { alertCatalogue, openAlerts } from './alerts.ts'
import { readGraph } from './molecule-graph.ts'
import { openRdkit } from './rdkit.ts'
import { openSmarts } from './smarts.ts'

const rdkit = await openRdkit()
const molecules = readCommonMolecules().map(({ smiles }) => smiles)

/** Returns how many matches both found. */
function expectSame(patterns: string[], compounds: string[]): number {
  const ours = openSmarts(patterns)
  const theirs = openAlerts(rdkit, patterns)
  let count = 0
  for (const smiles of compounds) {
    using molecule = rdkit.get_mol(smiles)
    if (molecule === null) throw new Error(`${smiles} cannot be read`)
    const expected = theirs.locate(molecule)
    expect([smiles, ours.locate(readGraph(molecule))]).toEqual([smiles, expected])
    expect(ours.find(readGraph(molecule))).toEqual(expected.map(({ pattern }) => pattern))
    count += expected.length
  }
  theirs.delete()
  return count
}

test.each([
  ['elements, aromatic or not', ['c', 'C', '[#6]', 'Cl', '[nH]', 'n', '[!#6]', 'a', '[A]', '*']],
  [
    'hydrogens, bonds, valence and charge',
    ['[NH2]', '[H1]', '[CX4]', '[D3]', '[v4]', '[+]', '[O-]'],
  ],
  ['rings', ['[R]', '[R0]', '[C&R2]', 'C1CC1', 'c1ccccc1', 'C@C', 'C!@C', 'C1CCC2C1CCC2']],
  ['bonds', ['C=C', 'C#N', 'C-C', 'c:c', 'C~O', 'CO', 'C=,:N', 'c-!@N', 'C=;!@N', 'C-;@,=O']],
  ['and, or and not', ['[C,N]', '[C&H2,N]', '[C,N;H1]', '[!C&!c]', '[!$(C=O)&C]', '[c,n&H1;R]']],
  [
    'branches and nested patterns',
    ['CC(C)(C)C', '[$(C(=O)O)]', '[$([NH]C(=O)[$(cc)])]', 'N[$(C=O)]'],
  ],
  ['several fragments', ['C=O.C=O', 'N.[OH]', 'Cl.Cl']],
])('%s', (_, patterns) => {
  expect(expectSame(patterns, molecules)).toBeGreaterThan(20)
})

test('every alert of the catalogue', () => {
  const patterns = alertCatalogue.map(({ smarts }) => smarts)
  expect(expectSame(patterns, molecules)).toBeGreaterThan(30)
})

test('symmetrical molecules, in which a search goes astray most often', () => {
  const patterns = alertCatalogue.map(({ smarts }) => smarts)
  expectSame(patterns, [
    'C1C2CC3CC1CC(C2)C3',
    'C'.repeat(60),
    `c1ccc(cc1)${'-c1ccc(cc1)'.repeat(9)}C`,
  ])
})

test('more kinds of atoms than are remembered change no answer', () => {
  const search = openSmarts(['[#6]-[#8]', '[+2]'])
  for (let first = 0; first < 20_000; first += 1000) {
    const atoms = Array.from({ length: 1000 }, (_, at) => ({
      element: 6,
      hydrogens: 0,
      charge: first + at,
      unpaired: 0,
      isotope: 0,
      isAromatic: false,
    }))
    // Each is bonded to the next; the last one is an oxygen.
    const end = { element: 8, hydrogens: 0, charge: -1, unpaired: 0, isotope: 0, isAromatic: false }
    const all = [...atoms, end]
    const neighbours = all.map((_, index) =>
      [index - 1, index + 1].flatMap((other) => {
        const atom = all[other]
        return atom ? [{ atom, index: other, order: 1, isAromatic: false }] : []
      }),
    )
    const found = search.locate({ atoms: all, neighbours, rings: [] })
    const charged = first === 0 ? [{ pattern: 1, atoms: [2] }] : []
    expect(found).toEqual([{ pattern: 0, atoms: [999, 1000] }, ...charged])
  }
})

test.each([
  ['[13C]', 'an unknown condition: 13C'],
  ['[C@H]', 'an unknown condition: C@H'],
  ['[C:1]', 'an unknown condition: C:1'],
  ['[r5]', 'an unknown condition: r5'],
  ['[Q]', 'an unknown condition: Q'],
  ['C?C', 'an unknown condition: ?'],
  ['[#6', 'a bracket is never closed: [#6'],
])('refuses %s: %s', (smarts, reason) => {
  expect(() => openSmarts([smarts])).toThrow(reason)
})
