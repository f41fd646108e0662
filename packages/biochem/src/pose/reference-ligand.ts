/**
 * Ligands of a structure that compounds can be placed on, and their coordinates and connectivity. PDB and mmCIF files
 * have no bond orders, so bonds follow from distances and everything else from bonds.
 */
import { bondMax } from '../pdb/bonds.ts'
import { cofactors, isAdditive, isSugar } from '../pdb/residue-names.ts'
import type { Atom, Ligand, Structure } from '../pdb/structure.ts'
import { isHydrophobic, linksOf, type Parts, withLinks } from './molecule-parts.ts'
import { at, distance, type Points } from './points.ts'
import { largestPiece, ringBonds } from './ring-bonds.ts'
import { movingPairs, type Torsion, torsionsOf } from './torsions.ts'
import { ACCEPTOR, DONOR, HYDROPHOBIC, type ScoredLigand, vinaRadius } from './vina.ts'

export type ReferenceChoice = {
  /** Unique in the structure, for example `STI 201 A`. */
  id: string
  heavyAtoms: number
  ligand: Ligand
}

const HEAVY_ATOMS_MIN = 6
const HEAVY_ATOMS_MAX = 120
const CHOICES_MAX = 50
/** In Å, between heavy atoms of ligand and chain. */
const CONTACT = 4.5

/**
 * Every ligand a compound could be placed on: no buffers, ions, solvents, sugars and cofactors. Ligands that touch
 * `chain` come first, larger ones before smaller ones.
 */
export function listReferences(structure: Structure, chain: string): ReferenceChoice[] {
  const around = structure.chains
    .filter(({ id }) => id === chain)
    .flatMap(({ residues }) => residues.flatMap(({ atoms }) => atoms))
  const touches = ({ atoms }: Ligand) => around.some((one) => isNearAny(one, atoms))
  const seen = new Map<string, number>()
  return structure.ligands
    .filter(isCandidate)
    .slice(0, CHOICES_MAX)
    .map((ligand) => {
      const label = `${ligand.name} ${ligand.number} ${ligand.chainId}`
      const copies = (seen.get(label) ?? 0) + 1
      seen.set(label, copies)
      const id = copies === 1 ? label : `${label} (${copies})`
      return { id, heavyAtoms: heavyAtoms(ligand).length, ligand, isTouching: touches(ligand) }
    })
    .toSorted(
      (one, other) =>
        Number(other.isTouching) - Number(one.isTouching) || other.heavyAtoms - one.heavyAtoms,
    )
    .map(({ id, heavyAtoms: count, ligand }) => ({ id, heavyAtoms: count, ligand }))
}

function isCandidate(ligand: Ligand): boolean {
  const { name } = ligand
  if (isAdditive(name) || isSugar(name) || cofactors.has(name)) return false
  const atoms = heavyAtoms(ligand)
  return (
    atoms.length >= HEAVY_ATOMS_MIN &&
    atoms.length <= HEAVY_ATOMS_MAX &&
    atoms.filter(({ element }) => element === 'C').length >= 3
  )
}

function heavyAtoms({ atoms }: Pick<Ligand, 'atoms'>): Atom[] {
  return atoms.filter(({ element }) => element !== 'H' && element !== 'D')
}

function isNearAny(one: Atom, atoms: Atom[]): boolean {
  return atoms.some(
    (other) =>
      Math.abs(one.x - other.x) < CONTACT &&
      Math.hypot(one.x - other.x, one.y - other.y, one.z - other.z) < CONTACT,
  )
}

export type Reference = {
  parts: Parts
  x: Points
  atoms: Atom[]
  torsions: Torsion[]
  scored: ScoredLigand
}

const HYDROGEN_REACH = 1.3
/** A single bond from oxygen to carbon is longer: above this a terminal oxygen is a hydroxyl. */
const CARBONYL_MAX = 1.31
/** Carbon to nitrogen next to a carbonyl: a shorter bond is an amide, which does not rotate. */
const AMIDE_MAX = 1.42
const DOUBLE_MAX = 1.41

