/**
 * RDKit's fingerprints, bit for bit, in a fraction of its time. Each is a list of hashed identifiers of parts of the molecule,
 * folded to bits: Morgan (Rogers and Hahn, J. Chem. Inf. Model. 2010, 50, 742), atom pairs (Carhart et al., J. Chem. Inf. Comput.
 * Sci. 1985, 25, 64) and topological torsions (Nilakantan et al., J. Chem. Inf. Comput. Sci. 1987, 27, 82).
 */
import { type ElementData, readElements } from '../smiles/element-data.ts'
import { readHybrids } from '../smiles/hybridisation.ts'
import { type MoleculeGraph, type Neighbour, readRings } from '../smiles/molecule-graph.ts'
import { walkPaths } from '../smiles/walk-paths.ts'

/** Identifiers, 32 bits each. */
export type MoleculeParts = {
  /** Environments of atoms: up to two bonds around each, every set of bonds once. */
  environments: number[]
  /** Pairs of atoms with their distance in bonds. */
  pairs: number[]
  /** Paths of four atoms, and rings of three. */
  torsions: number[]
}

/** Null for a molecule that is left to RDKit. */
export function readParts(graph: MoleculeGraph): MoleculeParts | null {
  const data = readElements(graph)
  if (data === null) return null
  const codes = codeAtoms(graph, data)
  return {
    environments: identifyEnvironments(graph),
    pairs: identifyPairs(graph, codes),
    torsions: identifyTorsions(graph, codes),
  }
}

/** Each slot has four bits, set from these counts on. */
const COUNTS = [1, 2, 4, 8]
const PRESENCE = [1]

/** Positions of the set bits, ascending; `isCounted`: with four bits for how many identifiers fall on a slot. */
export function fold(ids: number[], size: number, isCounted: boolean): number[] {
  const bounds = isCounted ? COUNTS : PRESENCE
  const slots = size / bounds.length
  const counts = new Uint16Array(slots)
  for (const id of ids) counts[id % slots] = (counts[id % slots] as number) + 1
  const positions: number[] = []
  for (let slot = 0; slot < slots; slot += 1) {
    const count = counts[slot] as number
    for (let bit = 0; bit < bounds.length && count >= (bounds[bit] as number); bit += 1) {
      positions.push(slot * bounds.length + bit)
    }
  }
  return positions
}

/** Adds a value to a hash of 32 bits. */
function combine(hash: number, value: number): number {
  return (hash ^ (value + 0x9e3779b9 + (hash << 6) + (hash >>> 2))) >>> 0
}

const RADIUS = 2
const AROMATIC = 12

function identifyEnvironments(graph: MoleculeGraph): number[] {
  const { neighbours } = graph
  const seen = new Set<string>()
  let alive = [...neighbours.keys()].filter((atom) => (neighbours[atom] as Neighbour[]).length > 0)
  let ids = identifyAtoms(graph)
  let around = markBonds(neighbours)
  const found = [...ids]
  for (let layer = 0; layer < RADIUS; layer += 1) {
    const next = ids.map(() => 0)
    for (const atom of alive) {
      next[atom] = identifyLayer(layer, ids[atom] as number, ids, neighbours[atom] as Neighbour[])
    }
    // Of atoms with the same bonds around them, the one with the lowest identifier stays.
    alive = alive
      .toSorted((one, other) => (next[one] as number) - (next[other] as number))
      .filter((atom) => {
        const name = (around[atom] as Int32Array).join()
        if (seen.has(name)) return false
        seen.add(name)
        found.push(next[atom] as number)
        return true
      })
    ids = next
    if (layer + 1 < RADIUS) around = widen(around, neighbours)
  }
  return found
}

/** By atom: a bit for each of its bonds, in words of 32. */
function markBonds(neighbours: Neighbour[][]): Int32Array[] {
  const ends = neighbours.flatMap((around, atom) =>
    around.flatMap(({ index }) => (atom < index ? [[atom, index]] : [])),
  )
  const marks = neighbours.map(() => new Int32Array(Math.ceil(ends.length / 32)))
  for (const [bond, atoms] of ends.entries()) {
    for (const atom of atoms) {
      const words = marks[atom] as Int32Array
      words[bond >> 5] = (words[bond >> 5] as number) | (1 << (bond & 31))
    }
  }
  return marks
}

/** Adds to the bits of each atom those of its neighbours. */
function widen(marks: Int32Array[], neighbours: Neighbour[][]): Int32Array[] {
  return marks.map((own, atom) =>
    own.map((word, at) =>
      (neighbours[atom] as Neighbour[]).reduce(
        (sum, { index }) => sum | (marks[index]?.[at] as number),
        word,
      ),
    ),
  )
}

