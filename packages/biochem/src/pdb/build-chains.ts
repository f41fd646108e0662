/**
 * Decides what is a chain: which residues are linked into a protein or a nucleic acid, in which
 * order, and which hetero groups are ligands. Names make a candidate, bonds make it a member.
 */
import type { Chain, Ligand, Residue } from './structure.ts'
import { ChainList, type BuiltChain } from './chain-list.ts'
import { chooseLocations, hasAlternates, meanOccupancy } from './choose-locations.ts'
import { atomOf, distance, followsDirectly } from './follows-directly.ts'
import {
  aminoAcidLetter,
  aminoAcidParent,
  isCap,
  type NameTable,
  nucleotideLetter,
  nucleotideParent,
} from './residue-names.ts'
import type { Run, ScannedResidue } from './scan.ts'

export type Built = {
  chains: BuiltChain[]
  ligands: Ligand[]
  caps: string[]
  /** Residues with alternate locations. */
  alternates: number
  /** Positions that several residues share, as labels. */
  shared: string[]
  /** Residues of a protein without an alpha carbon, as labels. */
  incomplete: string[]
}

type Candidate = {
  residue: Residue
  scanned: ScannedResidue
  kind: Chain['kind']
  /** False where only the atoms, not the name, speak for a residue of a chain. */
  isNamed: boolean
}

type Pool = { built: Built; list: ChainList; modres: NameTable }

export function buildChains(runs: readonly Run[], modres: NameTable): Built {
  const list = new ChainList()
  const built: Built = {
    chains: list.chains,
    ligands: [],
    caps: [],
    alternates: 0,
    shared: [],
    incomplete: [],
  }
  for (const run of runs) addRun({ built, list, modres }, run)
  return built
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
  const members = oneAPosition(pool, run, [...linked])
  for (const kind of ['protein', 'nucleic acid'] as const) {
    const ofKind = members.filter((member) => member.kind === kind)
    if (ofKind.length > 1) addMembers(pool, run, ofKind)
    else rest.push(...ofKind.map((member) => member.scanned))
  }
  for (const scanned of rest) addRest(pool, run, scanned)
}

function addMembers({ built, list }: Pool, run: Run, members: readonly Candidate[]): void {
  for (const { scanned } of members) if (hasAlternates(scanned)) built.alternates++
  const kind = members[0]?.kind ?? 'protein'
  list.add(run, { kind, residues: members.map((member) => member.residue) })
}

function addRest({ built, list, modres }: Pool, run: Run, scanned: ScannedResidue): void {
  const chainId = list.idFor(run.chainId)
  const { name, number } = scanned
  const isResidue = aminoAcidParent(name, modres) ?? nucleotideParent(name, modres)
  if (isCap(name)) built.caps.push(name)
  else if (!scanned.isHetero && isResidue !== null && !scanned.hasAnchor) {
    built.incomplete.push(`${name} ${number}${scanned.insertionCode} of chain ${chainId}`)
  } else built.ligands.push({ name, chainId, number, atoms: chooseLocations(scanned) })
}

function candidateOf(scanned: ScannedResidue, modres: NameTable): Candidate | null {
  const atoms = chooseLocations(scanned)
  const { name, number, insertionCode } = scanned
  const residue = { name, parent: 'UNK', letter: 'X', number, insertionCode, atoms }
  const aminoAcid = aminoAcidParent(name, modres)
  if (hasAlphaCarbon(residue) && (aminoAcid !== null || hasPeptideBackbone(residue))) {
    const parent = aminoAcid ?? 'UNK'
    const named = { ...residue, parent, letter: aminoAcidLetter(parent) }
    return { residue: named, scanned, kind: 'protein', isNamed: aminoAcid !== null }
  }
  const nucleotide = nucleotideParent(name, modres)
  if (nucleotide === null ? !hasSugar(residue) : atomOf(residue, ["C3'", 'P']) === null) return null
  const parent = nucleotide ?? 'N'
  const named = { ...residue, parent, letter: nucleotideLetter(parent) }
  return { residue: named, scanned, kind: 'nucleic acid', isNamed: nucleotide !== null }
}

/** Calcium is called CA too. */
function hasAlphaCarbon(residue: Residue): boolean {
  return atomOf(residue, ['CA', 'CA1'])?.element === 'C'
}

function hasPeptideBackbone(residue: Residue): boolean {
  const alpha = atomOf(residue, ['CA', 'CA1'])
  const toN = distance(alpha, atomOf(residue, ['N', 'N1']))
  const toC = distance(atomOf(residue, ['CA', 'CA3']), atomOf(residue, ['C', 'C3']))
  return toN !== null && toN < bondMax && toC !== null && toC < bondMax
}

const bondMax = 2

function hasSugar(residue: Residue): boolean {
  return atomOf(residue, ["C3'"]) !== null && atomOf(residue, ["C1'"]) !== null
}

/**
 * ATOM records with a known name belong to the chain. Hetero groups do where a bond ties them to a
 * member, and modified amino acids also where members follow: one at the end, with no bond, is a ligand.
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

/** Some programs write whole proteins as HETATM: enough of them is a chain, few are a ligand. */
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

/** Of residues that share a number, the most occupied. */
function oneAPosition({ built, list }: Pool, run: Run, members: readonly Candidate[]): Candidate[] {
  const byPosition = new Map<string, Candidate>()
  for (const member of members) {
    const position = `${member.residue.number}${member.residue.insertionCode}`
    const other = byPosition.get(position)
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
      byPosition.get(`${member.residue.number}${member.residue.insertionCode}`) === member,
  )
}

function occupancyOf(candidate: Candidate): number {
  return meanOccupancy(candidate.scanned.atoms)
}
