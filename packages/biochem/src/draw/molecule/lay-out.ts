/**
 * Gives the atoms of a molecule their places in the plane. CoordGen draws best, but it takes for ever
 * over very large or very many rings, and leaves atoms on top of one another in some cages; there
 * RDKit's own layout takes over.
 */
import { countHeavyAtoms, type MoleculeGraph, readGraph } from '../../smiles/molecule-graph.ts'
import type { RdkitMolecule } from '../../smiles/open-rdkit.ts'
import { countRings, measureRings } from './rings.ts'

/** CoordGen needs 0.1 s for a plain ring of 30 atoms, 4 s for 34, and more than 9 s for 40. */
const RING_ATOMS_MAX = 30
/** One macrocycle is quick; several in one another can take for ever. */
const MACROCYCLIC_ATOMS_MAX = 40
/** The most that any training molecule has; made-up cages of 15 can take for ever. */
const RINGS_MAX = 14
/** Bonds are 1.5 long: nearer than this, two atoms are in one place. */
const NEAREST = 0.1

/** The longest axis of the molecule goes along that of the picture. */
export function layOut(molecule: RdkitMolecule, isWide: boolean): void {
  const graph = readGraph(molecule)
  if (isQuick(graph)) molecule.set_new_coords(true)
  if (molecule.has_coords() === 0 || hasAtomsInOnePlace(molecule, graph)) {
    molecule.set_new_coords(false)
  }
  // RDKit measures heavy atoms only, and throws where there are hydrogens and but one of those.
  if (countHeavyAtoms(graph) < 2) return
  molecule.normalize_depiction(isWide ? 1 : -1)
  molecule.straighten_depiction(true)
}

function isQuick(graph: MoleculeGraph): boolean {
  const { largest, macrocyclic } = measureRings(graph)
  const isSmall = largest <= RING_ATOMS_MAX && macrocyclic <= MACROCYCLIC_ATOMS_MAX
  return isSmall && countRings(graph) <= RINGS_MAX
}

function hasAtomsInOnePlace(molecule: RdkitMolecule, graph: MoleculeGraph): boolean {
  const coordinates = molecule.get_coords() as number[][]
  return graph.neighbours.some((neighbours, index) =>
    neighbours.some((neighbour) => {
      const [x = 0, y = 0] = coordinates[index] ?? []
      const [otherX = 0, otherY = 0] = coordinates[neighbour.index] ?? []
      return !(Math.hypot(otherX - x, otherY - y) > NEAREST)
    }),
  )
}
