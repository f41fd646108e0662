/** Hiding atoms removes the bits that depend on them, and nothing else. */
import { expect, test } from 'vitest'
import { openRdkit } from '../smiles/rdkit.ts'
import { compoundFeatures } from './compound-features.ts'
import { hideAtoms, visibleFeatures } from './hidden-atoms.ts'

const amprenavir = 'CC(C)CN(C[C@@H](O)[C@H](Cc1ccccc1)NC(=O)O[C@H]1CCOC1)S(=O)(=O)c1ccc(N)cc1'

const rdkit = await openRdkit()

function bitsOf(smiles: string, hidden: number[]): Set<number> {
  return new Set(visibleFeatures(rdkit, hideAtoms(smiles, hidden)).bits)
}

test('with nothing hidden the features are the compound’s', () => {
  expect(visibleFeatures(rdkit, hideAtoms(amprenavir, []))).toEqual(
    compoundFeatures(rdkit, amprenavir),
  )
})

test('a hidden atom removes bits, adds none, and does not change the descriptors', () => {
  const whole = compoundFeatures(rdkit, amprenavir)
  for (const atom of [0, 4, 12, 26, 34]) {
    const { bits, descriptors } = visibleFeatures(rdkit, hideAtoms(amprenavir, [atom]))
    expect(bits.length).toBeLessThan(whole.bits.length)
    expect(bits.every((bit) => whole.bits.includes(bit))).toBe(true)
    expect(descriptors).toEqual(whole.descriptors)
  }
})

test('the more atoms are hidden the fewer bits remain; with all hidden hardly any', () => {
  const some = bitsOf(amprenavir, [26])
  const more = bitsOf(amprenavir, [26, 27, 28])
  const all = bitsOf(
    amprenavir,
    Array.from({ length: 35 }, (_, atom) => atom),
  )
  expect(more.size).toBeLessThan(some.size)
  expect(all.size).toBeLessThan(bitsOf(amprenavir, []).size / 5)
})

test('symmetry-equivalent atoms have the same effect when hidden', () => {
  // The two methyl groups of the isobutyl group, and the two oxygens of the sulfonamide.
  expect(bitsOf(amprenavir, [0])).toEqual(bitsOf(amprenavir, [2]))
  expect(bitsOf(amprenavir, [26])).toEqual(bitsOf(amprenavir, [27]))
})

test('charged, aromatic and unusual atoms can be hidden', () => {
  for (const smiles of ['c1cc[nH]c1', '[O-][n+]1ccccc1', 'C[N+](C)(C)C', 'OB(O)c1ccccc1', 'C']) {
    expect(() => bitsOf(smiles, [0])).not.toThrow()
  }
})
