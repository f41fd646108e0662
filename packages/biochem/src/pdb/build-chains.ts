/**
 * Builds chains: which residues form a protein or a nucleic acid, in which order and with which identifier, and which
 * hetero groups are ligands. Names make candidates, bonds make members.
 */
import { chooseLocations, hasAlternates, meanOccupancy } from './alternate-locations.ts'
import {
  areInOnePlace,
  atomOf,
  followsDirectly,
  hasAlphaCarbon,
  hasPeptideBondTo,
  isFarFrom,
  isUnbonded,
  hasPeptideBackbone,
  hasSugar,
} from './backbone-bonds.ts'
import { type LigandPart, joinParts, partsOf, partsOfPeptides } from './ligands.ts'
import {
  type NameTable,
  aminoAcidLetter,
  aminoAcidParent,
  isCap,
  nucleotideLetter,
  nucleotideParent,
} from './residue-names.ts'
import type { Run, Scan, ScannedResidue } from './scan-atoms.ts'
import { blankId, type Chain, type Ligand, type Residue } from './structure.ts'

export type Built = {
  chains: BuiltChain[]
  ligands: Ligand[]
  caps: string[]
  /** Residues with alternate locations. */
  alternates: number
  /** Positions with several residues, as labels. */
  shared: string[]
  /** Residues of a protein without an alpha carbon, as labels. */
  incomplete: string[]
}

type Candidate = {
  residue: Residue
  scanned: ScannedResidue
  kind: Chain['kind']
  /** False if the name is unknown and only the atoms look like a residue. */
  isNamed: boolean
}

type Pool = { built: Built; list: ChainList; modres: NameTable; parts: LigandPart[] }

/**
 * Chains in file order; anything outside a chain is a ligand, a cap or an incomplete residue, and a short peptide
 * bonded to a group that is no amino acid is a ligand with it.
 */
export function buildChains({ runs, modres, links }: Scan): Built {
  const list = new ChainList()
  const built: Built = {
    chains: list.chains,
    ligands: [],
    caps: [],
    alternates: 0,
    shared: [],
    incomplete: [],
  }
  const parts: LigandPart[] = []
  for (const run of runs) addRun({ built, list, modres, parts }, run)
  const { ligands, caps, peptides } = joinParts([...parts, ...partsOfPeptides(list.chains)], links)
  return { ...built, ligands, caps, chains: list.chains.filter((_, place) => !peptides.has(place)) }
}

function addRun(pool: Pool, run: Run): void {
  const candidates: Candidate[] = []
  const rest: ScannedResidue[] = []
  for (const scanned of run.residues.toSorted((one, other) => one.order - other.order)) {
    const candidate = candidateOf(scanned, pool.modres)
    if (candidate === null) rest.push(scanned)
    else candidates.push(candidate)
  }
  const linked = linkedOf(candidates, run)
  for (const candidate of candidates) if (!linked.has(candidate)) rest.push(candidate.scanned)
  for (const kind of ['protein', 'nucleic acid'] as const) {
    const linkedOfKind = [...linked].filter((member) => member.kind === kind)
    const ofKind = resolveMicroheterogeneity(pool, run, linkedOfKind)
    if (ofKind.length > 1) addMembers(pool, run, ofKind)
    else rest.push(...ofKind.map((member) => member.scanned))
  }
  for (const scanned of rest) addUnlinked(pool, run, scanned)
}

function addMembers({ built, list }: Pool, run: Run, members: readonly Candidate[]): void {
  for (const { scanned } of members) if (hasAlternates(scanned)) built.alternates++
  const kind = members[0]?.kind ?? 'protein'
  list.add(run, { kind, residues: members.map((member) => member.residue) })
}

function addUnlinked(
  { built, list, modres, parts }: Pool,
  run: Run,
  scanned: ScannedResidue,
): void {
  const chainId = list.idFor(run.chainId)
  const { name, number } = scanned
  if (isBroken(scanned, run, modres)) {
    built.incomplete.push(`${name} ${number}${scanned.insertionCode} of chain ${chainId}`)
  } else parts.push(...partsOf(scanned, chainId))
}

/**
 * A residue of a chain that lost its alpha carbon. A whole group is a ligand even in ATOM records with the name of a
 * modified or unknown residue, as docking programs write it, unless a peptide bond places it in the chain.
 */
function isBroken(scanned: ScannedResidue, run: Run, modres: NameTable): boolean {
  const { name, atoms, isHetero, hasAnchor } = scanned
  if (isHetero || hasAnchor || isCap(name)) return false
  const parent = aminoAcidParent(name, modres) ?? nucleotideParent(name, modres)
  if (parent === null) return false
  const isStandard = parent === name && parent !== 'UNK' && parent !== 'N'
  const heavy = atoms.filter(({ element }) => element !== 'H')
  return isStandard || heavy.length < wholeGroupMin || hasPeptideBond(scanned, run)
}

