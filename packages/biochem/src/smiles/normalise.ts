/**
 * Converts a molecule to the form of the training data: bonded alkali metals become ions, charges are neutralised if
 * hydrogens can move, and imidic acids, C(OH)=N, become amides, C(=O)NH, because older databases and InChI conversions
 * are full of them.
 */
import type { GraphAtom, MoleculeGraph, Neighbour } from './molecule-graph.ts'
import type { RdkitModule } from './rdkit.ts'

const CARBON = 6
const NITROGEN = 7
const OXYGEN = 8

/** Whether `toAmideForm` would change the molecule. */
export function hasImidicAcid(graph: MoleculeGraph): boolean {
  return graph.atoms.some((atom, index) => {
    if (atom.element !== CARBON || atom.isAromatic) return false
    const neighbours = graph.neighbours[index] ?? []
    return neighbours.some(isHydroxyl) && neighbours.some(isImine)
  })
}

/** Canonical SMILES with every imidic acid written as an amide. */
export function toAmideForm(rdkit: RdkitModule, smiles: string): string {
  return applyReaction(rdkit, '[OX2H1:1]-[CX3:2]=[NX2:3]>>[O:1]=[C:2]-[N:3]', smiles)
}

function isHydroxyl({ atom, order }: Neighbour): boolean {
  return atom.element === OXYGEN && order === 1 && atom.hydrogens === 1
}

function isImine({ atom, order }: Neighbour): boolean {
  return atom.element === NITROGEN && order === 2 && atom.charge === 0
}

// Salts drawn with a bond to an alkali metal, `CC(=O)O[Na]`: the training molecules contain no metals.

/** Li, Na, K, Rb, Cs. */
const alkaliMetals = [3, 11, 19, 37, 55]

/** Whether `disconnectMetals` may change the molecule. */
export function hasBondedMetal(graph: MoleculeGraph): boolean {
  return graph.atoms.some(
    (atom, index) =>
      alkaliMetals.includes(atom.element) && (graph.neighbours[index]?.length ?? 0) > 0,
  )
}

/** Canonical SMILES in which the metal and its partner are two fragments with opposite charges. */
export function disconnectMetals(rdkit: RdkitModule, smiles: string): string {
  return applyReaction(rdkit, '[Li,Na,K,Rb,Cs;D1;+0:1]-[O,S,N;+0:2]>>[*+:1].[*-:2]', smiles)
}

/** More than a molecule of the allowed size can contain. */
const ROUNDS_MAX = 125

/** `reaction` is written as SMARTS. RDKit preserves the rest of the molecule, stereo included. */
function applyReaction(rdkit: RdkitModule, reaction: string, smiles: string): string {
  let current = smiles
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    const next = applyOnce(rdkit, reaction, current)
    if (next === null) return current
    current = next
  }
  return current
}

/** All products as one SMILES; null if the reaction does not apply. */
function applyOnce(rdkit: RdkitModule, smarts: string, smiles: string): string | null {
  using reaction = rdkit.get_rxn(smarts)
  using molecule = rdkit.get_mol(smiles)
  using reactants = new rdkit.MolList()
  if (!reaction || !molecule) return null
  reactants.append(molecule)
  using outcomes = reaction.run_reactants(reactants, 1)
  using products = outcomes.get(0)
  if (!products) return null
  const parts: string[] = []
  for (let index = 0; index < products.size(); index += 1) {
    using product = products.at(index)
    if (product) parts.push(product.get_smiles())
  }
  return parts.join('.')
}

// Neutralises charges by moving hydrogens: charges bonded to their opposite stay (nitro groups, N-oxides), as many
// anions stay as there are cations without a hydrogen to give (betaines keep both), and cations give hydrogens only
// while the whole is positive.

const BORON = 5
const ALUMINIUM = 13
const SILICON = 14
const SULFUR = 16

/** Changes the atoms of the graph; returns the number of neutralised atoms. */
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

/** Whether a neighbour has the opposite charge. */
function isPaired(graph: MoleculeGraph, index: number): boolean {
  const sign = Math.sign(graph.atoms[index]?.charge ?? 0)
  return (graph.neighbours[index] ?? []).some(({ atom }) => Math.sign(atom.charge) === -sign)
}

/** Borates and similar ions have all four bonds, so they cannot accept a proton. */
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
