/**
 * Reads a PDB, mmCIF or FASTA file into the chains, ligands and warnings that the rest of the product uses. Every text
 * gets a result: a structure with at least one protein chain, or a sentence that says why there is none. Time and
 * memory grow linearly with the text.
 */
import { type Parsed, parsed, unreadable } from '../parsed.ts'
import { type Built, buildChains } from './build-chains.ts'
import { alignChains } from './align-seqres.ts'
import { listMapped, listWarnings } from './report-target.ts'
import { refusalByContent, refusalWithoutProtein, targetResiduesMin } from './refusals.ts'
import { isFasta, readSequence } from './read-sequence.ts'
import { isMmcif, scanMmcif } from './scan-mmcif.ts'
import { scanRecords } from './scan-records.ts'
import type { Scan } from './scan-atoms.ts'
import { blankId, knownResidues, longestProteinChain, type Structure } from './structure.ts'

/** Maximum number of residues in chains; the largest virus shells have more. */
export const residuesMax = 20_000

const chainsMax = 500

/**
 * `text` is a whole file with any line endings. Errors name a line, counted from 1, or 0 for the file as a whole.
 */
export function readStructure(text: string): Parsed<Structure> {
  const plain = text.startsWith('\ufeff') ? text.slice(1) : text
  if (plain.trim() === '') return unreadable(0, 'This file is empty.')
  if (isFasta(plain)) return readSequence(plain)
  const refusal = isMmcif(plain) ? null : refusalByContent(plain)
  if (refusal !== null) return unreadable(0, refusal)
  const scanned = isMmcif(plain) ? scanMmcif(plain) : scanRecords(plain)
  return scanned.ok ? structureOf(scanned.value) : scanned
}

function structureOf(scan: Scan): Parsed<Structure> {
  const built = buildChains(scan)
  const residues = built.chains.reduce((sum, chain) => sum + chain.residues.length, 0)
  if (residues > residuesMax) return unreadable(0, tooMany('residues', residuesMax))
  if (built.chains.length > chainsMax) return unreadable(0, tooMany('chains', chainsMax))
  const { chains, misfits } = alignChains(built.chains, scan.seqres, scan.modres)
  const structure: Structure = {
    title: titleOf(scan),
    pdbCode: scan.pdbCode,
    chains,
    ligands: built.ligands,
    caps: built.caps,
    waters: scan.waters,
    models: Math.max(1, scan.models),
    secondary: scan.secondary.map((range) => ({ ...range, chainId: range.chainId || blankId })),
    mapped: listMapped(chains),
    warnings: listWarnings({ scan, built, chains, misfits }),
  }
  return withTarget(structure, scan, built)
}

function withTarget(structure: Structure, scan: Scan, built: Built): Parsed<Structure> {
  const target = longestProteinChain(structure)
  if (target !== null && knownResidues(target) >= targetResiduesMin) return parsed(structure)
  return refusalWithoutProtein({ structure, scan, built, target })
}

/** The title, or in old files the compound, or the name of the first molecule. */
function titleOf(scan: Scan): string | null {
  const molecule = /MOLECULE:\s*([^;]*)/.exec(scan.compound)?.[1] ?? scan.compound
  const title = (scan.title.trim() || molecule).replaceAll(/\s+/g, ' ').trim()
  return title === '' ? null : title
}

function tooMany(what: string, max: number): string {
  const sentence = `This file has more than ${max.toLocaleString('en')} ${what}.`
  return `${sentence} Save only the chains you need and upload those.`
}
