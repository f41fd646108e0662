/** Writes a molecule as an SDF block with 2D coordinates. */
import { trapped, type RdkitModule } from '../smiles/rdkit.ts'
import { layOut } from './lay-out.ts'

/** `smiles` is a standard one, so its size is limited. Null if it cannot be read. */
export function writeMolblock(rdkit: RdkitModule, smiles: string): string | null {
  return trapped(() => {
    using molecule = rdkit.get_mol(smiles)
    if (molecule === null) return null
    layOut(molecule, true)
    return molecule.get_molblock()
  })
}
