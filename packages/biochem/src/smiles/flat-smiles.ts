/** SMILES without stereochemistry: equal for stereoisomers. */
import { isIsomeric, readSmiles, type RdkitModule, type RdkitMolecule, trapped } from './rdkit.ts'

/** Canonical SMILES without stereochemistry; a SMILES that RDKit cannot read stays as it is. */
export function flatSmiles(rdkit: RdkitModule, smiles: string): string {
  return trapped(() => {
    using molecule = readSmiles(rdkit, smiles)
    return molecule?.get_smiles('{"doIsomericSmiles":false}') ?? smiles
  })
}

/** The molecule of a standard SMILES without its stereochemistry; null if RDKit cannot read it. */
export function readFlat(rdkit: RdkitModule, smiles: string): RdkitMolecule | null {
  return readSmiles(rdkit, isIsomeric(smiles) ? flatSmiles(rdkit, smiles) : smiles)
}
