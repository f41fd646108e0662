/** The descriptors that the own-values kernel compares besides fingerprints: size, lipophilicity, polarity and shape. */
import type { RdkitModule } from '../smiles/rdkit.ts'
import { compoundFeatures, type CompoundFeatures } from './compound-features.ts'
import { featureSpec } from './feature-spec.ts'

/** A stored fingerprint carries their values in this order. */
export const kernelDescriptorNames = [
  'NumHeavyAtoms',
  'CrippenClogP',
  'tpsa',
  'NumHBD',
  'NumRotatableBonds',
  'NumAromaticRings',
  'FractionCSP3',
] as const

const places = kernelDescriptorNames.map((name) => featureSpec.compound.descriptors.indexOf(name))

/** All fingerprint bits of a compound, and the descriptors named above. */
export type KernelFeatures = CompoundFeatures

/** Takes a standard SMILES. */
export function kernelFeatures(rdkit: RdkitModule, smiles: string): KernelFeatures {
  const { bits, descriptors } = compoundFeatures(rdkit, smiles)
  return { bits, descriptors: Float32Array.from(places, (place) => descriptors[place] ?? 0) }
}