/** For a partly resolved ligand, the largest connected piece. */
export function readReference(ligand: Pick<Ligand, 'atoms' | 'stated'>): Reference {
  const hydrogens = ligand.atoms.filter(({ element }) => element === 'H' || element === 'D')
  const all = heavyAtoms(ligand)
  const kept = largestPiece(all.keys(), bondsOf(ligand, all, pointsOf(all)))
  const atoms = all.filter((_, i) => kept.has(i))
  const x = pointsOf(atoms)
  const bonds = bondsOf(ligand, atoms, x)
  const isInRing = ringBonds(bonds)
  const parts = withLinks({
    elements: atoms.map(({ element }) => element),
    hydrogens: hydrogensOf(x, pointsOf(hydrogens)),
    charges: atoms.map(() => 0),
    isAromatic: atoms.map(() => false),
    bonds: bonds.map((bond, place) => ({
      ...bond,
      order: 1,
      isAromatic: false,
      isInRing: isInRing[place] === true,
    })),
    rings: [],
    hands: atoms.map(() => 0),
  })
  const turning = parts.bonds.filter(({ a, b, isInRing: ring }) => {
    const isInner = [a, b].every((end) => linksOf(parts, end).length > 1)
    return isInner && !ring && !isStiff(parts, x, [a, b])
  })
  const torsions = torsionsOf(parts, turning)
  const scored = {
    count: atoms.length,
    radius: Float64Array.from(atoms, ({ element }) => vinaRadius(element)),
    flags: Uint8Array.from(atoms, (_, i) => flagsOf(parts, x, i, hydrogens.length > 0)),
    pairs: movingPairs(parts, torsions),
  }
  return { parts, x, atoms, torsions, scored }
}

function pointsOf(atoms: Atom[]): Points {
  return Float64Array.from(atoms.flatMap(({ x, y, z }) => [x, y, z]))
}

/** By distance, and those that the file states. */
function bondsOf(
  { stated = [] }: Pick<Ligand, 'stated'>,
  atoms: Atom[],
  x: Points,
): { a: number; b: number }[] {
  const near = bondsByDistance(atoms, x)
  const known = new Set(near.map(({ a, b }) => `${a} ${b}`))
  const others = stated
    .map(([one, other]) => [atoms.indexOf(one), atoms.indexOf(other)].toSorted((a, b) => a - b))
    .filter(([a = -1, b = -1]) => a !== -1 && !known.has(`${a} ${b}`))
  return [...near, ...others.map(([a = 0, b = 0]) => ({ a, b }))]
}

function bondsByDistance(atoms: Atom[], x: Points): { a: number; b: number }[] {
  return atoms.flatMap((atom, a) =>
    atoms.slice(a + 1).flatMap((other, past) => {
      const b = a + 1 + past
      return distance(x, a, x, b) < bondMax(atom.element, other.element) ? [{ a, b }] : []
    }),
  )
}

/** Number of the file's hydrogens bonded to each atom. */
function hydrogensOf(x: Points, hydrogens: Points): number[] {
  const counts = Array.from({ length: x.length / 3 }, () => 0)
  for (let h = 0; h < hydrogens.length / 3; h++) {
    const distances = counts.map((_, i) => distance(x, i, hydrogens, h))
    const nearest = distances.indexOf(Math.min(...distances))
    if (at(distances, nearest) < HYDROGEN_REACH) counts[nearest] = at(counts, nearest) + 1
  }
  return counts
}

/** Bonds whose lengths show amides or double bonds. */
function isStiff(parts: Parts, x: Points, [a, b]: [number, number]): boolean {
  const length = distance(x, a, x, b)
  const [one, other] = [parts.elements[a], parts.elements[b]]
  if (one === 'C' && other === 'C') return length < DOUBLE_MAX
  if (one === 'N' && other === 'C') return length < AMIDE_MAX && hasCarbonyl(parts, x, b)
  return one === 'C' && other === 'N' && length < AMIDE_MAX && hasCarbonyl(parts, x, a)
}

function hasCarbonyl(parts: Parts, x: Points, carbon: number): boolean {
  return linksOf(parts, carbon).some(
    ({ atom }) =>
      parts.elements[atom] === 'O' &&
      linksOf(parts, atom).length === 1 &&
      distance(x, carbon, x, atom) < CARBONYL_MAX,
  )
}

/** By the file's hydrogens if it has them, otherwise by neighbours and lengths. */
function flagsOf(parts: Parts, x: Points, i: number, hasHydrogens: boolean): number {
  if (isHydrophobic(parts, i)) return HYDROPHOBIC
  if (parts.elements[i] === 'O') return oxygenFlags(parts, x, i, hasHydrogens)
  return parts.elements[i] === 'N' ? nitrogenFlags(parts, i, hasHydrogens) : 0
}

function oxygenFlags(parts: Parts, x: Points, i: number, hasHydrogens: boolean): number {
  const [only, ...others] = linksOf(parts, i)
  const isLong = only !== undefined && distance(x, i, x, only.atom) > CARBONYL_MAX
  const isGiving = hasHydrogens ? at(parts.hydrogens, i) > 0 : isLong && others.length === 0
  return isGiving ? ACCEPTOR | DONOR : ACCEPTOR
}

function nitrogenFlags(parts: Parts, i: number, hasHydrogens: boolean): number {
  const count = linksOf(parts, i).length
  if (hasHydrogens && at(parts.hydrogens, i) > 0) return DONOR
  if (count > 2) return 0
  const isLikelyAcceptor = count === 2 && parts.isInRing[i] === true
  return hasHydrogens || isLikelyAcceptor ? ACCEPTOR : DONOR
}
