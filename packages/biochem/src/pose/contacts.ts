/**
 * Contacts of a placed compound in its pocket: hydrogen bonds, hydrophobic contacts and clashes, each with a sentence.
 * By distances between heavy atoms only, because hydrogens are not placed.
 */
import { linksOf, type Parts } from './molecule-parts.ts'
import type { PlacedPose } from './place.ts'
import type { PreparedPocket } from './pocket-atoms.ts'
import { at, type Points } from './points.ts'
import { ACCEPTOR, canBond, DONOR, HYDROPHOBIC, metals } from './vina.ts'

export type PoseContact = {
  kind: 'hydrogen bond' | 'hydrophobic' | 'clash'
  /** For example `MET 318`, its chain, and the atom name. */
  residue: string
  chain: string
  atom: string
  /** Index of the compound's atom in its SMILES, from 0. */
  compoundAtom: number
  /** In Å, between the two atoms. */
  distance: number
  words: string
}

const HYDROGEN_BOND_MAX = 3.5
const HYDROPHOBIC_MAX = 4
/** Overlap of Vina's radii in Å above which two atoms clash; a hydrogen bond overlaps by up to 1 Å without strain. */
const CLASH_OVERLAP = 0.8
const CLASH_OVERLAP_BONDED = 1.1
const order = ['hydrogen bond', 'hydrophobic', 'clash'] as const

/**
 * Hydrophobic contacts once per residue, hydrogen bonds once per atom and residue and at most as many as there are
 * hydrogens: the closest. By kind, then the shortest first.
 */
export function listContacts({ pocket }: { pocket: PreparedPocket }, pose: PlacedPose) {
  const near = nearPairs(pocket.surroundings.x, pose.x)
  const takeHydrogen = openHydrogens(pocket, pose)
  const seen = new Set<string>()
  return near
    .toSorted((one, other) => one.distance - other.distance)
    .flatMap((pair): PoseContact[] => {
      const kind = kindOf(pocket, pose, pair)
      if (kind === null) return []
      const contact = describe(kind, pocket, pose, pair)
      const key = keyOf(contact)
      if (seen.has(key) || (kind === 'hydrogen bond' && !takeHydrogen(pair))) return []
      seen.add(key)
      return [contact]
    })
    .toSorted((one, other) => order.indexOf(one.kind) - order.indexOf(other.kind))
}

function keyOf({ kind, residue, chain, atom, compoundAtom }: PoseContact): string {
  const who = { 'hydrogen bond': compoundAtom, hydrophobic: '', clash: `${atom} ${compoundAtom}` }
  return `${kind} ${residue} ${chain} ${who[kind]}`
}

/** Takes one of the hydrogens that a bond could use; false if none is left. */
function openHydrogens({ surroundings, atoms }: PreparedPocket, { scored, parts }: PlacedPose) {
  const left = new Map<string, number>()
  const take = (key: string, all: number): boolean => {
    const count = left.get(key) ?? all
    left.set(key, count - 1)
    return count > 0
  }
  return ({ own, other }: Pair): boolean => {
    const [one, two] = [at(scored.flags, own), at(surroundings.atoms.flags, other)]
    const { gives, takes } = rolesOf(one, two)
    if (gives && take(`own ${own}`, parts.hydrogens[own] ?? 0)) return true
    return takes && take(`other ${other}`, hydrogensOf(atoms[other]))
  }
}

function rolesOf(one: number, two: number) {
  return {
    gives: (one & DONOR) !== 0 && (two & ACCEPTOR) !== 0,
    takes: (one & ACCEPTOR) !== 0 && (two & DONOR) !== 0,
  }
}

const hydrogensByName: Record<string, number> = { NZ: 3, NH1: 2, NH2: 2, ND2: 2 }

