/**
 * Writes imidic acids, C(OH)=N, as the amides they are, C(=O)NH: the training data hold no imidic
 * acid, but older databases and InChI conversions are full of them.
 */
import { applyReaction } from './apply-reaction.ts'
import type { MoleculeGraph, Neighbour } from './molecule-graph.ts'
import type { RdkitModule } from './open-rdkit.ts'

const CARBON = 6
const NITROGEN = 7
const OXYGEN = 8

export function hasImidicAcid(graph: MoleculeGraph): boolean {
  return graph.atoms.some((atom, index) => {
    if (atom.element !== CARBON || atom.isAromatic) return false
    const neighbours = graph.neighbours[index] ?? []
    return neighbours.some(isHydroxyl) && neighbours.some(isImine)
  })
}

export function takeAmideForm(rdkit: RdkitModule, smiles: string): string {
  return applyReaction(rdkit, '[OX2H1:1]-[CX3:2]=[NX2:3]>>[O:1]=[C:2]-[N:3]', smiles)
}

function isHydroxyl({ atom, order }: Neighbour): boolean {
  return atom.element === OXYGEN && order === 1 && atom.hydrogens === 1
}

function isImine({ atom, order }: Neighbour): boolean {
  return atom.element === NITROGEN && order === 2 && atom.charge === 0
}
