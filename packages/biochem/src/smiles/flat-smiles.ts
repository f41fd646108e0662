/** SMILES without stereochemistry: equal for stereoisomers. */
import { type RdkitModule, trapped } from './rdkit.ts'

/** A standard SMILES that is not isomeric is its own flat SMILES. */
export function isIsomeric(smiles: string): boolean {
  return /[@/\\]/.test(smiles)
}

/** Canonical SMILES without stereochemistry; a SMILES that RDKit cannot read stays as it is. */
export function flatSmiles(rdkit: RdkitModule, smiles: string): string {
  return trapped(() => {
    using molecule = rdkit.get_mol(smiles)
    return molecule?.get_smiles('{"doIsomericSmiles":false}') ?? smiles
  })
}
