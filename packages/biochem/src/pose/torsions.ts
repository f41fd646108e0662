/** Rotatable bonds, and the atoms they move. */
import { type Bond, linksOf, type Parts } from './molecule-parts.ts'
import { at, between, type Points } from './points.ts'

/** `moving` rotates about the axis from `a` to `b`. */
export type Torsion = { a: number; b: number; moving: Int32Array }

/** Single bonds outside rings whose ends both have other neighbours, except amides. */
export function turningBonds(parts: Parts): Bond[] {
  return parts.bonds.filter((bond) => {
    if (bond.order !== 1 || bond.isAromatic || bond.isInRing) return false
    const isInner = [bond.a, bond.b].every((end) => linksOf(parts, end).length > 1)
    return isInner && !isStraight(parts, bond) && !isAmide(parts, bond)
  })
}

function isStraight(parts: Parts, { a, b }: Bond): boolean {
  return [a, b].some((end) => linksOf(parts, end).some(({ bond }) => bond.order === 3))
}

function isAmide(parts: Parts, { a, b }: Bond): boolean {
  const isCarbonyl = (end: number) =>
    parts.elements[end] === 'C' &&
    linksOf(parts, end).some(
      ({ atom, bond }) =>
        bond.order === 2 &&
        !bond.isAromatic &&
        (parts.elements[atom] === 'O' || parts.elements[atom] === 'S'),
    )
  return (
    (isCarbonyl(a) && parts.elements[b] === 'N') || (isCarbonyl(b) && parts.elements[a] === 'N')
  )
}

/** Atoms on b's side of the bond, without b, which is on the axis. */
function atomsBeyond(parts: Parts, a: number, b: number): Int32Array {
  const seen = new Set([b])
  for (const i of seen) {
    for (const { atom } of linksOf(parts, i)) if (i !== b || atom !== a) seen.add(atom)
  }
  seen.delete(b)
  return Int32Array.from(seen).sort()
}

/** All of them, from the middle of the molecule outward. */
export function torsionsOf(parts: Parts, turning: Bond[]): Torsion[] {
  const reach = parts.steps.map((steps) => Math.max(...steps))
  const middle = parts.steps[reach.indexOf(Math.min(...reach))] ?? new Int32Array()
  return turning
    .map(({ a, b }) => (at(middle, a) > at(middle, b) ? { a: b, b: a } : { a, b }))
    .map(({ a, b }) => ({ a, b, moving: atomsBeyond(parts, a, b) }))
    .filter(({ moving }) => moving.length > 0)
    .toSorted((one, other) => at(middle, one.a) - at(middle, other.a))
}

/** Those that move no atom of the core, from the core outward. */
export function freeTorsions(parts: Parts, turning: Bond[], core: number[]): Torsion[] {
  const held = new Set(core)
  const isFree = ({ moving }: Torsion) => moving.length > 0 && !moving.some((i) => held.has(i))
  const depth = ({ a }: Torsion) => Math.min(...core.map((i) => at(parts.steps[i] ?? [], a)))
  return turning
    .flatMap(({ a, b }) => {
      const either = [
        { a, b, moving: atomsBeyond(parts, a, b) },
        { a: b, b: a, moving: atomsBeyond(parts, b, a) },
      ]
      return either.find(isFree) ?? []
    })
    .toSorted((one, other) => depth(one) - depth(other))
}

/** Pairs of atoms four or more bonds apart that some torsion moves relative to each other, as a flat list. */
export function movingPairs(parts: Parts, torsions: Torsion[]): Int32Array {
  const count = parts.elements.length
  const rigid = Array.from({ length: count }, () => '')
  for (const [place, { moving }] of torsions.entries()) {
    for (const i of moving) rigid[i] = `${rigid[i] ?? ''},${place}`
  }
  const pairs: number[] = []
  for (let i = 0; i < count; i++) {
    for (let j = i + 1; j < count; j++) {
      if (at(parts.steps[i] ?? [], j) >= 4 && rigid[i] !== rigid[j]) pairs.push(i, j)
    }
  }
  return Int32Array.from(pairs)
}

/** In place, by an angle in radians. */
export function turn(x: Points, { a, b, moving }: Torsion, angle: number): void {
  const [ox, oy, oz] = [x[3 * b] as number, x[3 * b + 1] as number, x[3 * b + 2] as number]
  const axis = between(x, a, b)
  const length = Math.hypot(...axis)
  const [ux, uy, uz] = [axis[0] / length, axis[1] / length, axis[2] / length]
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)]
  for (let m = 0; m < moving.length; m++) {
    const i = 3 * (moving[m] as number)
    const [px, py, pz] = [
      (x[i] as number) - ox,
      (x[i + 1] as number) - oy,
      (x[i + 2] as number) - oz,
    ]
    const along = (ux * px + uy * py + uz * pz) * (1 - cos)
    x[i] = ox + px * cos + (uy * pz - uz * py) * sin + ux * along
    x[i + 1] = oy + py * cos + (uz * px - ux * pz) * sin + uy * along
    x[i + 2] = oz + pz * cos + (ux * py - uy * px) * sin + uz * along
  }
}
