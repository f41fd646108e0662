/** Finds bonds by distance. PDB files list none between the atoms of a ligand, and mmCIF files few. */
import type { Atom } from './structure.ts'

/** In Å. */
const covalentRadii: Readonly<Record<string, number>> = {
  C: 0.76,
  N: 0.71,
  O: 0.66,
  F: 0.57,
  S: 1.05,
  P: 1.07,
  CL: 1.02,
  BR: 1.2,
  I: 1.39,
  B: 0.84,
  SI: 1.11,
}
const OTHER_RADIUS = 0.9
const SLACK = 0.4
const HYDROGEN_BOND_MAX = 1.3

/** The longest distance at which two atoms count as bonded. */
export function bondMax(one: string, other: string): number {
  if (one === 'H' || other === 'H') return one === other ? 0 : HYDROGEN_BOND_MAX
  return radiusOf(one) + radiusOf(other) + SLACK
}

function radiusOf(element: string): number {
  return covalentRadii[element] ?? OTHER_RADIUS
}

/** Elements that bond covalently; metals are coordinated at similar distances. */
export function isCovalent(element: string): boolean {
  return element in covalentRadii || element === 'SE'
}

/** Above any distance of two bonded atoms, so that neighbouring cells contain all bonds. */
const SIDE = 3.2
/** Far above what fits into a cell: a file with more has no sound coordinates, and must not take quadratic time. */
const CELL_ATOMS_MAX = 20

/** All pairs of atoms within 3.2 Å, as indices, the smaller first. */
export function closePairs(atoms: readonly Atom[]): { a: number; b: number; length: number }[] {
  const cells = new Map<number, number[]>()
  const pairs: { a: number; b: number; length: number }[] = []
  for (const [b, atom] of atoms.entries()) {
    const [i = 0, j = 0, k = 0] = [atom.x, atom.y, atom.z].map((value) => Math.floor(value / SIDE))
    const near = shifts.flatMap(([di, dj, dk]) => cells.get(cellOf(i + di, j + dj, k + dk)) ?? [])
    for (const a of near) {
      const length = gapBetween(atoms[a], atom)
      if (length <= SIDE) pairs.push({ a, b, length })
    }
    const key = cellOf(i, j, k)
    const cell = cells.get(key)
    if (cell === undefined) cells.set(key, [b])
    else if (cell.length < CELL_ATOMS_MAX) cell.push(b)
  }
  return pairs
}

const shifts = [-1, 0, 1].flatMap((i) =>
  [-1, 0, 1].flatMap((j) => [-1, 0, 1].map((k) => [i, j, k] as const)),
)

/** Coordinates are below 10,000 Å. */
const CELLS = 8_192

function cellOf(i: number, j: number, k: number): number {
  return (i * CELLS + j) * CELLS + k
}

function gapBetween(one: Atom | undefined, other: Atom): number {
  if (one === undefined) return Infinity
  return Math.hypot(one.x - other.x, one.y - other.y, one.z - other.z)
}

/** Sorts the places 0 to `count` - 1 into groups connected by the links; places keep their order. */
export function connectedGroups(
  count: number,
  links: readonly { a: number; b: number }[],
): number[][] {
  const parents = Array.from({ length: count }, (_, place) => place)
  const rootOf = (place: number): number => {
    let root = place
    while (parents[root] !== root) {
      const next = parents[parents[root] ?? root] ?? root
      parents[root] = next
      root = next
    }
    return root
  }
  for (const { a, b } of links) {
    const [one, other] = [rootOf(a), rootOf(b)]
    parents[Math.max(one, other)] = Math.min(one, other)
  }
  return [...Map.groupBy(parents.keys(), rootOf).values()]
}
