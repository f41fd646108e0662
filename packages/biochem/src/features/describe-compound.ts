/** What is stored of a compound, from one parsed molecule: properties and alerts, and what the model reads of it. */
import type { AlertSearch } from '../smiles/alerts.ts'
import { recordMolecule } from '../smiles/compound-record.ts'
import { flatSmiles, isIsomeric } from '../smiles/flat-smiles.ts'
import { readDescriptors, type RdkitModule, trapped } from '../smiles/rdkit.ts'
import { type CompoundFeatures, featuresOf } from './compound-features.ts'

/** `record`: properties and alerts, packed. */
export type DescribedCompound = { record: Uint8Array; features: CompoundFeatures }

/** Takes a standard SMILES; null if RDKit cannot read it. */
export function describeCompound(
  rdkit: RdkitModule,
  alerts: AlertSearch,
  smiles: string,
): DescribedCompound | null {
  // Properties and alerts do not depend on stereochemistry, but the flat SMILES also lacks isotopes, which have a mass.
  const flat = isIsomeric(smiles) ? flatSmiles(rdkit, smiles) : smiles
  const recorded = HAS_ISOTOPES.test(smiles) ? smiles : flat
  return trapped(() => {
    using molecule = rdkit.get_mol(flat)
    if (!molecule) return null
    const values = readDescriptors(molecule)
    const features = featuresOf(molecule, values)
    if (recorded === flat) return { record: recordMolecule(molecule, values, alerts), features }
    using labelled = rdkit.get_mol(recorded)
    if (!labelled) return null
    return { record: recordMolecule(labelled, readDescriptors(labelled), alerts), features }
  })
}

const HAS_ISOTOPES = /\[\d/
