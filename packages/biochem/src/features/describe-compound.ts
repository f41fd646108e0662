/** What is stored of a compound and what the model reads of it, from one parsed molecule. */
import type { AlertSearch } from '../smiles/alerts.ts'
import { recordMolecule } from '../smiles/compound-record.ts'
import { readDescriptors, type RdkitModule, trapped } from '../smiles/rdkit.ts'
import { type CompoundFeatures, featuresOf } from './compound-features.ts'

/** `record`: as `recordCompound` packs it. */
export type DescribedCompound = { record: Uint8Array; features: CompoundFeatures }

/**
 * Takes a standard SMILES without stereochemistry: neither properties nor alerts depend on it. Null if RDKit cannot read
 * the SMILES.
 */
export function describeCompound(
  rdkit: RdkitModule,
  alerts: AlertSearch,
  flat: string,
): DescribedCompound | null {
  return trapped(() => {
    using molecule = rdkit.get_mol(flat)
    if (!molecule) return null
    const values = readDescriptors(molecule)
    return {
      record: recordMolecule(molecule, values, alerts),
      features: featuresOf(molecule, values),
    }
  })
}
