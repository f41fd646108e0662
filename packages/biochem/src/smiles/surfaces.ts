/** Surfaces as sums over atoms, in Å²: polar (TPSA) and approximate (Labute), as in RDKit. */
import { type ElementData, HYDROGEN } from './element-data.ts'
import type { MoleculeGraph, Neighbour } from './molecule-graph.ts'

/** `other`: the area of an atom that `areas` does not list, less `perBond`, more for each hydrogen. */
type PolarElement = { areas: Map<string, number>; other: number; perBond: number }

/**
 * Ertl, Rohde and Selzer, J. Med. Chem. 2000, 43, 3714. An atom is its bonds (`:` aromatic), hydrogens and charge; a last
 * `3`: in a ring of three atoms.
 */
const polar: Record<number, PolarElement> = {
  7: {
    areas: readAreas(`
      #/0/0 23.79, =/1/0 23.85, -/2/0 26.02, =/2/1 25.59, -/3/1 27.64, -=/0/0 12.36, #=/0/0 13.6, --/1/0/3 21.94,
      --/1/0 12.03, #-/0/1 4.36, -=/1/1 13.97, --/2/1 16.61, ::/0/0 12.89, ::/1/0 15.79, ::/1/1 14.14, ---/0/0/3 3.01,
      ---/0/0 3.24, -==/0/0 11.68, --=/0/1 3.01, ---/1/1 4.44, :::/0/0 4.41, -::/0/0 4.93, ::=/0/0 8.39, :::/0/1 4.1,
      -::/0/1 3.88, ----/0/1 0`),
    other: 30.5,
    perBond: 8.2,
  },
  8: {
    areas: readAreas(`
      =/0/0 17.07, -/1/0 20.23, -/0/-1 23.06, --/0/0/3 12.53, --/0/0 9.23, ::/0/0 13.14`),
    other: 28.5,
    perBond: 8.6,
  },
}
const PER_HYDROGEN = 1.5

function readAreas(text: string): Map<string, number> {
  const entries = text.split(',').map((entry) => entry.trim().split(' '))
  return new Map(entries.map(([atom = '', area]) => [atom, Number(area)]))
}

export function surfaces(graph: MoleculeGraph, data: ElementData[]) {
  return { tpsa: polarSurface(graph), labuteASA: labuteSurface(graph, data) }
}

function polarSurface({ atoms, neighbours, rings }: MoleculeGraph): number {
  const inSmallRing = new Set(rings.filter((ring) => ring.length === 3).flat())
  return atoms.reduce((sum, { element, hydrogens, charge }, at) => {
    const known = polar[element]
    if (known === undefined) return sum
    const around = neighbours[at] ?? []
    const name = `${bondsOf(around)}/${hydrogens}/${charge}`
    const area =
      (inSmallRing.has(at) ? known.areas.get(`${name}/3`) : undefined) ?? known.areas.get(name)
    const other = known.other - around.length * known.perBond + hydrogens * PER_HYDROGEN
    return sum + (area ?? Math.max(0, other))
  }, 0)
}

function bondsOf(around: Neighbour[]): string {
  const signs = around.map(({ order, isAromatic }) => (isAromatic ? ':' : ('?-=#'[order] ?? '?')))
  return signs.toSorted().join('')
}

/** How much shorter than the sum of radii an aromatic bond is, and one of order 1, 2 or 3; Å. */
const AROMATIC_SHORTER = 0.1
const SHORTER = [0, 0, 0.2, 0.3]

/** Labute, J. Mol. Graph. Model. 2000, 18, 464; each atom is overlapped by its neighbours and by one hydrogen. */
function labuteSurface({ neighbours }: MoleculeGraph, data: ElementData[]): number {
  let hydrogen = 0
  const atoms = data.reduce((sum, { radius }, at) => {
    let overlap = 0
    for (const { index, order, isAromatic } of neighbours[at] ?? []) {
      const other = data[index]?.radius ?? 0
      const shorter = isAromatic ? AROMATIC_SHORTER : (SHORTER[order] ?? 0)
      overlap += overlapOf(radius, other, radius + other - shorter)
    }
    overlap += overlapOf(radius, HYDROGEN.radius, radius + HYDROGEN.radius)
    hydrogen += overlapOf(HYDROGEN.radius, radius, radius + HYDROGEN.radius)
    return sum + surfaceOf(radius, overlap)
  }, 0)
  return atoms + surfaceOf(HYDROGEN.radius, hydrogen)
}

/** Of an atom by another one at this distance. */
function overlapOf(radius: number, other: number, distance: number): number {
  const apart = Math.min(Math.max(Math.abs(radius - other), distance), radius + other)
  return other ** 2 - (radius - apart) ** 2 / apart
}

function surfaceOf(radius: number, overlap: number): number {
  return Math.PI * radius * (4 * radius - overlap)
}
