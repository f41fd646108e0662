/** Says what the picture of a molecule shows, for people who do not see it. */
import { writeFormula } from '../../smiles/formula.ts'
import { countHeavyAtoms, type MoleculeGraph } from '../../smiles/molecule-graph.ts'
import { countRings } from './rings.ts'

export function describeMolecule(graph: MoleculeGraph): string {
  const { atoms } = graph
  const heavy = countHeavyAtoms(graph)
  const rings = countRings(graph)
  const parts = [counted(heavy, 'heavy atom'), rings === 0 ? 'no rings' : counted(rings, 'ring')]
  return `Structural formula of ${writeFormula(atoms)}: ${parts.join(', ')}.`
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}
