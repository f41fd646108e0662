/** Which molecules contain a substructure, given as SMARTS or as a molecule. */
import { readSmiles, trapped, type RdkitModule, type RdkitMolecule } from './rdkit.ts'

/**
 * In the order of `smiles`, which are standard ones; null if the SMARTS cannot be read. `beginStep` is called before
 * each molecule, because a search may hang.
 */
export function matchSubstructure(
  rdkit: RdkitModule,
  { smarts, smiles }: { smarts: string; smiles: string[] },
  beginStep: () => void,
): boolean[] | null {
  // RDKit treats text after a space as a name.
  if (/\s/.test(smarts)) return null
  return trapped(() => {
    beginStep()
    using pattern = rdkit.get_qmol(smarts)
    return pattern === null ? null : matchPattern(rdkit, { pattern, smiles }, beginStep)
  })
}

/** The same with a substructure as SMILES: its open valences may carry anything, and its rings are aromatic as in molecules. */
export function matchDrawn(
  rdkit: RdkitModule,
  { drawn, smiles }: { drawn: string; smiles: string[] },
  beginStep: () => void,
): boolean[] | null {
  return trapped(() => {
    beginStep()
    using pattern = rdkit.get_mol(drawn)
    return pattern === null ? null : matchPattern(rdkit, { pattern, smiles }, beginStep)
  })
}

function matchPattern(
  rdkit: RdkitModule,
  { pattern, smiles }: { pattern: RdkitMolecule; smiles: string[] },
  beginStep: () => void,
): boolean[] {
  return smiles.map((one) => {
    beginStep()
    using molecule = readSmiles(rdkit, one)
    return molecule !== null && molecule.get_substruct_match(pattern) !== '{}'
  })
}