/** Heavy atoms; a backbone without its alpha carbon has three. */
const wholeGroupMin = 6

function hasPeptideBond(scanned: ScannedResidue, { residues }: Run): boolean {
  return residues.some((other) => other !== scanned && areInSequence(other, scanned))
}

function areInSequence(one: ScannedResidue, other: ScannedResidue): boolean {
  return hasPeptideBondTo(one, other) || hasPeptideBondTo(other, one)
}

function candidateOf(scanned: ScannedResidue, modres: NameTable): Candidate | null {
  const atoms = chooseLocations(scanned)
  const { name, number, insertionCode } = scanned
  const residue = { name, parent: 'UNK', letter: 'X', number, insertionCode, atoms }
  const aminoAcid = aminoAcidParent(name, modres)
  if (hasAlphaCarbon(residue) && (aminoAcid !== null || hasPeptideBackbone(residue))) {
    const parent = aminoAcid ?? 'UNK'
    const named = { ...residue, parent, letter: aminoAcidLetter(parent) }
    const isNamed = isAmino(scanned, residue, aminoAcid)
    return { residue: named, scanned, kind: 'protein', isNamed }
  }
  const nucleotide = nucleotideParent(name, modres)
  if (nucleotide === null ? !hasSugar(residue) : atomOf(residue, ["C3'", 'P']) === null) return null
  const parent = nucleotide ?? 'N'
  const named = { ...residue, parent, letter: nucleotideLetter(parent) }
  return { residue: named, scanned, kind: 'nucleic acid', isNamed: nucleotide !== null }
}

/** A modified or unknown residue by its name alone must have a backbone, or be an alpha carbon. */
function isAmino(
  { name, atoms }: ScannedResidue,
  residue: Residue,
  parent: string | null,
): boolean {
  if (parent === null) return false
  const isStandard = parent === name && parent !== 'UNK'
  return isStandard || atoms.length === 1 || hasPeptideBackbone(residue)
}

/**
 * ATOM records with a known name belong to the chain. Hetero groups belong to it if bonded to a member; modified amino
 * acids also if members follow: one at the end without a bond is a ligand.
 */
function linkedOf(candidates: readonly Candidate[], run: Run): Set<Candidate> {
  const allHetero = isWrittenAsHetero(candidates, run)
  const isFixed = ({ scanned, isNamed }: Candidate) => isNamed && (!scanned.isHetero || allHetero)
  const lastFixed = run.followsTer ? -1 : candidates.findLastIndex(isFixed)
  const members = candidates.map((candidate, at) => {
    const isModified = candidate.isNamed && candidate.kind === 'protein' && at < lastFixed
    return isFixed(candidate) || isModified
  })
  for (let at = 1; at < candidates.length; at++) {
    members[at] ||= members[at - 1] === true && isLinked(candidates, at)
  }
  for (let at = candidates.length - 1; at > 0; at--) {
    members[at - 1] ||= members[at] === true && isLinked(candidates, at)
  }
  return new Set(candidates.filter((_, at) => members[at] === true))
}

/** Some programs write whole proteins as HETATM: many residues are a chain, few are a ligand. */
function isWrittenAsHetero(candidates: readonly Candidate[], run: Run): boolean {
  if (run.followsTer || candidates.length < heteroChainMin) return false
  return candidates.every((candidate) => candidate.scanned.isHetero)
}

const heteroChainMin = 10

function isLinked(candidates: readonly Candidate[], at: number): boolean {
  const one = candidates[at - 1]
  const next = candidates[at]
  if (one === undefined || next === undefined || one.kind !== next.kind) return false
  return followsDirectly(one.kind, one.residue, next.residue)
}

/** Of residues with the same number in one place, the one with the highest occupancy. */
function resolveMicroheterogeneity(
  { built, list }: Pool,
  run: Run,
  members: readonly Candidate[],
): Candidate[] {
  const byPosition = new Map<string, Candidate>()
  const apart = new Set<Candidate>()
  for (const member of members) {
    const position = `${member.residue.number}${member.residue.insertionCode}`
    const other = byPosition.get(position)
    if (other !== undefined && !areInOnePlace(other.residue, member.residue)) {
      apart.add(member)
      continue
    }
    if (other !== undefined) {
      built.shared.push(
        `${list.idFor(run.chainId)} ${position} (${other.residue.name}, ${member.residue.name})`,
      )
    }
    if (other === undefined || occupancyOf(member) > occupancyOf(other)) {
      byPosition.set(position, member)
    }
  }
  return members.filter(
    (member) =>
      apart.has(member) ||
      byPosition.get(`${member.residue.number}${member.residue.insertionCode}`) === member,
  )
}

