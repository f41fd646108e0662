/** Computes a compound's properties, alerts and features from one parsed molecule. */
import { recordMolecule } from '../smiles/compound-record.ts'
import { readDescriptors } from '../smiles/descriptors.ts'
import { readFlat } from '../smiles/flat-smiles.ts'
import { readGraph } from '../smiles/molecule-graph.ts'
import { type RdkitModule, trapped } from '../smiles/rdkit.ts'
import { type CompoundFeatures, featuresOf } from './compound-features.ts'

/** `record`: properties and alerts, packed. */
export type DescribedCompound = { record: Uint8Array; features: CompoundFeatures }

/**
 * Takes a standard SMILES, with or without stereochemistry: nothing here depends on it. Null if RDKit cannot read the
 * SMILES.
 */
export function describeCompound(rdkit: RdkitModule, smiles: string): DescribedCompound | null {
  return trapped(() => {
    using molecule = readFlat(rdkit, smiles)
    if (!molecule) return null
    const graph = readGraph(molecule)
    const values = readDescriptors(molecule, graph)
    return {
      record: recordMolecule(graph, values),
      features: featuresOf(molecule, graph, values),
    }
  })
}
