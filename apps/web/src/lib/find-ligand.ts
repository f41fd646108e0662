/** Finds the ligand of a structure in the atoms of its 3D view, and the residues near it. */

export type Atom = {
  chain: string
  resn: string
  resi: number
  isHetero: boolean
  x: number
  y: number
  z: number
}

/** An atom of the 3D view. */
type Shown = Partial<
  Record<'chain' | 'resn', string> & Record<'resi' | 'x' | 'y' | 'z', number>
> & {
  hetflag?: boolean
}

export function readAtoms(shown: Shown[]): Atom[] {
  return shown.map(
    ({ chain = '', resn = '', resi = 0, hetflag = false, x = 0, y = 0, z = 0 }: Shown) => {
      return { chain, resn: resn.trim(), resi: Number(resi), isHetero: hetflag, x, y, z }
    },
  )
}

/** Selects every residue of atoms. */
export function residuesOf(atoms: Atom[]) {
  const residues = new Map(
    atoms.map((atom) => {
      const { chain, resn, resi, isHetero } = atom
      return [keyOf(atom), { chain, resn, resi, hetflag: isHetero }]
    }),
  )
  return { or: [...residues.values()] }
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

/** The largest ligand with the residues bonded to it, in the used chain if it is also there; null if there is none. */
export function findLigand(atoms: Atom[], usedChain: string): Ligand | null {
  const molecules = Map.groupBy(
    atoms.filter(({ isHetero, resn }) => isHetero && !notLigands.has(resn)),
    keyOf,
  )
  const [found] = [...molecules.values()].toSorted(
    (a, b) => b.length - a.length || Number(isIn(b, usedChain)) - Number(isIn(a, usedChain)),
  )
  const first = found?.[0]
  if (found === undefined || first === undefined || found.length < LIGAND_ATOMS_MIN) return null
  const chain = first.chain.trim() === '' ? '' : `, chain ${first.chain}`
  const whole = withBonded(atoms, found, usedChain)
  const names = new Map(whole.map((atom) => [keyOf(atom), atom.resn]))
  const name = `${[...names.values()].join('-')} (residue ${whole[0]?.resi}${chain})`
  return { name, atoms: whole, near: residuesNear(atoms, whole) }
}

/**
 * The atoms of a ligand as the server names it: `STI 201 A`, or `02J-ALA-PJE 1 C` for several residues, which may have
 * any numbers. A blank chain is `_`.
 */
export function findNamed(atoms: Atom[], reference: string, usedChain: string): Atom[] {
  const [name = '', number = '', chain = ''] = reference.split(' ')
  const [first = '', ...others] = name.split('-')
  const same = atoms.filter(
    (atom) => atom.resn === first && atom.resi === Number.parseInt(number, 10),
  )
  const own = same.filter((atom) => atom.chain === (chain === '_' ? '' : chain))
  const found = own.length > 0 ? own : same
  return others.length === 0 ? found : withBonded(atoms, found, usedChain)
}

function keyOf({ chain, resn, resi }: Atom): string {
  return `${chain} ${resn} ${resi}`
}

/** In Å, for atoms of two residues. */
const BOND_ANGSTROM = 1.8
const OVERLAP_ANGSTROM = 1
/** A chain of more residues is a protein, as on the server. */
const PEPTIDE_RESIDUES_MAX = 12

/** Residues of one ligand, as in a peptide with unusual ends, by number. Water, additives and proteins are no part of it. */
function withBonded(atoms: Atom[], ligand: Atom[], usedChain: string): Atom[] {
  const lengths = new Map<string, Set<number>>()
  for (const { chain, resi, isHetero } of atoms) {
    if (isHetero) continue
    lengths.set(chain, (lengths.get(chain) ?? new Set()).add(resi))
  }
  const parts = Map.groupBy(
    atoms.filter(
      ({ isHetero, resn, chain }) =>
        !notLigands.has(resn) &&
        (isHetero ||
          (chain !== usedChain && (lengths.get(chain)?.size ?? 0) <= PEPTIDE_RESIDUES_MAX)),
    ),
    keyOf,
  )
  const whole = [ligand]
  for (const atom of ligand) parts.delete(keyOf(atom))
  for (const part of whole) {
    for (const [key, other] of parts) {
      if (!isBonded(part, other)) continue
      parts.delete(key)
      whole.push(other)
    }
  }
  return whole.flat().toSorted((one, other) => one.resi - other.resi)
}

function isIn([first]: Atom[], chain: string): boolean {
  return first?.chain === chain
}

function residuesNear(atoms: Atom[], ligand: Atom[]) {
  const near = new Map<string, { chain: string; resi: number }>()
  const own = new Set(ligand.map(keyOf))
  for (const atom of atoms) {
    const { chain, resi } = atom
    const key = `${chain} ${resi}`
    if (atom.isHetero || near.has(key) || own.has(keyOf(atom))) continue
    if (ligand.some((other) => isWithin(atom, other, NEAR_ANGSTROM))) near.set(key, { chain, resi })
  }
  return [...near.values()]
}

/** Atoms in one place are alternates. */
function isBonded(one: Atom[], other: Atom[]): boolean {
  const isNear = (most: number) =>
    one.some((atom) => other.some((another) => isWithin(atom, another, most)))
  return isNear(BOND_ANGSTROM) && !isNear(OVERLAP_ANGSTROM)
}

function isWithin(one: Atom, other: Atom, most: number): boolean {
  return Math.hypot(one.x - other.x, one.y - other.y, one.z - other.z) <= most
}
