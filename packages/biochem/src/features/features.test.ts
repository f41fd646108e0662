/** The golden features are reproduced, and irrelevant changes do not affect features. */
import { expect, test } from 'vitest'
import golden from '../golden/features.json' with { type: 'json' }
import { unpackRecord } from '../smiles/compound-record.ts'
import { readProperties } from '../smiles/properties.ts'
import { openRdkit } from '../smiles/rdkit.ts'
import { compoundFeatures } from './compound-features.ts'
import { describeCompound } from './describe-compound.ts'
import { compoundBitCount, featureSpecHash, fnv1a64 } from './feature-spec.ts'
import { targetFeatures, kmerContainment } from './target-features.ts'

const rdkit = await openRdkit()

test('the golden features belong to this feature spec', () => {
  expect(golden.featureSpecHash).toBe(featureSpecHash)
})

test.each(golden.compounds)('computes the golden features of $smiles', (compound) => {
  const features = compoundFeatures(rdkit, compound.smiles)
  expect([...features.bits]).toEqual(compound.bits)
  expect([...features.descriptors]).toEqual(compound.descriptors)
})

test.each(golden.targets)('computes the golden features of segments $segments', (target) => {
  const { length, composition, kmers, counts, identity } = targetFeatures(target.segments)
  expect(length).toBe(target.length)
  expect([...composition]).toEqual(target.composition)
  expect([...kmers]).toEqual(target.words)
  expect([...counts]).toEqual(target.counts)
  expect([...identity]).toEqual(target.identity)
})

test('stereochemistry does not change a compound', () => {
  const marked = compoundFeatures(rdkit, 'C[C@H](N)C(=O)O/C=C/F')
  const flat = compoundFeatures(rdkit, 'CC(N)C(=O)OC=CF')
  expect(marked).toEqual(flat)
})

test('every bit of a compound is within the spec, and none is counted twice', () => {
  const { bits } = compoundFeatures(rdkit, 'CC(=O)Oc1ccccc1C(=O)O')
  expect(new Set(bits).size).toBe(bits.length)
  expect(Math.max(...bits)).toBeLessThan(compoundBitCount)
})

test('a SMILES that RDKit cannot read is refused', () => {
  expect(() => compoundFeatures(rdkit, 'not a molecule')).toThrow('cannot read')
})

test('a k-mer never bridges a gap', () => {
  const whole = targetFeatures(['ACDEFG'])
  const cut = targetFeatures(['ACD', 'EFG'])
  expect(cut.length).toBe(whole.length)
  expect(cut.identity).toHaveLength(0)
  expect(whole.identity).toHaveLength(3)
})

test('an unknown residue breaks a k-mer like a gap', () => {
  expect(targetFeatures(['ACDXEFG']).kmers).toEqual(targetFeatures(['ACD', 'EFG']).kmers)
})

test('the first exact k-mer is AAA and the last is YYY', () => {
  expect(targetFeatures(['AAA']).kmers).toEqual(Uint16Array.of(0))
  expect(targetFeatures(['YYY']).kmers).toEqual(Uint16Array.of(7999))
})

test('a construct is fully contained in its target, a short peptide in none', () => {
  expect(kmerContainment(200, 200, 900)).toBe(1)
  expect(kmerContainment(4, 4, 900)).toBeCloseTo(0.1)
})

test('fnv1a64 returns its published value', () => {
  expect(fnv1a64('foobar')).toBe('85944171f73967e8')
})

test('a described compound has the properties and features that are read one by one, whatever its stereochemistry', () => {
  const compounds = [
    'C[N+](C)(C)Cc1cc(N=Nc2ccccc2)ccc1O',
    'C[C@H](N)C(=O)O/C=C/F',
    'FCCO/N=C1/CCC[C@H](C)C1',
    'C',
  ]
  for (const smiles of compounds) {
    const described = describeCompound(rdkit, smiles)
    const read = readProperties(rdkit, smiles)
    if (described === null || !read.ok) throw new Error(`${smiles} cannot be read`)
    const { properties } = unpackRecord(described.record) ?? {}
    for (const [name, value] of Object.entries(read.value)) {
      expect(properties).toHaveProperty(name, expect.closeTo(value, 3))
    }
    expect(described.features).toEqual(compoundFeatures(rdkit, smiles))
  }
  expect(describeCompound(rdkit, 'not a molecule')).toBeNull()
})