function occupancyOf(candidate: Candidate): number {
  return meanOccupancy(candidate.scanned.atoms)
}

// Runs of residues become chains, each with a unique identifier of one to four characters.

/** A chain before its gaps and its SEQRES are known. */
export type BuiltChain = {
  /** Unique and never empty. */
  id: string
  /** As in the file: possibly empty, possibly shared with another chain. */
  fileId: string
  kind: Chain['kind']
  residues: Residue[]
}

type Members = { kind: Chain['kind']; residues: readonly Residue[] }

type OpenChain = { chain: BuiltChain; positions: Set<string>; isEnded: boolean }

class ChainList {
  readonly chains: BuiltChain[] = []
  /** The last chain of each identifier and kind. */
  private readonly open = new Map<string, OpenChain>()
  private readonly counts = new Map<string, number>()
  private readonly ids = new Set<string>()

  /** Adds the residues of one run that are of one kind, bonded or not. */
  add(run: Run, { kind, residues }: Members): void {
    for (const [index, piece] of cutAtEnds(residues, {
      hasId: run.chainId !== '',
      kind,
    }).entries()) {
      const open = this.open.get(`${kind} ${run.chainId}`)
      if (open !== undefined && index > 0) open.isEnded = true
      this.addPiece(run, { kind, residues: piece })
    }
  }

  /**
   * A piece continues the chain with its identifier, as after a TER record at a gap, unless it repeats residue numbers
   * of the chain or the chain has ended with its carboxylate.
   */
  private addPiece(run: Run, { kind, residues }: Members): void {
    const key = `${kind} ${run.chainId}`
    const positions = residues.map(({ number, insertionCode }) => `${number}${insertionCode}`)
    const open = this.open.get(key)
    const isCut = run.isClosedByTer || run.chainId === ''
    const isEnded = isCut && hasCarboxylate(residues.at(-1))
    if (open === undefined || open.isEnded || positions.some((at) => open.positions.has(at))) {
      const chain = {
        id: this.newId(run.chainId),
        fileId: run.chainId,
        kind,
        residues: [...residues],
      }
      this.chains.push(chain)
      this.open.set(key, { chain, positions: new Set(positions), isEnded })
      return
    }
    for (const residue of residues) open.chain.residues.push(residue)
    for (const position of positions) open.positions.add(position)
    open.isEnded = isEnded
  }

  /** Name of a chain without an identifier. */
  idFor(fileId: string): string {
    return fileId === '' ? blankId : fileId
  }

  private newId(fileId: string): string {
    const base = this.idFor(fileId)
    let count = (this.counts.get(base) ?? 0) + 1
    while (this.ids.has(numbered(base, count))) count++
    const id = numbered(base, count)
    this.counts.set(base, count)
    this.ids.add(id)
    return id
  }
}

const idLengthMax = 4

function numbered(base: string, count: number): string {
  if (count === 1) return base
  const suffix = count < 100 ? `.${count}` : String(count)
  return base.slice(0, idLengthMax - suffix.length) + suffix
}

/**
 * Simulation programs often write neither identifiers nor TER. A carboxylate ends a chain, and so does a break between
 * consecutive numbers; under one identifier both are needed. Where numbers are missing, residues are missing.
 */
function cutAtEnds(
  residues: readonly Residue[],
  { hasId, kind }: { hasId: boolean; kind: Chain['kind'] },
): Residue[][] {
  const pieces: Residue[][] = [[]]
  for (const [index, residue] of residues.entries()) {
    pieces.at(-1)?.push(residue)
    const next = residues[index + 1]
    if (next === undefined) continue
    const isEnded = hasCarboxylate(residue)
    const isBreak =
      next.number - residue.number <= 1 &&
      (isFarFrom(kind, residue, next) || isUnbonded(residue, next))
    if (hasId ? isEnded && isBreak : isEnded || isBreak) pieces.push([])
  }
  return pieces.filter((piece) => piece.length > 0)
}

/** Names of the second oxygen at the end of a protein: PDB, CHARMM, GROMACS, and GROMOS together with O1. */
const carboxylateOxygens = ['OXT', 'OT2', 'OC2', 'OT', "O''"]

function hasCarboxylate(residue: Residue | undefined): boolean {
  if (residue === undefined) return false
  if (atomOf(residue, carboxylateOxygens) !== null) return true
  const [first, second, usual] = ['O1', 'O2', 'O'].map((name) => atomOf(residue, [name]))
  return first !== null && second !== null && usual === null
}
