/** Indices of connectivity and shape: Hall and Kier, Rev. Comput. Chem. 1991, 2, 367, as in RDKit. */
import { CARBON_RADIUS, type ElementData } from './element-data.ts'
import { type Hybrid, readHybrids, SECOND_ROW_END } from './hybridisation.ts'
import type { MoleculeGraph } from './molecule-graph.ts'
import { walkPaths } from './walk-paths.ts'

const LONGEST_PATH = 4

/** `data`: by atom. */
export function shapeIndices(graph: MoleculeGraph, data: ElementData[]): Record<string, number> {
  const paths = sumPaths(graph, weigh(graph, data, false), weigh(graph, data, true))
  const hybrids = readHybrids(graph, data)
  const alpha = hybrids.reduce(
    (sum, hybrid, at) =>
      sum + alphaOf(graph.atoms[at]?.element ?? 0, hybrid, data[at]?.radius ?? 0),
    0,
  )
  const atoms = graph.atoms.length
  const size = atoms + alpha
  const [, bonds = 0, pairs = 0, triples = 0] = paths.counts
  const kappa1 = ratio(size * (size - 1) ** 2, bonds + alpha)
  const kappa2 = ratio((size - 1) * (size - 2) ** 2, pairs + alpha)
  const kappa3 = ratio((size - (atoms % 2 === 1 ? 1 : 2)) * (size - 3) ** 2, triples + alpha)
  return {
    ...Object.fromEntries(paths.simple.map((sum, length) => [`chi${length}n`, sum])),
    ...Object.fromEntries(paths.valence.map((sum, length) => [`chi${length}v`, sum])),
    hallKierAlpha: alpha,
    kappa1,
    kappa2,
    kappa3,
    Phi: (kappa1 * kappa2) / atoms,
  }
}

function ratio(above: number, root: number): number {
  return root === 0 ? 0 : above / root ** 2
}

/** By atom: δ^-½ of its outer electrons that bind no hydrogen; `isShared`: divided among its inner electrons from the third row on. */
function weigh({ atoms }: MoleculeGraph, data: ElementData[], isShared: boolean): number[] {
  return atoms.map(({ element, hydrogens }, at) => {
    const outer = data[at]?.outerElectrons ?? 0
    const inner = isShared && element > SECOND_ROW_END ? element - outer - 1 : 1
    const delta = (outer - hydrogens) / inner
    return delta === 0 ? 0 : 1 / Math.sqrt(delta)
  })
}

/** By length of a path, in bonds up to four: number of paths, and sums of the products of their atoms' weights. */
type Paths = { counts: number[]; simple: number[]; valence: number[] }

/** A path that ends at its first atom counts it once. */
function sumPaths(graph: MoleculeGraph, simple: number[], valence: number[]): Paths {
  const sums: Paths = { counts: [], simple: [], valence: [] }
  for (const all of Object.values(sums)) all.push(0, 0, 0, 0, 0)
  const add = (all: number[], length: number, value: number) => {
    all[length] = (all[length] ?? 0) + value
  }
  walkPaths(graph, LONGEST_PATH, (path) => {
    const length = path.length - 1
    const isRing = length > 0 && path[0] === path[length]
    let [ofSimple, ofValence] = [1, 1]
    for (let at = 0; at < path.length - Number(isRing); at += 1) {
      const atom = path[at] as number
      ofSimple *= simple[atom] as number
      ofValence *= valence[atom] as number
    }
    add(sums.counts, length, 1)
    add(sums.simple, length, ofSimple)
    add(sums.valence, length, ofValence)
  })
  return sums
}

/** How much larger than a carbon in sp3 an atom is, in relation to it. */
const alphas: Record<number, { sp?: number; sp2?: number; other: number }> = {
  6: { sp: -0.22, sp2: -0.13, other: 0 },
  7: { sp: -0.29, sp2: -0.2, other: -0.04 },
  8: { sp2: -0.2, other: -0.04 },
  9: { other: -0.07 },
  15: { sp2: 0.3, other: 0.43 },
  16: { sp2: 0.22, other: 0.35 },
  17: { other: 0.29 },
  35: { other: 0.48 },
  53: { other: 0.73 },
}

function alphaOf(element: number, hybrid: Hybrid, radius: number): number {
  const known = alphas[element]
  if (known === undefined) return radius / CARBON_RADIUS - 1
  return (hybrid === 'sp' || hybrid === 'sp2' ? known[hybrid] : undefined) ?? known.other
}
