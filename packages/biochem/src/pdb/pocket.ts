/**
 * The pocket shown in the file: the drug-like ligand with most residues around it, the chain that lines it, and the
 * metals and cofactors near it.
 */
import { cofactors, isAdditive, isSugar } from './residue-names.ts'
import {
  type Atom,
  type Chain,
  chainSegments,
  knownResidues,
  type Ligand,
  longestProteinChain,
  type Structure,
} from './structure.ts'

export type Pocket = {
  /** Name of the ligand. */
  ligand: string
  chain: Chain
  /** Residues of the chain within reach of the ligand. */
  residues: number
  /** Elements of single atoms, and names of cofactors, within reach of the ligand; each once. */
  metals: string[]
  cofactors: string[]
}

/** In Å, between atoms that are not hydrogen. */
const REACH = 4.5
const HEAVY_ATOMS_MIN = 10
/** With fewer, a molecule is on the surface. */
const RESIDUES_MIN = 5
/** Copies in a crystal are the same pocket; a file may contain thousands. */
const LIGANDS_MAX = 12
const LIGAND_ATOMS_MAX = 100

/** Null if the file has no drug-like ligand, or none in a protein chain. */
export function findPocket({ chains, ligands }: Structure): Pocket | null {
  let pocket: { ligand: Ligand; chain: Chain; residues: number } | null = null
  const proteins = chains.filter(({ kind }) => kind === 'protein')
  for (const ligand of ligands.filter(isDrugLike).slice(0, LIGANDS_MAX)) {
    const around = within(heavyAtoms(ligand))
    for (const chain of proteins) {
      const residues = chain.residues.filter(({ atoms }) => atoms.some(around)).length
      if (residues >= Math.max(RESIDUES_MIN, (pocket?.residues ?? 0) + 1)) {
        pocket = { ligand, chain, residues }
      }
    }
  }
  if (pocket === null) return null
  const around = within(heavyAtoms(pocket.ligand))
  const beside = ligands.filter((one) => one !== pocket.ligand && one.atoms.some(around))
  return {
    ligand: pocket.ligand.name,
    chain: pocket.chain,
    residues: pocket.residues,
    metals: namesOf(beside.filter(isMetal)),
    cofactors: namesOf(beside.filter(({ name }) => cofactors.has(name))),
  }
}

/** The default chain for predictions: the longest protein chain, or another protein that lines a drug-like ligand. */
export function defaultChain(structure: Structure): Chain | null {
  const longest = longestProteinChain(structure)
  const lining = findPocket(structure)?.chain
  // Copies of one chain are the same target: which one contains the ligand is chance.
  if (longest === null || lining === undefined || isCopy(lining, longest)) return longest
  return knownResidues(lining) < CHAIN_RESIDUES_MIN ? longest : lining
}

/** A shorter one is a peptide near the ligand. */
const CHAIN_RESIDUES_MIN = 30

/** Compares the residues observed in both: ends and loops may be visible in one copy only. */
function isCopy(one: Chain, other: Chain): boolean {
  if (one === other) return true
  if (one.seqres !== null && one.seqres === other.seqres) return true
  const [pieces, whole] = [chainSegments(one), chainSegments(other).join('')]
  const shared = pieces.filter((piece) => whole.includes(trimmed(piece)))
  return lengthOf(shared) > lengthOf(pieces) / 2
}

const TRIMMED = 5

function trimmed(piece: string): string {
  return piece.length > 4 * TRIMMED ? piece.slice(TRIMMED, -TRIMMED) : piece
}

function lengthOf(pieces: string[]): number {
  return pieces.reduce((sum, { length }) => sum + length, 0)
}

function isDrugLike(ligand: Ligand): boolean {
  const { name } = ligand
  if (isAdditive(name) || isSugar(name) || cofactors.has(name)) return false
  const atoms = heavyAtoms(ligand)
  return (
    atoms.length >= HEAVY_ATOMS_MIN &&
    atoms.length <= LIGAND_ATOMS_MAX &&
    atoms.some(({ element }) => element === 'C')
  )
}

function heavyAtoms({ atoms }: Ligand): Atom[] {
  return atoms.filter(({ element }) => element !== 'H' && element !== 'D')
}

const metals = new Set('LI NA MG AL K CA V CR MN FE CO NI CU ZN MO CD PT AU HG'.split(' '))

function isMetal({ atoms }: Ligand): boolean {
  return atoms.length === 1 && metals.has(atoms[0]?.element ?? '')
}

function namesOf(ligands: Ligand[]): string[] {
  return [...new Set(ligands.map(({ name }) => name))].toSorted()
}

/** Whether an atom is within reach of one of these; a bounding box excludes distant ones quickly. */
function within(atoms: Atom[]): (atom: Atom) => boolean {
  const box = (['x', 'y', 'z'] as const).map((axis) => {
    const all = atoms.map((atom) => atom[axis])
    return { axis, from: Math.min(...all) - REACH, to: Math.max(...all) + REACH }
  })
  return (atom) =>
    atom.element !== 'H' &&
    box.every(({ axis, from, to }) => atom[axis] >= from && atom[axis] <= to) &&
    atoms.some((one) => Math.hypot(one.x - atom.x, one.y - atom.y, one.z - atom.z) <= REACH)
}
