/** Sums up a structure for the person who uploaded it: what is used, what is left out, what is odd. */
import { counted, nameSome } from './name-some.ts'
import { isAdditive } from './residue-names.ts'
import {
  longestProteinChain,
  type Chain,
  type Ligand,
  type Residue,
  type Structure,
} from './structure.ts'

/** Field by field the contract's TargetReport. */
export type ReportedTarget = {
  title: string | null
  pdb_code: string | null
  chains: ReportedChain[]
  default_chain: string | null
  mapped: Structure['mapped']
  dropped: string[]
  warnings: string[]
}

export type ReportedChain = {
  id: string
  kind: Chain['kind']
  residues: number
  missing: number | null
  gaps: { after: string; before: string; missing: number | null }[]
}

export function reportTarget(structure: Structure): ReportedTarget {
  return {
    title: structure.title,
    pdb_code: structure.pdbCode,
    chains: structure.chains.map(reportChain),
    default_chain: longestProteinChain(structure)?.id ?? null,
    mapped: structure.mapped,
    dropped: listDropped(structure),
    warnings: structure.warnings,
  }
}

function reportChain(chain: Chain): ReportedChain {
  const { id, kind, residues, seqres } = chain
  const gaps = chain.gaps.map(({ index, missing }) => {
    return { after: labelOf(residues[index]), before: labelOf(residues[index + 1]), missing }
  })
  const missing = seqres === null ? null : Math.max(0, seqres.length - residues.length)
  return { id, kind, residues: residues.length, missing, gaps }
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
  return count === 0 ? null : `${counted(count, noun)} (${nameSome(names)})`
}

function isIon(ligand: Ligand): boolean {
  return ligand.atoms.length === 1
}