/** Of a protein's donor; a metal is in as many contacts as fit around it. */
function hydrogensOf(atom: PreparedPocket['atoms'][number] | undefined): number {
  if (atom === undefined) return 0
  if (metals.has(atom.element)) return Infinity
  if (atom.residue.startsWith('GLN') && atom.name === 'NE2') return 2
  return hydrogensByName[atom.name] ?? 1
}

type Pair = { own: number; other: number; distance: number }

function nearPairs(around: Points, x: Points): Pair[] {
  const pairs: Pair[] = []
  for (let own = 0; own < x.length / 3; own++) {
    for (let other = 0; other < around.length / 3; other++) {
      const dx = at(x, 3 * own) - at(around, 3 * other)
      if (Math.abs(dx) > HYDROPHOBIC_MAX) continue
      const dy = at(x, 3 * own + 1) - at(around, 3 * other + 1)
      const dz = at(x, 3 * own + 2) - at(around, 3 * other + 2)
      const distance = Math.hypot(dx, dy, dz)
      if (distance <= HYDROPHOBIC_MAX) pairs.push({ own, other, distance })
    }
  }
  return pairs
}

function kindOf(
  { surroundings }: PreparedPocket,
  { scored }: PlacedPose,
  { own, other, distance }: Pair,
): PoseContact['kind'] | null {
  const [one, two] = [at(scored.flags, own), at(surroundings.atoms.flags, other)]
  const overlap = at(scored.radius, own) + at(surroundings.atoms.radius, other) - distance
  const bonds = canBond(one, two)
  if (overlap > (bonds ? CLASH_OVERLAP_BONDED : CLASH_OVERLAP)) return 'clash'
  if (bonds && distance <= HYDROGEN_BOND_MAX) return 'hydrogen bond'
  return (one & two & HYDROPHOBIC) === 0 ? null : 'hydrophobic'
}

function describe(
  kind: PoseContact['kind'],
  pocket: PreparedPocket,
  pose: PlacedPose,
  { own, other, distance }: Pair,
): PoseContact {
  const { residue = '', chain = '', name: atom = '' } = pocket.atoms[other] ?? {}
  const element = properSymbol(pose.parts.elements[own] ?? '')
  const length = `${distance.toFixed(1)} Å`
  const mine = `${element}${own + 1}`
  const group = groupOf(pose.parts, own)
  const mineInGroup = group === element ? mine : `${group} (${mine})`
  const words = {
    'hydrogen bond': `Hydrogen bond: ${mineInGroup} ${direction(pocket, pose, { own, other })} ${atom} of ${residue} (chain ${chain}), ${length}`,
    hydrophobic: `Hydrophobic contact: ${mine} with ${residue} (chain ${chain}), ${length}`,
    clash: `Clash: ${mine} is too close to ${atom} of ${residue} (chain ${chain}), ${length}`,
  }[kind]
  return { kind, residue, chain, atom, compoundAtom: own, distance, words }
}

/** Which side gives the hydrogen; some pairs can do either. */
function direction(
  { surroundings }: PreparedPocket,
  { scored }: PlacedPose,
  { own, other }: { own: number; other: number },
): string {
  const { gives, takes } = rolesOf(at(scored.flags, own), at(surroundings.atoms.flags, other))
  if (gives && takes) return 'with'
  return gives ? 'donates to' : 'accepts from'
}

/** What a chemist calls a donor or acceptor: `OH`, `NH2`, `C=O`. */
function groupOf(parts: Parts, atom: number): string {
  const element = properSymbol(parts.elements[atom] ?? '')
  const hydrogens = parts.hydrogens[atom] ?? 0
  if (hydrogens > 0) return `${element}H${hydrogens > 1 ? hydrogens : ''}`
  const double = linksOf(parts, atom).find(({ bond }) => bond.order === 2 && !bond.isAromatic)
  if (double === undefined || element !== 'O') return element
  return `${properSymbol(parts.elements[double.atom] ?? '')}=O`
}

/** `CL` as `Cl`. */
export function properSymbol(element: string): string {
  return element.slice(0, 1) + element.slice(1).toLowerCase()
}
