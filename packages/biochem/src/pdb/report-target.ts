/**
 * Reports what was read from a structure: what is used, what is ignored, and, as warnings, anything unusual in the file
 * and how it was handled.
 */
import { counted, listNames } from '../sentences.ts'
import type { Built } from './build-chains.ts'
import { defaultChain, findPocket } from './pocket.ts'
import { isAdditive } from './residue-names.ts'
import type { Scan } from './scan-atoms.ts'
import {
  type Chain,
  hasCoordinates,
  type Ligand,
  type Residue,
  type Structure,
} from './structure.ts'

/** Maximum entries listed; the rest is counted. Chains are few: the reader refuses more than 500. */
const reportedMax = { gaps: 200, chainGaps: 50, mapped: 100 } as const

/** Same fields as the contract's TargetReport. Counts are present if the lists are cut. */
export type ReportedTarget = {
  title: string | null
  pdb_code: string | null
  chains: ReportedChain[]
  default_chain: string | null
  mapped: Structure['mapped']
  mapped_count?: number
  /** The ligand in the pocket, the chain that lines it, and its other neighbours. */
  pocket?: {
    ligand: string
    chain: string
    residues: number
    metals: string[]
    cofactors: string[]
  }
  dropped: string[]
  warnings: string[]
  /** False if only a sequence was uploaded; absent otherwise. */
  has_coordinates?: false
}

export type ReportedChain = {
  id: string
  kind: Chain['kind']
  residues: number
  missing: number | null
  gaps: { after: string; before: string; missing: number | null }[]
  gap_count?: number
}

/** Lists chains in file order, and in `dropped` what predictions ignore, as `2 ligands (STI)`. */
export function reportTarget(structure: Structure): ReportedTarget {
  const { chains, mapped } = structure
  const used = defaultChain(structure)
  const pocket = findPocket(structure)
  return {
    title: structure.title,
    pdb_code: structure.pdbCode,
    chains: reportChains(chains, used),
    default_chain: used?.id ?? null,
    ...(pocket && { pocket: { ...pocket, chain: pocket.chain.id } }),
    mapped: mapped.slice(0, reportedMax.mapped),
    ...(mapped.length > reportedMax.mapped && { mapped_count: mapped.length }),
    dropped: listDropped(structure),
    warnings: structure.warnings,
    ...(!hasCoordinates(structure) && { has_coordinates: false as const }),
  }
}

/** Gaps of the used chain are listed first. */
function reportChains(chains: readonly Chain[], used: Chain | null): ReportedChain[] {
  let room: number = reportedMax.gaps
  const report = (chain: Chain) => {
    const reported = reportChain(chain, Math.min(room, reportedMax.chainGaps))
    room -= reported.gaps.length
    return reported
  }
  const ofUsed = used && report(used)
  return chains.map((chain) => (ofUsed && chain === used ? ofUsed : report(chain)))
}

function reportChain(chain: Chain, gapsMax: number): ReportedChain {
  const { id, kind, residues, seqres } = chain
  const gaps = chain.gaps.slice(0, gapsMax).map(({ index, missing }) => {
    return { after: labelOf(residues[index]), before: labelOf(residues[index + 1]), missing }
  })
  const missing = seqres === null ? null : Math.max(0, seqres.length - residues.length)
  const gapCount = chain.gaps.length
  const reported = { id, kind, residues: residues.length, missing, gaps }
  return gapCount > gaps.length ? { ...reported, gap_count: gapCount } : reported
}

function labelOf(residue: Residue | undefined): string {
  return residue === undefined ? '' : `${residue.name} ${residue.number}${residue.insertionCode}`
}

function listDropped({ chains, ligands, caps, waters }: Structure): string[] {
  const ions = ligands.filter(isIon)
  const additives = ligands.filter((ligand) => !isIon(ligand) && isAdditive(ligand.name))
  const rest = ligands.filter((ligand) => !isIon(ligand) && !isAdditive(ligand.name))
  const nucleic = chains.filter((chain) => chain.kind === 'nucleic acid')
  return [
    group(
      nucleic.length,
      'nucleic acid chain',
      nucleic.map((chain) => chain.id),
    ),
    group(
      rest.length,
      'ligand',
      rest.map((ligand) => ligand.name),
    ),
    group(
      ions.length,
      'ion',
      ions.map((ligand) => ligand.name),
    ),
    group(
      additives.length,
      'buffer molecule',
      additives.map((ligand) => ligand.name),
    ),
    group(caps.length, 'terminal cap', caps),
    waters === 0 ? null : counted(waters, 'water'),
  ].filter((text) => text !== null)
}

function group(count: number, noun: string, names: readonly string[]): string | null {
  return count === 0 ? null : `${counted(count, noun)} (${listNames(names)})`
}

function isIon(ligand: Ligand): boolean {
  return ligand.atoms.length === 1
}

