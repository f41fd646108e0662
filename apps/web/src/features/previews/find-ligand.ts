/** Finds the ligand of a structure, and the residues near it. */

export type Atom = {
  chain: string
  resn: string
  resi: number
  isHetero: boolean
  x: number
  y: number
  z: number
}

/** `atoms`: all of its atoms; `near`: the protein residues nearby. */
export type Ligand = { name: string; atoms: Atom[]; near: { chain: string; resi: number }[] }

const NEAR_ANGSTROM = 5
const LIGAND_ATOMS_MIN = 6

/** Water, ions, and additives of crystallisation. */
const notLigands = new Set(
  'HOH WAT DOD NA K CL MG CA ZN MN FE NI CO CU CD IOD BR SO4 PO4 GOL EDO PEG PG4 ACT DMS MES TRS MSE SEP TPO PTR'.split(
    ' ',
  ),
)

/** The largest ligand, in the used chain if it is also there; null if there is none. */
export function findLigand(atoms: Atom[], usedChain: string): Ligand | null {
  const molecules = Map.groupBy(
    atoms.filter(({ isHetero, resn }) => isHetero && !notLigands.has(resn)),
    ({ chain, resn, resi }) => `${chain} ${resn} ${resi}`,
  )
  const [found] = [...molecules.values()].toSorted(
    (a, b) => b.length - a.length || Number(isIn(b, usedChain)) - Number(isIn(a, usedChain)),
  )
  const first = found?.[0]
  if (found === undefined || first === undefined || found.length < LIGAND_ATOMS_MIN) return null
  const chain = first.chain.trim() === '' ? '' : `, chain ${first.chain}`
  const name = `${first.resn} (residue ${first.resi}${chain})`
  return { name, atoms: found, near: residuesNear(atoms, found) }
}

function isIn([first]: Atom[], chain: string): boolean {
  return first?.chain === chain
}

function residuesNear(atoms: Atom[], ligand: Atom[]) {
  const near = new Map<string, { chain: string; resi: number }>()
  for (const atom of atoms) {
    const { chain, resi } = atom
    const key = `${chain} ${resi}`
    if (atom.isHetero || near.has(key)) continue
    if (ligand.some((other) => isNear(atom, other))) near.set(key, { chain, resi })
  }
  return [...near.values()]
}

function isNear(one: Atom, other: Atom): boolean {
  return Math.hypot(one.x - other.x, one.y - other.y, one.z - other.z) <= NEAR_ANGSTROM
}
