/** A molecule as a block of an SDF, its atoms placed in the plane. */
import { trapped, type RdkitModule } from '../smiles/rdkit.ts'
import { layOut } from './lay-out.ts'

/** `smiles` is a standard one: its size is known to be bearable. Null where it cannot be read. */
export function writeMolblock(rdkit: RdkitModule, smiles: string): string | null {
  return trapped(() => {
    using molecule = rdkit.get_mol(smiles)
    if (molecule === null) return null
    layOut(molecule, true)
    return molecule.get_molblock()
  })
}
