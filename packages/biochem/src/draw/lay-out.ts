/**
 * Computes 2D coordinates. CoordGen draws best, but hangs on very large or very many rings, and puts atoms on top of
 * one another in some cages; RDKit's own layout is used for these.
 */
import {
  type MoleculeGraph,
  type Neighbour,
  countHeavyAtoms,
  readGraph,
} from '../smiles/molecule-graph.ts'
import type { RdkitMolecule } from '../smiles/rdkit.ts'

/** CoordGen needs 0.1 s for a plain ring of 30 atoms, 4 s for 34, and more than 9 s for 40. */
const RING_ATOMS_MAX = 30
/** One macrocycle is quick; several nested ones can hang. */
const MACROCYCLIC_ATOMS_MAX = 40
/** The maximum in the training data; artificial cages of 15 can hang. */
const RINGS_MAX = 14
/** Bonds are 1.5 long: closer atoms overlap. */
const NEAREST = 0.1

/** Aligns the longest axis of the molecule with that of the picture. */
export function layOut(molecule: RdkitMolecule, isWide: boolean): void {
  const graph = readGraph(molecule)
  if (isQuick(graph)) molecule.set_new_coords(true)
  if (molecule.has_coords() === 0 || hasAtomsInOnePlace(molecule, graph)) {
    molecule.set_new_coords(false)
  }
  // RDKit measures heavy atoms only, and throws if there is only one of those among hydrogens.
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

// Number and size of a molecule's rings.

/** The number of bonds that can be cut without disconnecting anything. */
export function countRings({ neighbours }: MoleculeGraph): number {
  const bonds = neighbours.reduce((sum, bonded) => sum + bonded.length, 0) / 2
  return bonds - neighbours.length + countParts(neighbours)
}

function countParts(neighbours: Neighbour[][]): number {
  const seen = new Set<number>()
  let parts = 0
  for (const start of neighbours.keys()) {
    if (!seen.has(start)) parts += 1
    const waiting = [start]
    for (let atom = waiting.pop(); atom !== undefined; atom = waiting.pop()) {
      if (seen.has(atom)) continue
      seen.add(atom)
      waiting.push(...(neighbours[atom] ?? []).map(({ index }) => index))
    }
  }
  return parts
}

/** From this size on a ring is a macrocycle. */
const MACROCYCLE_ATOMS = 12

/**
 * Each bond counts by the smallest ring it is part of: `largest` is the largest of these rings, `macrocyclic` the
 * number of atoms in macrocycles.
 */
function measureRings({ neighbours }: MoleculeGraph) {
  let largest = 0
  const macrocyclic = new Set<number>()
  for (const [atom, bonded] of neighbours.entries()) {
    for (const { index } of bonded) {
      const size = index > atom ? smallestRing(neighbours, atom, index) : 0
      if (size >= MACROCYCLE_ATOMS) macrocyclic.add(atom).add(index)
      largest = Math.max(largest, size)
    }
  }
  return { largest, macrocyclic: macrocyclic.size }
}

/** Length of the shortest path between the ends of a bond without it, both included; 0 if there is none. */
function smallestRing(neighbours: Neighbour[][], from: number, to: number): number {
  const steps = new Map([[from, 1]])
  const waiting = [from]
  for (const atom of waiting) {
    const next = (steps.get(atom) ?? 0) + 1
    for (const { index } of neighbours[atom] ?? []) {
      if (steps.has(index) || (atom === from && index === to)) continue
      if (index === to) return next
      steps.set(index, next)
      waiting.push(index)
    }
  }
  return 0
}
