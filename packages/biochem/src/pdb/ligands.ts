/**
 * Makes ligands of the groups outside the chains. No heavy atom is lost: equal atom names are different atoms, copies
 * under one label are separated, and residues bonded to each other are one ligand.
 */
import { closePairs, connectedGroups, bondMax, isCovalent } from './bonds.ts'
import { cofactors, isAdditive, isCap, isSugar } from './residue-names.ts'
import type { LocatedAtom, ScannedResidue } from './scan-atoms.ts'
import { locationsOf } from './alternate-locations.ts'
import { type Atom, type AtomName, blankId, type Chain, type Ligand } from './structure.ts'

/** A residue that may be a part of a ligand. */
export type LigandPart = Ligand & {
  /** Location letter of all its atoms; empty if they have none or several. */
  altloc: string
  /** Whether it is a known amino acid of a peptide. */
  isResidue: boolean
  /** Index of the short peptide chain it comes from; null outside chains. */
  peptide: number | null
}

/** The parts under one label: usually one, or several copies. */
export function partsOf(scanned: ScannedResidue, chainId: string): LigandPart[] {
  const { name, number } = scanned
  const letters = new Set(scanned.atoms.map(({ altloc }: LocatedAtom) => altloc))
  const altloc = letters.size === 1 ? ([...letters][0] ?? '') : ''
  return separateCopies(locationsOf(scanned)).map((atoms) => {
    return { name, number, chainId, atoms, altloc, isResidue: false, peptide: null }
  })
}

/** A chain of more residues is a protein, whatever is bonded to it. */
const PEPTIDE_RESIDUES_MAX = 12

/** The residues of peptides shorter than the longest protein chain. */
export function partsOfPeptides(chains: readonly Pick<Chain, 'id' | 'kind' | 'residues'>[]) {
  const proteins = chains.filter(({ kind }) => kind === 'protein')
  const longest = proteins.reduce((most, { residues }) => Math.max(most, residues.length), 0)
  return chains.flatMap(({ id, kind, residues }, peptide): LigandPart[] => {
    const isShort = residues.length <= PEPTIDE_RESIDUES_MAX && residues.length < longest
    if (kind !== 'protein' || !isShort) return []
    return residues.map(({ name, letter, number, atoms }) => {
      const isResidue = letter !== 'X' || name === 'UNK'
      return { name, number, chainId: id, atoms, altloc: '', isResidue, peptide }
    })
  })
}

/** Names of at least this many atoms are proper names, not elements. */
const PROPER_NAMES_MIN = 6

/** Two copies of a molecule under one label begin their atom names again. */
function separateCopies(atoms: Atom[]): Atom[][] {
  const byName = Map.groupBy(atoms, ({ name }) => name)
  if (byName.size === atoms.length) return [atoms]
  const sets = [...byName.values()]
  const count = sets[0]?.length ?? 0
  if (sets.length >= PROPER_NAMES_MIN && sets.every((same) => same.length === count)) {
    const copies = Array.from({ length: count }, (_, copy) =>
      sets.flatMap((same) => same[copy] ?? []),
    )
    return withoutOverlaps(copies)
  }
  return piecesByName(atoms)
}

/** Copies in one place are alternate locations without letters: the first is used. */
function withoutOverlaps(copies: Atom[][]): Atom[][] {
  const copyOf = copies.flatMap((copy, place) => copy.map(() => place))
  const dropped = new Set<number>()
  for (const { a, b, length } of closePairs(copies.flat())) {
    const [one, other] = [copyOf[a] ?? 0, copyOf[b] ?? 0].toSorted((x, y) => x - y)
    if (length < OVERLAP && one !== other && !dropped.has(one ?? 0)) dropped.add(other ?? 0)
  }
  return copies.filter((_, place) => !dropped.has(place))
}

/** In Å. */
const OVERLAP = 1

/** Pieces without a bond between them are one molecule, partly resolved, unless they repeat a name. */
function piecesByName(atoms: Atom[]): Atom[][] {
  const links = closePairs(atoms).filter(
    ({ a, b, length }) => length <= bondMax(atoms[a]?.element ?? '', atoms[b]?.element ?? ''),
  )
  const copies: { names: Set<string>; atoms: Atom[] }[] = []
  for (const piece of connectedGroups(atoms.length, links)) {
    const own = piece.flatMap((place) => atoms[place] ?? [])
    const host = copies.find(({ names }) => own.every(({ name }) => !names.has(name)))
    if (host === undefined) copies.push({ names: new Set(own.map(({ name }) => name)), atoms: own })
    else {
      for (const atom of own) {
        host.names.add(atom.name)
        host.atoms.push(atom)
      }
    }
  }
  return copies.map((copy) => copy.atoms)
}

export type Joined = {
  ligands: Ligand[]
  caps: string[]
  /** The peptides that are now in a ligand. */
  peptides: Set<number>
}

/**
 * Joins parts bonded to each other, by distance or by a record of the file. A peptide is part of a ligand if any group
 * in it or bonded to it is no amino acid.
 */
export function joinParts(
  parts: readonly LigandPart[],
  links: readonly [AtomName, AtomName][],
): Joined {
  const joined: Joined = { ligands: [], caps: [], peptides: new Set() }
  const stated = statedBonds(parts, links)
  for (const places of connectedGroups(parts.length, [...linksBetween(parts), ...stated])) {
    const group = places.flatMap((place) => parts[place] ?? [])
    const own = stated.filter(({ a }) => places.includes(a)).map(({ bond }) => bond)
    if (group.some(isCore)) addMolecule(joined, group, own)
    else for (const part of group) addAlone(joined, part)
  }
  return joined
}