function identifyAtoms(graph: MoleculeGraph): number[] {
  const rings = readRings(graph).counts
  return graph.atoms.map(({ element, hydrogens, charge }, at) => {
    const connections = hydrogens + (graph.neighbours[at]?.length ?? 0)
    const facts = [element, connections, hydrogens, charge >>> 0, 0]
    if ((rings[at] as number) > 0) facts.push(1)
    return facts.reduce(combine, 0)
  })
}

const TWO_WORDS = 2 ** 32

/** `own`: the identifier of the atom in the layer before, `ids`: those of all atoms. */
function identifyLayer(layer: number, own: number, ids: number[], around: Neighbour[]): number {
  const ways = around.map(
    ({ index, order, isAromatic }) =>
      (isAromatic && order < 3 ? AROMATIC : order) * TWO_WORDS + (ids[index] as number),
  )
  return ways
    .toSorted((one, other) => one - other)
    .reduce(
      (hash, way) => combine(hash, combine(combine(0, Math.floor(way / TWO_WORDS)), way >>> 0)),
      combine(layer, own),
    )
}

/** RDKit's order of elements. */
const CODED = [5, 6, 7, 8, 9, 14, 15, 16, 17, 33, 34, 35, 51, 52, 53]
const [BRANCH_BITS, PI_BITS, ELEMENT_BITS] = [3, 2, 4]
const MAX_BRANCHES = 2 ** BRANCH_BITS - 1
const MAX_PI = 2 ** PI_BITS - 1
const CODES = 2 ** (BRANCH_BITS + PI_BITS + ELEMENT_BITS) - 1

/** By atom: element, pi electrons and number of bonded atoms in nine bits. `data`: by atom. */
function codeAtoms(graph: MoleculeGraph, data: ElementData[]): number[] {
  const hybrids = readHybrids(graph, data)
  return graph.atoms.map(({ element, isAromatic }, at) => {
    const around = graph.neighbours[at] ?? []
    const further = around.reduce((sum, { order }) => sum + order - 1, 0)
    const pi = isAromatic ? 1 : hybrids[at] === 'sp3' ? 0 : further
    const kind = CODED.indexOf(element)
    const branches = around.length % MAX_BRANCHES
    return branches | ((pi % MAX_PI) << BRANCH_BITS) | (kind << (BRANCH_BITS + PI_BITS))
  })
}

const LONGEST_DISTANCE = 30

function identifyPairs({ neighbours }: MoleculeGraph, codes: number[]): number[] {
  const ids: number[] = []
  const around = neighbours.map((some) => some.map(({ index }) => index))
  const distances = new Int16Array(codes.length)
  for (const [start, one] of codes.entries()) {
    for (const atom of reachFrom(start, around, distances)) {
      const other = codes[atom] as number
      if (atom > start) ids.push(identifyPair(one, other, distances[atom] as number))
    }
  }
  return ids
}

/** Atoms up to the longest distance, nearest first; `distances` gets theirs. */
function reachFrom(start: number, around: number[][], distances: Int16Array): number[] {
  distances.fill(-1)
  distances[start] = 0
  const reached = [start]
  for (const atom of reached) {
    const distance = distances[atom] as number
    const isLast = distance === LONGEST_DISTANCE
    for (const next of isLast ? [] : (around[atom] as number[])) {
      if (distances[next] === -1) reached.push(next)
      if (distances[next] === -1) distances[next] = distance + 1
    }
  }
  return reached
}

function identifyPair(one: number, other: number, distance: number): number {
  return combine(combine(combine(0, Math.min(one, other)), distance), Math.max(one, other))
}

const TORSION_BONDS = 3

function identifyTorsions(graph: MoleculeGraph, codes: number[]): number[] {
  const ids: number[] = []
  walkPaths(graph, TORSION_BONDS, (path) => {
    if (path.length <= TORSION_BONDS) return
    const [a = 0, b = 0, c = 0, d = 0] = path.map((atom, at) => {
      // Without its bonds in the path. RDKit wraps what is below 0: the code of a boron at an end.
      const code = (((codes[atom] as number) - 2) >>> 0) % CODES
      return at === 0 || at === TORSION_BONDS ? code + 1 : code
    })
    const isReversed = a === d ? b > c : a > d
    ids.push((isReversed ? [d, c, b, a] : [a, b, c, d]).reduce(combine, 0))
  })
  return ids
}
