/** A molecule as a graph, for placement: of a compound, or of a ligand with unknown bond orders. */
import type { RdkitMolecule } from '../smiles/rdkit.ts'
import { at } from './points.ts'
import { ACCEPTOR, DONOR, halogens, HYDROPHOBIC, vinaRadius } from './vina.ts'

export type Bond = {
  a: number
  b: number
  /** Kekulé order; 1 if unknown. */
  order: number
  isAromatic: boolean
  isInRing: boolean
  /** Of a double bond with known configuration: a neighbour of each end, and whether both are on one side. */
  sides?: { atoms: [number, number]; isCis: boolean }
}

export type Link = { atom: number; bond: Bond }

export type Parts = {
  /** Element symbols in capitals. */
  elements: string[]
  hydrogens: number[]
  charges: number[]
  isAromatic: boolean[]
  isInRing: boolean[]
  bonds: Bond[]
  rings: number[][]
  links: Link[][]
  /** Sign of the signed volume of an atom and its first three neighbours; 0 if it is not a stereocentre. */
  hands: number[]
  /** Bonds between two atoms on the shortest path; large if there is none. */
  steps: Int32Array[]
}

const symbols: Record<number, string> = {
  1: 'H',
  5: 'B',
  6: 'C',
  7: 'N',
  8: 'O',
  9: 'F',
  14: 'SI',
  15: 'P',
  16: 'S',
  17: 'CL',
  34: 'SE',
  35: 'BR',
  53: 'I',
}

type AtomRecord = { z?: number; impHs?: number; chg?: number; stereo?: string }
type BondRecord = {
  bo?: number
  atoms: [number, number]
  stereo?: string
  stereoAtoms?: [number, number]
}
type Extension = { aromaticAtoms?: number[]; aromaticBonds?: number[]; atomRings?: number[][] }
type CommonChem = {
  molecules: [{ atoms: AtomRecord[]; bonds?: BondRecord[]; extensions?: Extension[] }]
}

/** Atoms in the order of the SMILES. */
export function readParts(molecule: RdkitMolecule): Parts {
  const [record] = (JSON.parse(molecule.get_json()) as CommonChem).molecules
  const known = Object.assign({}, ...(record.extensions ?? [])) as Extension
  const rings = known.atomRings ?? []
  const ringSets = rings.map((ring) => new Set(ring))
  const aromaticBonds = new Set(known.aromaticBonds)
  const aromaticAtoms = new Set(known.aromaticAtoms)
  const bonds = (record.bonds ?? []).map(
    ({ atoms: [a, b], bo = 1, stereo, stereoAtoms }, place): Bond => ({
      a,
      b,
      order: bo,
      isAromatic: aromaticBonds.has(place),
      isInRing: ringSets.some((ring) => ring.has(a) && ring.has(b)),
      ...(stereoAtoms !== undefined && (stereo === 'cis' || stereo === 'trans')
        ? { sides: { atoms: stereoAtoms, isCis: stereo === 'cis' } }
        : {}),
    }),
  )
  return withLinks({
    elements: record.atoms.map(({ z = 6 }) => symbols[z] ?? 'C'),
    hydrogens: record.atoms.map(({ impHs = 0 }) => impHs),
    charges: record.atoms.map(({ chg = 0 }) => chg),
    isAromatic: record.atoms.map((_, i) => aromaticAtoms.has(i)),
    bonds,
    rings,
    hands: record.atoms.map(({ stereo }) => (stereo === 'cw' ? -1 : Number(stereo === 'ccw'))),
  })
}

/** Adds what follows from the bonds. */
export function withLinks(parts: Omit<Parts, 'links' | 'steps' | 'isInRing'>): Parts {
  const links: Link[][] = parts.elements.map(() => [])
  for (const bond of parts.bonds) {
    links[bond.a]?.push({ atom: bond.b, bond })
    links[bond.b]?.push({ atom: bond.a, bond })
  }
  const isInRing = links.map((own) => own.some(({ bond }) => bond.isInRing))
  return { ...parts, links, isInRing, steps: links.map((_, from) => stepsFrom(links, from)) }
}

export const FAR = 99

function stepsFrom(links: Link[][], from: number): Int32Array {
  const steps = new Int32Array(links.length).fill(FAR)
  const queue = [from]
  steps[from] = 0
  for (const i of queue) {
    for (const { atom } of links[i] ?? []) {
      if (at(steps, atom) !== FAR) continue
      steps[atom] = at(steps, i) + 1
      queue.push(atom)
    }
  }
  return steps
}

/** Atoms that the molecule has neighbours of. */
export function neighboursOf({ links }: Parts, i: number): number[] {
  return (links[i] ?? []).map(({ atom }) => atom)
}

export function linksOf({ links }: Parts, i: number): Link[] {
  return links[i] ?? []
}

/** Vina's types for a compound whose bond orders and hydrogens are known. */
export function typeCompound(parts: Parts): { radius: Float64Array; flags: Uint8Array } {
  const { elements, hydrogens } = parts
  const flags = Uint8Array.from(elements, (element, i) => {
    if (isHydrophobic(parts, i)) return HYDROPHOBIC
    if (element !== 'N' && element !== 'O') return 0
    const gives = at(hydrogens, i) > 0 ? DONOR : 0
    return element === 'O' || nitrogenAccepts(parts, i) ? gives | ACCEPTOR : gives
  })
  return { radius: Float64Array.from(elements, vinaRadius), flags }
}

/** Halogens, and carbon bonded to carbon only. */
export function isHydrophobic(parts: Parts, i: number): boolean {
  const element = parts.elements[i] ?? ''
  if (halogens.has(element)) return true
  return (
    element === 'C' &&
    neighboursOf(parts, i).every((j) => parts.elements[j] === 'C' || parts.elements[j] === 'H')
  )
}

/** Not on amides, sulfonamides, anilines and cations, whose lone pair is not free. */
function nitrogenAccepts(parts: Parts, i: number): boolean {
  const links = linksOf(parts, i)
  if (parts.isAromatic[i] === true) return at(parts.hydrogens, i) === 0 && links.length === 2
  if (at(parts.charges, i) > 0) return false
  return !links.some(({ atom }) => parts.isAromatic[atom] === true || isAcyl(parts, atom, i))
}

/** Carbon with a double bond to N, O or S, or sulfur with two to oxygen, other than to `from`. */
function isAcyl(parts: Parts, i: number, from: number): boolean {
  const doubles = linksOf(parts, i)
    .filter(({ atom, bond }) => atom !== from && bond.order === 2 && !bond.isAromatic)
    .map(({ atom }) => parts.elements[atom] ?? '')
  if (parts.elements[i] === 'C') return doubles.some((element) => 'NOS'.includes(element))
  return parts.elements[i] === 'S' && doubles.filter((element) => element === 'O').length === 2
}
