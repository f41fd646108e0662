/**
 * Converts a molecule to the form of the training data: bonded metals become ions, groups that are drawn in several ways
 * get one form, charges are neutralised if hydrogens can move, and imidic acids, C(OH)=N, become amides, C(=O)NH, because older databases and InChI conversions
 * are full of them.
 */
import type { GraphAtom, MoleculeGraph, Neighbour } from './molecule-graph.ts'
import { readSmiles, type RdkitModule } from './rdkit.ts'
import { elementSymbol } from './formula.ts'

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

// Salts drawn with a bond to a metal, `CC(=O)O[Na]`: the training molecules contain no metals.

/** Metals that RDKit's MetalDisconnector separates from oxygen, nitrogen and the like. With carbon on them they stay. */
const metals =
  'Li,Na,K,Rb,Cs,Be,Mg,Ca,Sr,Ba,Al,Ga,In,Sc,Ti,V,Cr,Mn,Fe,Co,Ni,Cu,Zn,Y,Zr,Nb,Mo,Tc,Ru,Rh,Pd,Ag,Cd,' +
  'La,Ce,Gd,Hf,Ta,W,Re,Os,Ir,Pt,Au,Hg,Tl,Pb,Bi,Sn,Sb'
const metalSymbols = new Set(metals.split(','))
const CHARGE_MAX = 5

/** Whether `disconnectMetals` may change the molecule. */
export function hasBondedMetal(graph: MoleculeGraph): boolean {
  return graph.atoms.some((atom, index) => {
    if (!metalSymbols.has(elementSymbol(atom.element))) return false
    const neighbours = graph.neighbours[index] ?? []
    return neighbours.length > 0 && neighbours.every(isDonor)
  })
}

function isDonor({ atom }: Neighbour): boolean {
  return atom.element !== CARBON
}

/** Canonical SMILES in which metals and their partners are fragments, with opposite charges if the bond was not dative. */
export function disconnectMetals(rdkit: RdkitModule, smiles: string): string {
  const metal = `${metals};!$(*~[#6])`
  const donors = applyReaction(rdkit, `[*:1]->[${metal}:2]>>([*:1].[*:2])`, smiles)
  return Array.from({ length: CHARGE_MAX }, (_, charge) => charge).reduce(
    (current, charge) =>
      applyReaction(
        rdkit,
        `[${metal};+${charge}:1]-[O,N,S,Se,F,Cl,Br,I;+0:2]>>([*+${charge + 1}:1].[*-:2])`,
        current,
      ),
    donors,
  )
}

// One group drawn in several ways: the form that RDKit's Normalizer and the ChEMBL structure pipeline write.

const SELENIUM = 34
const PHOSPHORUS = 15
const ARSENIC = 33

const normalForms = [
  // Sulfones and sulfonyl groups, sulfoximines.
  '[S,Se;+2:1](-[O-:2])-[O-:3]>>[*+0:1](=[O+0:2])=[O+0:3]',
  '[S,Se;+1;X4:1](=[O,N:3])-[O-:2]>>[*+0:1](=[*:3])=[O+0:2]',
  '[S,Se;+1;X4:1](=[O:3])-[N-:2]>>[*+0:1](=[*:3])=[N+0:2]',
  // Sulfilimines, then sulfoxides.
  '[S,Se;+1;X3:1]-[N-:2]>>[*+0:1]=[N+0:2]',
  '[!O:1][S,Se;+0;X3:2](=[O:3])[!O:4]>>[*:1][*+1:2]([O-:3])[*:4]',
  // Phosphoryl and thiophosphoryl.
  '[P,As;+1;X4:1]-[O-,S-:2]>>[*+0:1]=[*+0:2]',
  // Nitro, azide, diazo, the N-oxide of a base.
  '[N;+2:1](-[O-:2])-[O-:3]>>[N+1:1](=[O+0:2])-[O-:3]',
  '[*:1]-[N-:2]-[N+:3]#[N+0:4]>>[*:1]-[N+0:2]=[N+:3]=[N-:4]',
  '[C-:2]-[N+:3]#[N+0:4]>>[C+0:2]=[N+:3]=[N-:4]',
  '[#7;+1;!$(*[O-]):1]-[OX2H1:2]>>[*+1:1]-[O-;H0:2]',
]

/** Whether `toNormalForm` may change the molecule. */
export function hasOtherForm(graph: MoleculeGraph): boolean {
  return graph.atoms.some((atom, index) => {
    const neighbours = graph.neighbours[index] ?? []
    if (atom.element === SULFUR || atom.element === SELENIUM) return isOtherSulfur(atom, neighbours)
    if (atom.element === NITROGEN) return isOtherNitrogen(atom, neighbours)
    const isPhosphorus = atom.element === PHOSPHORUS || atom.element === ARSENIC
    return isPhosphorus && atom.charge > 0 && neighbours.some(isAnion)
  })
}

function isOtherSulfur({ charge, hydrogens }: GraphAtom, neighbours: Neighbour[]): boolean {
  const hasOxide = neighbours.some(({ atom, order }) => atom.element === OXYGEN && order === 2)
  if (charge === 0) return neighbours.length + hydrogens === 3 && hasOxide
  const isSulfoxide =
    neighbours.length === 3 &&
    neighbours.some((neighbour) => isAnion(neighbour) && neighbour.atom.element === OXYGEN)
  return neighbours.some(isAnion) && (charge > 1 || !isSulfoxide)
}

function isOtherNitrogen({ charge }: GraphAtom, neighbours: Neighbour[]): boolean {
  if (charge <= 0) return false
  const isAzide = neighbours.some(
    (neighbour) => isAnion(neighbour) && neighbour.atom.element !== OXYGEN,
  )
  const isTriple = neighbours.some(({ order }) => order === 3)
  return charge > 1 || neighbours.some(isHydroxyl) || (isAzide && isTriple)
}

function isAnion({ atom }: Neighbour): boolean {
  return atom.charge < 0
}

/** Canonical SMILES in which every group has its normal form. */
export function toNormalForm(rdkit: RdkitModule, smiles: string): string {
  return normalForms.reduce((current, form) => applyReaction(rdkit, form, current), smiles)
}

/** More than a molecule of the allowed size can contain. */
const ROUNDS_MAX = 125

/**
 * `reaction` is written as SMARTS. RDKit preserves the rest of the fragment, stereo included, but drops other fragments,
 * so each is changed on its own.
 */
function applyReaction(rdkit: RdkitModule, reaction: string, smiles: string): string {
  let pieces = smiles.split('.')
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    const next = pieces.map((piece) => applyOnce(rdkit, reaction, piece) ?? piece)
    const changed = next.flatMap((piece) => piece.split('.'))
    if (changed.join('.') === pieces.join('.')) return changed.join('.')
    pieces = changed
  }
  return pieces.join('.')
}

/** All products as one SMILES; null if the reaction does not apply. */
function applyOnce(rdkit: RdkitModule, smarts: string, smiles: string): string | null {
  const reaction = reactionOf(rdkit, smarts)
  using molecule = readSmiles(rdkit, smiles)
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

/** Kept for as long as the module: reading a reaction takes longer than applying it. */
const reactions = new WeakMap<RdkitModule, Map<string, Reaction>>()

type Reaction = ReturnType<RdkitModule['get_rxn']>

function reactionOf(rdkit: RdkitModule, smarts: string): Reaction {
  const own = reactions.get(rdkit) ?? new Map<string, Reaction>()
  reactions.set(rdkit, own)
  const reaction = own.get(smarts) ?? rdkit.get_rxn(smarts)
  own.set(smarts, reaction)
  return reaction
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
