/** A molecule's atoms and bonds, in the order in which its SMILES names them, read from RDKit's JSON. */
import type { RdkitMolecule } from './open-rdkit.ts'

const HYDROGEN = 1

export type GraphAtom = {
  /** Atomic number. */
  element: number
  hydrogens: number
  charge: number
  unpaired: number
  isotope: number
  isAromatic: boolean
}

export type Neighbour = { atom: GraphAtom; index: number; order: number }

export type MoleculeGraph = {
  atoms: GraphAtom[]
  /** For each atom, the atoms it is bonded to; bond orders are those of a Kekulé form. */
  neighbours: Neighbour[][]
}

/** RDKit's JSON, with what it leaves out where it is the default. */
type CommonChem = {
  molecules: [{ atoms: AtomRecord[]; bonds?: BondRecord[]; extensions?: Extension[] }]
}
type AtomRecord = { z?: number; impHs?: number; chg?: number; nRad?: number; isotope?: number }
type BondRecord = { bo?: number; atoms: [number, number] }
type Extension = { aromaticAtoms?: number[] }

export function readGraph(molecule: RdkitMolecule): MoleculeGraph {
  const record = (JSON.parse(molecule.get_json()) as CommonChem).molecules[0]
  const aromatic = new Set((record.extensions ?? []).flatMap((part) => part.aromaticAtoms ?? []))
  const atoms = record.atoms.map((atom, index) => readAtom(atom, aromatic.has(index)))
  return { atoms, neighbours: readNeighbours(atoms, record.bonds ?? []) }
}

export function countHeavyAtoms({ atoms }: MoleculeGraph): number {
  return atoms.filter((atom) => atom.element !== HYDROGEN).length
}

function readAtom(atom: AtomRecord, isAromatic: boolean): GraphAtom {
  return {
    element: atom.z ?? 6,
    hydrogens: atom.impHs ?? 0,
    charge: atom.chg ?? 0,
    unpaired: atom.nRad ?? 0,
    isotope: atom.isotope ?? 0,
    isAromatic,
  }
}

function readNeighbours(atoms: GraphAtom[], bonds: BondRecord[]): Neighbour[][] {
  const neighbours: Neighbour[][] = atoms.map(() => [])
  for (const bond of bonds) {
    const [first, second] = bond.atoms
    const order = bond.bo ?? 1
    const a = atoms[first]
    const b = atoms[second]
    if (b) neighbours[first]?.push({ atom: b, index: second, order })
    if (a) neighbours[second]?.push({ atom: a, index: first, order })
  }
  return neighbours
}
