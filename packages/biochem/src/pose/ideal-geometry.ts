/**
 * Ideal geometry by rules: bond lengths from covalent radii and order, angles from hybridisation and ring size, planar
 * bonds cis or trans, stereocentres as in the SMILES. Good enough to grow missing atoms, not for strain energies.
 */
import { FAR, linksOf, neighboursOf, type Bond, type Parts } from './molecule-parts.ts'
import { at } from './points.ts'
import { turningBonds } from './torsions.ts'

/** A distance between two atoms, in Å, and its force constant. */
export type Spring = { i: number; j: number; length: number; force: number }
/** `atoms`: a centre and three neighbours; `hand`: 0 for flat, otherwise the sign of their signed volume. */
export type Shape = { atoms: [number, number, number, number]; hand: number }
export type IdealGeometry = { springs: Spring[]; shapes: Shape[] }

const BOND_FORCE = 300
const ANGLE_FORCE = 80
const PLANE_FORCE = 30
const RADIANS = Math.PI / 180

const covalentRadii: Record<string, number> = {
  B: 0.84,
  C: 0.76,
  N: 0.71,
  O: 0.66,
  F: 0.58,
  SI: 1.11,
  P: 1.07,
  S: 1.05,
  CL: 0.99,
  BR: 1.14,
  I: 1.34,
}
const secondRow = new Set(['B', 'C', 'N', 'O', 'F'])

export function idealGeometry(parts: Parts): IdealGeometry {
  const rules = openRules(parts)
  const springs = parts.bonds.map((bond) => ({
    i: bond.a,
    j: bond.b,
    length: rules.lengthOf(bond),
    force: BOND_FORCE,
  }))
  const shapes: Shape[] = []
  for (let centre = 0; centre < parts.elements.length; centre++) {
    springs.push(...angleSprings(parts, rules, centre))
    const [p, q, r] = neighboursOf(parts, centre)
    const hand = at(parts.hands, centre)
    if (p === undefined || q === undefined || r === undefined) continue
    if (hand !== 0 || rules.isFlat(centre)) shapes.push({ atoms: [centre, p, q, r], hand })
  }
  const turning = new Set(turningBonds(parts))
  for (const bond of parts.bonds) {
    if (!turning.has(bond) || isEster(parts, rules, bond)) {
      springs.push(...planeSprings(parts, rules, bond))
    }
  }
  return { springs, shapes }
}

type Rules = ReturnType<typeof openRules>

function openRules(parts: Parts) {
  const { elements, isAromatic } = parts
  const doubleBonds = elements.map(
    (_, i) => linksOf(parts, i).filter(({ bond }) => bond.order === 2 && !bond.isAromatic).length,
  )
  const isSecondRow = (i: number) => secondRow.has(elements[i] ?? '')
  const isPi = (i: number) => isAromatic[i] === true || (at(doubleBonds, i) > 0 && isSecondRow(i))
  const isStraight = (i: number) =>
    (at(doubleBonds, i) > 1 && isSecondRow(i)) ||
    linksOf(parts, i).some(({ bond }) => bond.order === 3)
  // sp2, or nitrogen and oxygen next to such an atom.
  const flat = elements.map((element, i) => {
    if (isPi(i)) return true
    const links = linksOf(parts, i)
    return (
      (element === 'N' || element === 'O') &&
      links.length < 4 &&
      links.some(({ atom }) => isPi(atom))
    )
  })
  const isFlat = (i: number) => flat[i] === true
  const lengths = new Map(
    parts.bonds.map((bond) => [bond, bondLength(parts, bond, { isPi, isFlat })]),
  )

  /** Size of the smallest ring with all of these atoms; 0 if there is none. */
  function sharedRing(...atoms: number[]): number {
    const sizes = parts.rings.filter((ring) => atoms.every((i) => ring.includes(i)))
    return sizes.length === 0 ? 0 : Math.min(...sizes.map((ring) => ring.length))
  }

  const lengthOf = (bond: Bond) => lengths.get(bond) ?? 1.5
  return { doubleBonds, isStraight, isFlat, sharedRing, lengthOf }
}