// Warnings, one sentence each.

type WarningSources = {
  scan: Scan
  built: Built
  chains: readonly Chain[]
  misfits: readonly string[]
}

/** Each sentence is complete and ends with a full stop; an ordinary file has none. */
export function listWarnings(findings: WarningSources): string[] {
  return sentences.map((sentence) => sentence(findings)).filter((text) => text !== null)
}

const sentences: ((findings: WarningSources) => string | null)[] = [
  models,
  afterEnd,
  unreadableLines,
  shiftedLines,
  incomplete,
  alternates,
  shared,
  alphaCarbonsOnly,
  unknown,
  renamed,
  scattered,
  misfit,
  shortChains,
]

function models({ scan }: WarningSources): string | null {
  if (scan.models < 2) return null
  return `The file has ${scan.models.toLocaleString('en')} models; only the first is used.`
}

function afterEnd({ scan }: WarningSources): string | null {
  return scan.goesOnAfterEnd ? 'Atoms after the END record are ignored.' : null
}

function unreadableLines({ scan }: WarningSources): string | null {
  if (scan.unreadableAtoms === 0) return null
  const lines = counted(scan.unreadableAtoms, 'atom line')
  return `${lines} could not be read and ${scan.unreadableAtoms === 1 ? 'was' : 'were'} ignored (first: line ${scan.firstUnreadableLine}).`
}

function shiftedLines({ scan }: WarningSources): string | null {
  if (scan.shiftedAtoms === 0) return null
  const lines = counted(scan.shiftedAtoms, 'atom line')
  return `The columns of ${lines} are shifted by a long atom number or chain name; they were read by their fields.`
}

function incomplete({ built }: WarningSources): string | null {
  if (built.incomplete.length === 0) return null
  const residues = counted(built.incomplete.length, 'residue')
  return `${residues} without backbone atoms ignored: ${listNames(built.incomplete)}.`
}

function alternates({ built }: WarningSources): string | null {
  if (built.alternates === 0) return null
  const residues = counted(built.alternates, 'residue')
  return `${residues} with alternate locations: the one with the highest occupancy is used.`
}

function shared({ built }: WarningSources): string | null {
  if (built.shared.length === 0) return null
  return `More than one residue type at ${listNames(built.shared)}: the most occupied is used.`
}

function alphaCarbonsOnly({ chains }: WarningSources): string | null {
  const ids = chains.filter(isAlphaCarbonsOnly).map((chain) => chain.id)
  return ids.length === 0 ? null : `Alpha carbons only: chain ${listNames(ids)}.`
}

function isAlphaCarbonsOnly(chain: Chain): boolean {
  return chain.kind === 'protein' && chain.residues.every((residue) => residue.atoms.length === 1)
}

function unknown({ chains }: WarningSources): string | null {
  const names = chains
    .flatMap((chain) => chain.residues)
    .filter((residue) => residue.letter === 'X')
    .map((residue) => residue.name)
  if (names.length === 0) return null
  return `${counted(names.length, 'residue')} of unknown type read as X: ${listNames(names)}.`
}

function renamed({ built }: WarningSources): string | null {
  const ids = built.chains.filter((chain) => chain.id !== chain.fileId).map((chain) => chain.id)
  if (ids.length === 0) return null
  return `Blank or duplicate chain identifiers were renamed: ${listNames(ids)}.`
}

function scattered({ chains }: WarningSources): string | null {
  const ids = chains
    .filter(({ residues, gaps }) => gaps.length > residues.length / 4)
    .map((chain) => chain.id)
  if (ids.length === 0) return null
  return `Many neighbouring residues of chain ${listNames(ids)} are not bonded: check the coordinates.`
}

function misfit({ misfits }: WarningSources): string | null {
  if (misfits.length === 0) return null
  return `The residues of chain ${listNames(misfits)} do not match its SEQRES records.`
}

function shortChains({ chains }: WarningSources): string | null {
  const longest = Math.max(0, ...chains.filter(isProtein).map((chain) => chain.residues.length))
  if (longest >= shortMax) return null
  return `The longest protein chain has only ${counted(longest, 'residue')}: too few for a reliable prediction.`
}

const shortMax = 30

function isProtein(chain: Chain): boolean {
  return chain.kind === 'protein'
}

/** The modified residues that are read as their standard parent, most frequent first. */
export function listMapped(chains: readonly Chain[]): Structure['mapped'] {
  const counts = new Map<string, { from: string; to: string; count: number }>()
  for (const residue of chains.flatMap((chain) => chain.residues)) {
    if (residue.name === residue.parent || residue.letter === 'X') continue
    const entry = counts.get(residue.name) ?? { from: residue.name, to: residue.parent, count: 0 }
    entry.count++
    counts.set(residue.name, entry)
  }
  return [...counts.values()].toSorted((one, other) => other.count - one.count)
}
