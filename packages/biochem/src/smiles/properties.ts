/** What a chemist asks of a molecule before any prediction: how lipophilic and how polar it is. */
import { parsed, unreadable, type Parsed } from '../parsed.ts'
import { trapped, type RdkitModule } from './rdkit.ts'

/** `logP` after Crippen; `tpsa`, the topological polar surface area, in Å². */
export type MoleculeProperties = { logP: number; tpsa: number }

/** `smiles` is a standard one: its size is known to be bearable. */
export function readProperties(rdkit: RdkitModule, smiles: string): Parsed<MoleculeProperties> {
  return trapped(() => {
    using molecule = rdkit.get_mol(smiles)
    if (!molecule) return unreadable(0, 'This molecule cannot be read.')
    const { CrippenClogP: logP, tpsa }: { CrippenClogP: number; tpsa: number } = JSON.parse(
      molecule.get_descriptors(),
    )
    return parsed({ logP, tpsa })
  })
}