type Kinds = { isPi: (i: number) => boolean; isFlat: (i: number) => boolean }

function bondLength({ elements }: Parts, { a, b, order, isAromatic }: Bond, kinds: Kinds): number {
  const ends = [elements[a] ?? '', elements[b] ?? '']
  const sum = ends.reduce((total, element) => total + (covalentRadii[element] ?? 1), 0)
  if (isAromatic) return sum - (ends.includes('S') ? 0.09 : 0.13)
  if (order === 3) return sum - 0.33
  if (order === 2) return sum - (ends.every((element) => secondRow.has(element)) ? 0.2 : 0.26)
  const isCarbons = ends.every((element) => element === 'C')
  return sum - conjugationOf([a, b], isCarbons, kinds)
}

/** Shortening of a single bond between flat atoms. */
function conjugationOf(ends: number[], isCarbons: boolean, { isPi, isFlat }: Kinds): number {
  if (ends.every(isFlat)) return isCarbons ? 0.04 : 0.08
  return ends.some(isPi) ? 0.02 : 0
}

function angleSprings(parts: Parts, rules: Rules, centre: number): Spring[] {
  const links = linksOf(parts, centre)
  return links.flatMap((link, place) =>
    links.slice(place + 1).flatMap((other) => {
      // The two ends of a three-membered ring are bonded.
      if (at(parts.steps[link.atom] ?? [], other.atom) < 2) return []
      const [r, s] = [rules.lengthOf(link.bond), rules.lengthOf(other.bond)]
      const angle = angleAt(parts, rules, [centre, link.atom, other.atom]) * RADIANS
      const length = Math.sqrt(r * r + s * s - 2 * r * s * Math.cos(angle))
      return { i: link.atom, j: other.atom, length, force: ANGLE_FORCE }
    }),
  )
}

type Corner = [centre: number, p: number, q: number]

/** In degrees. */
function angleAt(parts: Parts, rules: Rules, corner: Corner): number {
  const [centre, p, q] = corner
  if (rules.isStraight(centre)) return 180
  const size = rules.sharedRing(...corner)
  if (size > 0) return ringAngle(parts, rules, { size, corner })
  if (rules.isFlat(centre)) return flatAngle(parts, rules, corner)
  if (parts.elements[centre] === 'S') return sulfurAngle(parts, corner)
  const smallest = rules.sharedRing(centre, p) || rules.sharedRing(centre, q)
  if (smallest === 3) return 118
  if (smallest === 4) return 114
  return neighboursOf(parts, centre).length === 4 ? 109.5 : 111
}

function ringAngle(
  parts: Parts,
  rules: Rules,
  { size, corner }: { size: number; corner: Corner },
): number {
  const [centre] = corner
  const isPlanar = corner.every(rules.isFlat)
  if (size === 3) return 60
  if (size === 4) return 89
  if (size === 5) {
    if (!isPlanar) return 104
    return parts.elements[centre] === 'S' ? 93 : 108
  }
  if (size > 6) return rules.isFlat(centre) ? 124 : 114
  if (isPlanar) return 120
  return rules.isFlat(centre) ? 118 : 110.5
}

/** Outside a ring: the rest of 360° after the angles inside. */
function flatAngle(parts: Parts, rules: Rules, [centre, p, q]: Corner): number {
  const rest = neighboursOf(parts, centre).filter((j) => j !== p && j !== q)
  const [third] = rest
  const inner = [p, q].map((j) => {
    const size = third === undefined ? 0 : rules.sharedRing(centre, j, third)
    return size === 0 || third === undefined
      ? 0
      : ringAngle(parts, rules, { size, corner: [centre, j, third] })
  })
  const [one = 0, other = 0] = inner
  if (rest.length === 1 && one > 0 && other > 0) return 360 - one - other
  if (rest.length === 1 && one + other > 0) return (360 - one - other) / 2
  return parts.elements[centre] === 'O' ? 117 : 120
}

