/**
 * The scaffolds of a molecule: every set of its ring systems with what links them, down to single ring systems
 * (the scaffold network of Varin et al., J. Chem. Inf. Model. 2011). Atoms doubly bonded to a scaffold belong to it.
 */
import { type MoleculeGraph, readGraph } from '../smiles/molecule-graph.ts'
import type { RdkitModule, RdkitMolecule } from '../smiles/rdkit.ts'

/** `smiles` is canonical, without stereo. */
export type Scaffold = { smiles: string; atoms: number }

/** 2^n sets of n ring systems are examined. */
const RING_SYSTEMS_MAX = 7

/**
 * Cache of written pieces, by their atoms and bonds: compounds of a series share most of them. A caller keeps it for all
 * its molecules.
 */
export type WrittenScaffolds = Map<string, string | null>

/** Empty for a molecule without rings, or with more than seven ring systems. */
export function listScaffolds(
  rdkit: RdkitModule,
  molecule: RdkitMolecule,
  written: WrittenScaffolds,
): Scaffold[] {
  const graph = readGraph(molecule)
  const systems = ringSystems(graph.rings)
  if (systems.length === 0 || systems.length > RING_SYSTEMS_MAX) return []
  const found = new Map<string, Scaffold>()
  for (let kept = 1; kept < 1 << systems.length; kept += 1) {
    const atoms = scaffoldAtoms(graph, systems, kept)
    const smiles = atoms && writeScaffold(rdkit, { graph, kept: atoms }, written)
    if (atoms && smiles) found.set(smiles, { smiles, atoms: atoms.size })
  }
  return [...found.values()]
}

/** Rings that share an atom are one system. */
function ringSystems(rings: number[][]): Set<number>[] {
  const systems: Set<number>[] = []
  for (const ring of rings) {
    const joined = new Set(ring)
    for (let at = systems.length - 1; at >= 0; at -= 1) {
      const system = systems[at]
      if (system === undefined || ![...system].some((atom) => joined.has(atom))) continue
      for (const atom of system) joined.add(atom)
      systems.splice(at, 1)
    }
    systems.push(joined)
  }
  return systems
}

/** Null if the kept systems are linked only through a dropped one. */
function scaffoldAtoms(
  graph: MoleculeGraph,
  systems: Set<number>[],
  kept: number,
): Set<number> | null {
  const isKept = (_: Set<number>, place: number) => ((kept >> place) & 1) === 1
  const fixed = new Set(systems.filter(isKept).flatMap((system) => [...system]))
  const removed = new Set(
    systems.filter((system, place) => !isKept(system, place)).flatMap((system) => [...system]),
  )
  const atoms = new Set([...graph.atoms.keys()].filter((atom) => !removed.has(atom)))
  pruneChains(graph, atoms, fixed)
  if (!isConnected(graph, atoms)) return null
  for (const atom of atoms) {
    for (const { index: to, order } of neighboursOf(graph, atom)) {
      if (order === 2 && neighboursOf(graph, to).length === 1) atoms.add(to)
    }
  }
  return atoms
}

/** Removes terminal atoms until only rings and their linkers remain. */
function pruneChains(graph: MoleculeGraph, atoms: Set<number>, fixed: Set<number>): void {
  const degree = (atom: number) =>
    neighboursOf(graph, atom).filter(({ index: to }) => atoms.has(to)).length
  const ends = [...atoms].filter((atom) => !fixed.has(atom) && degree(atom) <= 1)
  for (let atom = ends.pop(); atom !== undefined; atom = ends.pop()) {
    if (!atoms.delete(atom)) continue
    for (const { index: to } of neighboursOf(graph, atom)) {
      if (atoms.has(to) && !fixed.has(to) && degree(to) <= 1) ends.push(to)
    }
  }
}

function isConnected(graph: MoleculeGraph, atoms: Set<number>): boolean {
  const [first] = atoms
  if (first === undefined) return false
  const reached = new Set([first])
  for (const atom of reached) {
    for (const { index: to } of neighboursOf(graph, atom)) if (atoms.has(to)) reached.add(to)
  }
  return reached.size === atoms.size
}

function neighboursOf(graph: MoleculeGraph, atom: number) {
  return graph.neighbours[atom] ?? []
}

const commonChem = {
  commonchem: { version: 10 },
  defaults: {
    atom: { z: 6, impHs: 0, chg: 0, nRad: 0, isotope: 0, stereo: 'unspecified' },
    bond: { bo: 1, stereo: 'unspecified' },
  },
}

/** Cut bonds become hydrogens. Null if RDKit cannot read the piece. */
function writeScaffold(
  rdkit: RdkitModule,
  { graph, kept }: { graph: MoleculeGraph; kept: Set<number> },
  written: WrittenScaffolds,
): string | null {
  const order = new Map([...kept].toSorted((a, b) => a - b).map((atom, place) => [atom, place]))
  const bonds: { bo: number; atoms: [number, number] }[] = []
  const atoms = [...order].map(([atom, place]) => {
    const { element: z = 6, charge: chg = 0, hydrogens = 0 } = graph.atoms[atom] ?? {}
    let impHs = hydrogens
    for (const { index: to, order: bo } of neighboursOf(graph, atom)) {
      const other = order.get(to)
      if (other === undefined) impHs += bo
      else if (place < other) bonds.push({ bo, atoms: [place, other] })
    }
    return { z, chg, impHs }
  })
  const text = JSON.stringify({ ...commonChem, molecules: [{ atoms, bonds }] })
  const known = written.get(text)
  if (known !== undefined) return known
  using piece = rdkit.get_mol(text)
  const smiles = piece === null ? null : piece.get_smiles()
  written.set(text, smiles)
  return smiles
}
