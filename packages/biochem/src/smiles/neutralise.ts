/**
 * Takes charges off a molecule by moving hydrogens, by the rules that the training data had: charges
 * bonded to their opposite stay (nitro groups, N-oxides), as many anions stay as there are cations
 * without a hydrogen to give (betaines keep both), and cations give hydrogens only while the whole
 * is positive.
 */
import type { GraphAtom, MoleculeGraph } from './molecule-graph.ts'

const BORON = 5
const OXYGEN = 8
const ALUMINIUM = 13
const SILICON = 14
const SULFUR = 16

/** Changes the atoms of the graph; the number of atoms that were neutralised. */
export function neutralise(graph: MoleculeGraph): number {
  const lone = graph.atoms
    .map((atom, index) => ({ atom, index }))
    .filter(({ atom, index }) => atom.charge !== 0 && !isPaired(graph, index))
  const cations = lone.filter(({ atom }) => atom.charge > 0).map(({ atom }) => atom)
  const fixed = cations.filter((atom) => atom.hydrogens === 0)
  const anions = lone
    .filter(({ index }) => takesHydrogen(graph, index))
    .toSorted((a, b) => Number(isAcid(graph, b.index)) - Number(isAcid(graph, a.index)))
    .map(({ atom }) => atom)

  const protonated = anions.slice(0, Math.max(0, anions.length - sumCharges(fixed)))
  for (const atom of protonated) addHydrogens(atom, -atom.charge)
  return protonated.length + deprotonate(graph, cations)
}

function deprotonate(graph: MoleculeGraph, cations: GraphAtom[]): number {
  let surplus = sumCharges(graph.atoms)
  let count = 0
  for (const atom of cations) {
    const removed = Math.min(atom.charge, atom.hydrogens, surplus)
    if (removed <= 0) continue
    addHydrogens(atom, -removed)
    surplus -= removed
    count += 1
  }
  return count
}

function addHydrogens(atom: GraphAtom, count: number): void {
  atom.hydrogens += count
  atom.charge += count
}

function sumCharges(atoms: GraphAtom[]): number {
  return atoms.reduce((sum, atom) => sum + atom.charge, 0)
}

/** Whether a neighbour carries the opposite charge. */
function isPaired(graph: MoleculeGraph, index: number): boolean {
  const sign = Math.sign(graph.atoms[index]?.charge ?? 0)
  return (graph.neighbours[index] ?? []).some(({ atom }) => Math.sign(atom.charge) === -sign)
}

/** Borates and the like have all four bonds: a proton has no place on them. */
function takesHydrogen(graph: MoleculeGraph, index: number): boolean {
  const atom = graph.atoms[index]
  if (!atom || atom.charge >= 0) return false
  const isSaturated = (graph.neighbours[index]?.length ?? 0) >= 4
  return !isSaturated && ![BORON, ALUMINIUM, SILICON].includes(atom.element)
}

/** An oxygen or sulfur on an atom that has a double bond to oxygen: carboxylates, phosphates, … */
function isAcid(graph: MoleculeGraph, index: number): boolean {
  const element = graph.atoms[index]?.element
  if (element !== OXYGEN && element !== SULFUR) return false
  return (graph.neighbours[index] ?? []).some((centre) =>
    (graph.neighbours[centre.index] ?? []).some(
      ({ atom, order }) => atom.element === OXYGEN && order === 2,
    ),
  )
}
