/** How many rings a molecule has, and how large they are. */
import type { MoleculeGraph, Neighbour } from '../../smiles/molecule-graph.ts'

/** As many as there are bonds that could be cut without parting anything. */
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
 * Each bond counts by the smallest ring that it is part of: `largest` is the largest of these rings,
 * `macrocyclic` the number of atoms in those that are macrocycles.
 */
export function measureRings({ neighbours }: MoleculeGraph) {
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

/** The shortest way round from one end of a bond to the other, both included; 0 where there is none. */
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
