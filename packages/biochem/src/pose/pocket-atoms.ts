/** The atoms around a reference ligand that compounds are scored against, typed for Vina, with names for contacts. */
import { isAdditive } from '../pdb/residue-names.ts'
import type { Atom, Structure } from '../pdb/structure.ts'
import { at, type Points } from './points.ts'
import { ACCEPTOR, DONOR, halogens, HYDROPHOBIC, metals, Surroundings, vinaRadius } from './vina.ts'

type PocketAtom = {
  /** In chemists' notation, for example `ASP 381`. */
  residue: string
  chain: string
  name: string
  element: string
}

export type PreparedPocket = { surroundings: Surroundings; atoms: PocketAtom[] }

const REACH = 16
/** The type of atoms at the rim depends on their neighbours. */
const MARGIN = 3
const BOND_MAX = 1.9
const HYDROGEN_REACH = 1.3
/** Closer to the ligand than any contact: an alternate location of the ligand itself. */
const OVERLAP = 0.6
/** A file with fewer around the ligand is treated as one without hydrogens. */
const HYDROGENS_MIN = 10

/** Nitrogens and oxygens with a hydrogen, for files without hydrogens. */
const donors = new Set(
  ['ARG NE', 'ARG NH1', 'ARG NH2', 'LYS NZ', 'ASN ND2', 'GLN NE2', 'TRP NE1', 'SER OG'].concat([
    'THR OG1',
    'TYR OH',
    'HIS ND1',
    'HIS NE2',
  ]),
)
/** Without hydrogens in the file, either nitrogen of histidine may be donor or acceptor. */
const donorsOrAcceptors = new Set(['HIS ND1', 'HIS NE2'])

type Local = PocketAtom & { parent: string; x: number; y: number; z: number; isBackbone: boolean }

/** `ligand`: the reference's heavy atoms. Waters, ions, buffers and anything overlapping the ligand are ignored. */
export function preparePocket(structure: Structure, ligand: Points): PreparedPocket {
  const nearest = distanceTo(ligand)
  const local = atomsAround(structure, ligand, nearest)
  const heavy = local.filter(({ element }) => element !== 'H' && element !== 'D')
  const hydrogens = local.filter(({ element }) => element === 'H' || element === 'D')
  const nearHeavy = openGrid(heavy)
  const hasHydrogen = new Set(
    hydrogens.flatMap((h) => {
      const near = nearHeavy(h, HYDROGEN_REACH).toSorted((a, b) => gap(a, h) - gap(b, h))
      return near[0] ?? []
    }),
  )
  const withHydrogens = hydrogens.length >= HYDROGENS_MIN
  const kept = heavy.filter((atom) => {
    const d = nearest(atom)
    return d < REACH && d >= OVERLAP
  })
  const flags = kept.map((atom) => {
    const gives = withHydrogens ? hasHydrogen.has(atom) : givesByName(atom)
    const bonded = nearHeavy(atom, BOND_MAX)
    return flagsOf(atom, { gives, withHydrogens, bonded })
  })
  const typed = {
    count: kept.length,
    radius: Float64Array.from(kept, ({ element }) => vinaRadius(element)),
    flags: Uint8Array.from(flags),
  }
  const x = Float64Array.from(kept.flatMap((atom) => [atom.x, atom.y, atom.z]))
  const atoms = kept.map(({ residue, chain, name, element }) => ({ residue, chain, name, element }))
  return { surroundings: new Surroundings(typed, x), atoms }
}

function atomsAround(
  { chains, ligands }: Structure,
  ligand: Points,
  nearest: (atom: Atom) => number,
): Local[] {
  const isInBox = boxAround(ligand, REACH + MARGIN)
  const isLocal = (atom: Atom) => isInBox(atom) && nearest(atom) < REACH + MARGIN
  const ofChains = chains.flatMap(({ id, residues }) =>
    residues.flatMap(({ name, parent, number, atoms }) =>
      atoms.filter(isLocal).map((atom) => ({
        ...atom,
        residue: `${name} ${number}`,
        parent,
        chain: id,
        isBackbone: atom.name === 'N',
      })),
    ),
  )
  const ofOthers = ligands
    .filter(({ name, atoms }) => isReceptor(name, atoms))
    .filter(({ atoms }) => atoms.some(isLocal) && !atoms.some((atom) => nearest(atom) < OVERLAP))
    .flatMap(({ name, number, chainId, atoms }) =>
      atoms.filter(isLocal).map((atom) => ({
        ...atom,
        residue: `${name} ${number}`,
        parent: name,
        chain: chainId,
        isBackbone: false,
      })),
    )
  return [...ofChains, ...ofOthers]
}

