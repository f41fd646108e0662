/** The records of an SD file as a table: the molecule as SMILES, its title as the name, and the data fields. */
import { openRdkit, type RdkitModule } from '@pkdex/biochem'
import { splitSdf } from '@pkdex/intake'
import type { CompoundTable } from './compound-table.ts'

/** A record whose molecule cannot be read keeps its row, without SMILES and with the reason. */
export async function readSdf(text: string): Promise<CompoundTable> {
  const rdkit = await openRdkit()
  const rows = splitSdf(text).map(({ block, title, fields, reason }, at) => {
    const smiles = reason === null ? toSmiles(rdkit, block) : ''
    const name = title || `record ${at + 1}`
    return { smiles, name, own: Object.fromEntries(fields), ...(reason !== null && { reason }) }
  })
  const columns = [...new Set(rows.flatMap(({ own }) => Object.keys(own)))]
  return { columns, rows }
}

function toSmiles(rdkit: RdkitModule, block: string): string {
  using molecule = rdkit.get_mol(block)
  return molecule === null ? '' : molecule.get_smiles()
}
