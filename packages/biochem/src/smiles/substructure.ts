/** Which molecules hold a substructure that is given as SMARTS. */
import { trapped, type RdkitModule } from './rdkit.ts'

/**
 * In the order of `smiles`, which are standard ones; null where the SMARTS cannot be read. `beginStep` is
 * called before each that may not come back.
 */
export function matchSubstructure(
  rdkit: RdkitModule,
  { smarts, smiles }: { smarts: string; smiles: string[] },
  beginStep: () => void,
): boolean[] | null {
  // RDKit takes what follows a space for a name.
  if (/\s/.test(smarts)) return null
  return trapped(() => {
    beginStep()
    using pattern = rdkit.get_qmol(smarts)
    if (pattern === null) return null
    return smiles.map((one) => {
      beginStep()
      using molecule = rdkit.get_mol(one)
      return molecule !== null && molecule.get_substruct_match(pattern) !== '{}'
    })
  })
}