function addMolecule({ ligands, peptides }: Joined, group: LigandPart[], own: [Atom, Atom][]) {
  const ligand = asOne(group)
  ligands.push(own.length === 0 ? ligand : { ...ligand, stated: own })
  for (const { peptide } of group) if (peptide !== null) peptides.add(peptide)
}

/** In Å. Records of longer bonds are wrong. */
const STATED_MAX = 3

/** Bonds that the file states between parts, not those to metals. */
function statedBonds(
  parts: readonly LigandPart[],
  links: readonly [AtomName, AtomName][],
): { a: number; b: number; bond: [Atom, Atom] }[] {
  if (links.length === 0) return []
  const places = new Map(parts.map((part, place) => [labelOf(part), place] as const))
  const find = ({ residue, chainId, number, atom }: AtomName) => {
    const place = places.get(labelOf({ name: residue, chainId: chainId || blankId, number })) ?? -1
    const part = parts[place]
    const found = part?.atoms.find(({ name }) => name === atom)
    return part === undefined || found === undefined || !isJoinable(part) ? null : { place, found }
  }
  return links.flatMap(([from, to]) => {
    const [one, other] = [find(from), find(to)]
    if (one === null || other === null || one.place === other.place) return []
    const isSound = areCovalent(one.found, other.found) && gap(one.found, other.found) < STATED_MAX
    return isSound ? [{ a: one.place, b: other.place, bond: [one.found, other.found] }] : []
  })
}

function labelOf({ name, chainId, number }: Pick<Ligand, 'name' | 'chainId' | 'number'>): string {
  return `${chainId} ${number} ${name}`
}

function gap(one: Atom, other: Atom): number {
  return Math.hypot(one.x - other.x, one.y - other.y, one.z - other.z)
}

function addAlone({ ligands, caps }: Joined, part: LigandPart): void {
  if (isCap(part.name)) caps.push(part.name)
  else if (part.peptide === null) ligands.push(ligandOf(part))
}

/** Glycans stay as their sugars, and a cap or a peptide alone is no ligand. */
function isCore({ name, isResidue }: LigandPart): boolean {
  return !isResidue && !isCap(name) && !isSugar(name)
}

function isJoinable({ name, atoms }: LigandPart): boolean {
  if (isCap(name)) return true
  const isMolecule = atoms.length > 1 && atoms.length <= PART_ATOMS_MAX
  return isMolecule && !isAdditive(name) && !cofactors.has(name)
}

const PART_ATOMS_MAX = 500

/** In Å, tighter than within a ligand: between molecules there are short contacts. */
const TIGHTER = 0.15
const BONDS_MAX = 3

/** Parts of one peptide, and parts with one to three bonds between them and no overlap. */
function linksBetween(parts: readonly LigandPart[]): { a: number; b: number }[] {
  const atoms = parts.flatMap((part, place) =>
    isJoinable(part) ? part.atoms.map((atom) => ({ ...atom, place })) : [],
  )
  const between = new Map<string, { a: number; b: number; bonds: number; overlaps: number }>()
  for (const { a, b, length } of closePairs(atoms)) {
    const [one, other] = [atoms[a], atoms[b]]
    if (one === undefined || other === undefined || one.place === other.place) continue
    if (areAlternates(parts[one.place], parts[other.place])) continue
    if (!areCovalent(one, other) || length > bondMax(one.element, other.element) - TIGHTER) continue
    const key = `${one.place} ${other.place}`
    const link = between.get(key) ?? { a: one.place, b: other.place, bonds: 0, overlaps: 0 }
    between.set(key, link)
    if (length < OVERLAP) link.overlaps++
    else link.bonds++
  }
  const bonded = [...between.values()].filter(
    ({ bonds, overlaps }) => overlaps === 0 && bonds > 0 && bonds <= BONDS_MAX,
  )
  return [...bonded, ...linksOfPeptides(parts)]
}

function areAlternates(one: LigandPart | undefined, other: LigandPart | undefined): boolean {
  return one?.altloc !== other?.altloc && one?.altloc !== '' && other?.altloc !== ''
}

function areCovalent(one: Atom, other: Atom): boolean {
  return isCovalent(one.element) && isCovalent(other.element)
}

function linksOfPeptides(parts: readonly LigandPart[]): { a: number; b: number }[] {
  const last = new Map<number, number>()
  return parts.flatMap(({ peptide }, b) => {
    if (peptide === null) return []
    const a = last.get(peptide)
    last.set(peptide, b)
    return a === undefined ? [] : [{ a, b }]
  })
}

const NAMES_MAX = 8

/** Named by its residues in order, for example `02J-ALA-VAL-LEU-PJE-010`, and numbered by the first. */
function asOne(group: LigandPart[]): Ligand {
  const [only, another] = group
  if (only !== undefined && another === undefined) return ligandOf(only)
  const parts = group.toSorted((one, other) => one.number - other.number)
  const names = parts.map(({ name }) => name)
  const shown = names.length > NAMES_MAX ? [...names.slice(0, NAMES_MAX), '…'] : names
  const core = parts.find(isCore)
  return {
    name: shown.join('-'),
    number: parts[0]?.number ?? 0,
    chainId: core?.chainId ?? '',
    atoms: parts.flatMap(({ atoms }) => atoms),
  }
}

function ligandOf({ name, chainId, number, atoms }: LigandPart): Ligand {
  return { name, chainId, number, atoms }
}