/** Cofactors, metals and further ligands stay; buffers and other ions do not. */
function isReceptor(name: string, atoms: Atom[]): boolean {
  const [only] = atoms
  if (atoms.length === 1) return metals.has(only?.element ?? '')
  return !isAdditive(name)
}

function givesByName({ parent, name, element, isBackbone }: Local): boolean {
  return donors.has(`${parent} ${name}`) || (element === 'N' && isBackbone && parent !== 'PRO')
}

type Known = { gives: boolean; withHydrogens: boolean; bonded: Local[] }

function flagsOf(atom: Local, known: Known): number {
  const { element } = atom
  if (metals.has(element)) return DONOR
  if (halogens.has(element)) return HYDROPHOBIC
  if (element === 'C') return known.bonded.some(isHetero) ? 0 : HYDROPHOBIC
  if (element === 'O') return known.gives ? DONOR | ACCEPTOR : ACCEPTOR
  return element === 'N' ? nitrogenFlags(atom, known) : 0
}

function nitrogenFlags(
  { parent, name, isBackbone }: Local,
  { gives, withHydrogens }: Known,
): number {
  const isEither = !withHydrogens && donorsOrAcceptors.has(`${parent} ${name}`)
  const accepts = !isBackbone && (!gives || isEither)
  return (gives ? DONOR : 0) | (accepts ? ACCEPTOR : 0)
}

const hetero = new Set(['N', 'O', 'S', 'F', 'CL'])

function isHetero({ element }: Local): boolean {
  return hetero.has(element)
}

function gap(one: Local, other: Local): number {
  return Math.hypot(one.x - other.x, one.y - other.y, one.z - other.z)
}

function distanceTo(points: Points): (atom: Atom) => number {
  return ({ x, y, z }) => {
    let least = Infinity
    for (let i = 0; i < points.length; i += 3) {
      const [dx, dy, dz] = [x - at(points, i), y - at(points, i + 1), z - at(points, i + 2)]
      least = Math.min(least, dx * dx + dy * dy + dz * dz)
    }
    return Math.sqrt(least)
  }
}

function boxAround(points: Points, reach: number): (atom: Atom) => boolean {
  const along = (axis: number) => points.filter((_, i) => i % 3 === axis)
  const ranges = [0, 1, 2].map((axis) => {
    const values = along(axis)
    return { from: Math.min(...values) - reach, to: Math.max(...values) + reach }
  })
  return (atom) =>
    [atom.x, atom.y, atom.z].every((value, axis) => {
      const range = ranges[axis]
      return range !== undefined && value >= range.from && value <= range.to
    })
}

/** Finds the atoms within `reach`, at most 2 Å, of an atom, without itself. */
function openGrid(atoms: Local[]): (atom: Local, reach: number) => Local[] {
  const SIDE = 2
  const cell = (value: number) => Math.floor(value / SIDE)
  const key = (i: number, j: number, k: number) => `${i} ${j} ${k}`
  const cells = Map.groupBy(atoms, ({ x, y, z }) => key(cell(x), cell(y), cell(z)))
  const shifts = [-1, 0, 1]
  return (atom, reach) => {
    const [i, j, k] = [cell(atom.x), cell(atom.y), cell(atom.z)]
    const near = shifts.flatMap((a) =>
      shifts.flatMap((b) => shifts.flatMap((c) => cells.get(key(i + a, j + b, k + c)) ?? [])),
    )
    return near.filter((other) => other !== atom && gap(atom, other) < reach)
  }
}
