/** The descriptors that own values use to compare compounds. */
import { expect, test } from 'vitest'
import { openRdkit } from '../smiles/rdkit.ts'
import { kernelDescriptorNames, kernelFeatures } from './kernel-descriptors.ts'

test('paracetamol has RDKit’s seven descriptors, in the order of their names', async () => {
  const { descriptors } = kernelFeatures(await openRdkit(), 'CC(=O)Nc1ccc(O)cc1')
  const named = Object.fromEntries(kernelDescriptorNames.map((name, at) => [name, descriptors[at]]))
  expect(named).toMatchObject({
    NumHeavyAtoms: 11,
    NumHBD: 2,
    NumAromaticRings: 1,
    NumRotatableBonds: 1,
  })
  expect(named['tpsa']).toBeCloseTo(49.33)
  expect(named['CrippenClogP']).toBeCloseTo(1.3506)
  expect(named['FractionCSP3']).toBeCloseTo(0.125)
})
