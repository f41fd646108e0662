/**
 * Contacts of a placed compound in its pocket: hydrogen bonds, hydrophobic contacts and clashes, each with a sentence.
 * By distances between heavy atoms only, because hydrogens are not placed.
 */
import type { PlacedPose } from './place.ts'
import type { PreparedPocket } from './pocket-atoms.ts'
import { at, type Points } from './points.ts'
import { ACCEPTOR, canBond, DONOR, HYDROPHOBIC } from './vina.ts'

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

/** Hydrophobic contacts once per residue, the closest. By kind, then the shortest first. */
export function listContacts({ pocket }: { pocket: PreparedPocket }, pose: PlacedPose) {
  const near = nearPairs(pocket.surroundings.x, pose.x)
  const found = near.flatMap((pair): PoseContact[] => {
    const kind = kindOf(pocket, pose, pair)
    return kind === null ? [] : [describe(kind, pocket, pose, pair)]
  })
  const sorted = found.toSorted(
    (one, other) =>
      order.indexOf(one.kind) - order.indexOf(other.kind) || one.distance - other.distance,
  )
  const seen = new Set<string>()
  return sorted.filter(({ kind, residue, chain, atom, compoundAtom }) => {
    const who = kind === 'hydrophobic' ? '' : `${atom} ${compoundAtom}`
    const key = `${kind} ${residue} ${chain} ${who}`
    return !seen.has(key) && seen.add(key)
  })
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
  const words = {
    'hydrogen bond': `Hydrogen bond: ${mine} ${direction(pocket, pose, { own, other })} ${atom} of ${residue} (chain ${chain}), ${length}`,
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
  const [one, two] = [at(scored.flags, own), at(surroundings.atoms.flags, other)]
  const gives = (one & DONOR) !== 0 && (two & ACCEPTOR) !== 0
  const takes = (one & ACCEPTOR) !== 0 && (two & DONOR) !== 0
  if (gives && takes) return 'with'
  return gives ? 'donates to' : 'accepts from'
}

/** `CL` as `Cl`. */
export function properSymbol(element: string): string {
  return element.slice(0, 1) + element.slice(1).toLowerCase()
}
