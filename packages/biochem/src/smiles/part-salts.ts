/**
 * Parts salts that are drawn with a bond to an alkali metal, `CC(=O)O[Na]`, into their ions. The
 * training molecules hold no metals.
 */
import { applyReaction } from './apply-reaction.ts'
import type { MoleculeGraph } from './molecule-graph.ts'
import type { RdkitModule } from './open-rdkit.ts'

/** Li, Na, K, Rb, Cs. */
const alkaliMetals = [3, 11, 19, 37, 55]

export function hasBondedMetal(graph: MoleculeGraph): boolean {
  return graph.atoms.some(
    (atom, index) =>
      alkaliMetals.includes(atom.element) && (graph.neighbours[index]?.length ?? 0) > 0,
  )
}

export function partSalts(rdkit: RdkitModule, smiles: string): string {
  return applyReaction(rdkit, '[Li,Na,K,Rb,Cs;D1;+0:1]-[O,S,N;+0:2]>>[*+:1].[*-:2]', smiles)
}
