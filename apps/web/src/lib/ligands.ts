/** Display names of reference ligands. */
import { OWN_LIGAND, type PoseReference } from '@pkdex/contract'
import { countOf } from './format.ts'

export function nameLigand(id: string): string {
  return id === OWN_LIGAND ? 'your ligand' : (id.split(' ')[0] ?? '')
}

/** For a list of options. A blank chain name is read as `_`. */
export function optionOf({ id, heavy_atoms: atoms }: PoseReference) {
  const name = id === OWN_LIGAND ? 'Your ligand' : id.replace(/ _$/, '')
  return { value: id, label: `${name} (${countOf(atoms, 'heavy atom')})` }
}