function sulfurAngle(parts: Parts, [centre, p, q]: Corner): number {
  const links = neighboursOf(parts, centre)
  if (links.length === 2) return 101
  const ends = [p, q].filter(
    (j) => parts.elements[j] === 'O' && neighboursOf(parts, j).length === 1,
  )
  return [104, 108, 119][ends.length] ?? 104
}

function isEster(parts: Parts, { doubleBonds }: Rules, { a, b }: Bond): boolean {
  const isAcyl = (c: number, o: number) =>
    parts.elements[c] === 'C' && parts.elements[o] === 'O' && at(doubleBonds, c) > 0
  return isAcyl(a, b) || isAcyl(b, a)
}

/** Distances across a flat bond, which keep its ends cis or trans. */
function planeSprings(parts: Parts, rules: Rules, bond: Bond): Spring[] {
  const { a, b } = bond
  if (![a, b].every((end) => rules.isFlat(end) && !rules.isStraight(end))) return []
  const [fromA, fromB] = [linksOf(parts, a), linksOf(parts, b)]
  return fromA.flatMap((one) =>
    fromB.flatMap((other) => {
      const [p, q] = [one.atom, other.atom]
      if (p === b || q === a || p === q || at(parts.steps[p] ?? [], q) !== 3) return []
      const isCis = liesCis(parts, rules, { bond, p, q })
      if (isCis === null) return []
      const [r1, r2, r3] = [one.bond, bond, other.bond].map(rules.lengthOf) as [
        number,
        number,
        number,
      ]
      const [atA, atB] = [angleAt(parts, rules, [a, p, b]), angleAt(parts, rules, [b, a, q])]
      const dx = r1 * Math.cos(atA * RADIANS) - (r2 - r3 * Math.cos(atB * RADIANS))
      const dy = r1 * Math.sin(atA * RADIANS) - (isCis ? 1 : -1) * r3 * Math.sin(atB * RADIANS)
      return { i: p, j: q, length: Math.hypot(dx, dy), force: PLANE_FORCE }
    }),
  )
}

type Across = { bond: Bond; p: number; q: number }

/** Null if undefined: a double bond without configuration. */
function liesCis(parts: Parts, rules: Rules, { bond, p, q }: Across): boolean | null {
  const { a, b, sides } = bond
  if (bond.isInRing) {
    const isInOneRing = rules.sharedRing(a, b, p, q) > 0
    return isInOneRing || (rules.sharedRing(a, b, p) === 0 && rules.sharedRing(a, b, q) === 0)
  }
  if (bond.order === 2) {
    if (sides === undefined) return null
    const [named, other] = sides.atoms.map((atom) => atom === p || atom === q)
    return (named === other) === sides.isCis
  }
  return amideLiesCis(parts, rules, { bond, p, q })
}

/** Amides and esters: the first substituent of the heteroatom is on the oxygen's side. */
function amideLiesCis(parts: Parts, rules: Rules, { bond, p, q }: Across): boolean | null {
  const isFirst = at(rules.doubleBonds, bond.a) > 0 && parts.elements[bond.a] === 'C'
  const [carbon, hetero] = isFirst ? [bond.a, bond.b] : [bond.b, bond.a]
  const [onCarbon, onHetero] = isFirst ? [p, q] : [q, p]
  if (at(rules.doubleBonds, carbon) === 0) return null
  const first = neighboursOf(parts, hetero).find((j) => j !== carbon)
  const link = linksOf(parts, carbon).find(({ atom }) => atom === onCarbon)
  return (link?.bond.order === 2) === (onHetero === first)
}

/** Pairs without a spring, which only have to stay apart. */
export function unheldPairs(
  parts: Parts,
  { springs }: IdealGeometry,
): { i: number; j: number; apart: number }[] {
  const count = parts.elements.length
  const held = new Set(springs.map(({ i, j }) => Math.min(i, j) * count + Math.max(i, j)))
  const pairs = []
  for (let i = 0; i < count; i++) {
    for (let j = i + 1; j < count; j++) {
      const steps = at(parts.steps[i] ?? [], j)
      if (held.has(i * count + j) || steps === FAR) continue
      pairs.push({ i, j, apart: steps === 3 ? 2.6 : 3.1 })
    }
  }
  return pairs
}
