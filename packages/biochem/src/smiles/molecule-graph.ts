/**
 * A molecule's atoms and bonds, in the order of its SMILES: read from RDKit's JSON, and changed atoms written back into
 * the SMILES text.
 */
import type { RdkitMolecule } from './rdkit.ts'

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

export type Neighbour = { atom: GraphAtom; index: number; order: number; isAromatic: boolean }

export type MoleculeGraph = {
  atoms: GraphAtom[]
  /** For each atom, the atoms it is bonded to; bond orders are those of a Kekulé form. */
  neighbours: Neighbour[][]
  /** The atoms of each ring. */
  rings: number[][]
}

/** RDKit's JSON, with its defaults filled in. */
type CommonChem = {
  molecules: [{ atoms: AtomRecord[]; bonds?: BondRecord[]; extensions?: Extension[] }]
}
type AtomRecord = { z?: number; impHs?: number; chg?: number; nRad?: number; isotope?: number }
type BondRecord = { bo?: number; atoms: [number, number] }
type Extension = { aromaticAtoms?: number[]; aromaticBonds?: number[]; atomRings?: number[][] }

/** Atoms in RDKit's order; throws if RDKit breaks. */
export function readGraph(molecule: RdkitMolecule): MoleculeGraph {
  const record = (JSON.parse(molecule.get_json()) as CommonChem).molecules[0]
  const extensions = record.extensions ?? []
  const aromatic = new Set(extensions.flatMap((part) => part.aromaticAtoms ?? []))
  const aromaticBonds = new Set(extensions.flatMap((part) => part.aromaticBonds ?? []))
  const rings = extensions.flatMap((part) => part.atomRings ?? [])
  const atoms = record.atoms.map((atom, index) => readAtom(atom, aromatic.has(index)))
  return { atoms, neighbours: readNeighbours(atoms, record.bonds ?? [], aromaticBonds), rings }
}

/** `counts`: rings of each atom; `has`: whether the bond of two atoms is in a ring. */
export type Rings = { counts: Uint8Array; has(one: number, other: number): boolean }

export function readRings({ atoms, rings }: MoleculeGraph): Rings {
  const counts = new Uint8Array(atoms.length)
  const bonds = new Set<number>()
  const bondOf = (one: number, other: number) =>
    Math.min(one, other) * atoms.length + Math.max(one, other)
  for (const ring of rings) {
    let before = ring.at(-1) ?? 0
    for (const atom of ring) {
      counts[atom] = (counts[atom] ?? 0) + 1
      bonds.add(bondOf(before, atom))
      before = atom
    }
  }
  return { counts, has: (one, other) => bonds.has(bondOf(one, other)) }
}

/** Of an atom, with those that are drawn as atoms. */
export function countHydrogens(atom: GraphAtom, around: Neighbour[]): number {
  return atom.hydrogens + around.filter((one) => one.atom.element === HYDROGEN).length
}

/** Atoms other than hydrogen. */
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

function readNeighbours(
  atoms: GraphAtom[],
  bonds: BondRecord[],
  aromatic: Set<number>,
): Neighbour[][] {
  const neighbours: Neighbour[][] = atoms.map(() => [])
  for (const [place, bond] of bonds.entries()) {
    const isAromatic = aromatic.has(place)
    const [first, second] = bond.atoms
    const order = bond.bo ?? 1
    const a = atoms[first]
    const b = atoms[second]
    if (b) neighbours[first]?.push({ atom: b, index: second, order, isAromatic })
    if (a) neighbours[second]?.push({ atom: a, index: first, order, isAromatic })
  }
  return neighbours
}

// Editing the text preserves all stereochemistry; RDKit.js loses that of double bonds when it reads its own JSON.

const bracketAtom =
  /\[\d*(?<symbol>[A-Za-z][a-z]?)(?<chirality>@(?:@|(?:TH|AL|SP|TB|OH)\d+)?)?[^\]]*\]/g

/**
 * `smiles` has every atom in brackets, as RDKit writes it with `allHsExplicit`, and the atoms are in the same order.
 * Null if their numbers differ.
 */
export function rewriteAtoms(smiles: string, atoms: GraphAtom[]): string | null {
  let count = 0
  const text = smiles.replace(bracketAtom, (_, symbol: string, chirality: string | undefined) => {
    const atom = atoms[count]
    count += 1
    return atom ? `[${symbol}${chirality ?? ''}${hydrogens(atom)}${charge(atom)}]` : ''
  })
  return count === atoms.length ? text : null
}

function hydrogens(atom: GraphAtom): string {
  if (atom.hydrogens === 0) return ''
  return atom.hydrogens === 1 ? 'H' : `H${atom.hydrogens}`
}

function charge(atom: GraphAtom): string {
  if (atom.charge === 0) return ''
  return atom.charge > 0 ? `+${atom.charge}` : String(atom.charge)
}
