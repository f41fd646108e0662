/**
 * Says why a file cannot be a target: it has another format, or contains no protein chain.
 */
import { type Parsed, unreadable } from '../parsed.ts'
import { counted, listNames } from '../sentences.ts'
import type { Built } from './build-chains.ts'
import { aminoAcidParent } from './residue-names.ts'
import type { Scan } from './scan-atoms.ts'
import { type Chain, type Structure, knownResidues } from './structure.ts'

/** A message for the user who uploaded the file; null if it may be PDB text. */
export function refusalByContent(text: string): string | null {
  const head = text.slice(0, headLength).replaceAll(/\r\n?/g, '\n')
  const format = formats.find(({ isThis }) => isThis(head))
  return format === undefined ? null : format.sentence
}

const headLength = 4_000

/** Bytes above 127 arrive unchanged or as U+FFFD, depending on the decoder. */
const formats: { sentence: string; isThis: (head: string) => boolean }[] = [
  {
    sentence: 'This is a gzip-compressed file. Unpack it and upload the PDB file inside.',
    isThis: (head) => startsWithAny(head, ['\x1f\x8b', '\x1f\ufffd']),
  },
  {
    sentence: 'This is a zip archive. Unpack it and upload the PDB file inside.',
    isThis: (head) => startsWithAny(head, ['PK\x03\x04', 'PK\x05\x06']),
  },
  {
    sentence: 'This is a compressed archive. Unpack it and upload the PDB file inside.',
    isThis: (head) => /^(BZh\d|.?7zXZ|7z[\xbc\ufffd]|Rar!|\(\xb5\/|\ufffd{1,3}\/\ufffd)/.test(head),
  },
  {
    sentence: 'This is a PDF document, not a PDB file.',
    isThis: (head) => head.startsWith('%PDF'),
  },
  {
    sentence: 'This is a web page, not a PDB file. Download the structure itself in PDB format.',
    isThis: (head) => /^\s*(<!doctype html|<html)/i.test(head),
  },
  {
    sentence: 'This is an XML file. Download the structure in PDB format instead.',
    isThis: (head) => /^\s*<(\?xml|\w+:datablock)/.test(head),
  },
  {
    sentence: 'This is a MOL2 file of small molecules. A target is a protein in PDB format.',
    isThis: (head) => head.includes('@<TRIPOS>'),
  },
  {
    sentence: 'This is an SDF or MOL file of small molecules. A target is a protein in PDB format.',
    isThis: (head) => /^.{30,}V[23]000\s*$/m.test(head) || /^\$\$\$\$\s*$/m.test(head),
  },
  {
    sentence: 'This is a sequence file that is not read. Save the protein sequence as FASTA.',
    isThis: (head) =>
      /^(?:LOCUS {2,}|# STOCKHOLM|CLUSTAL|(?:version: *\d+\s+)?sequences:)/.test(head),
  },
  {
    sentence: 'This is a JSON file, not a PDB file.',
    isThis: (head) => /^\s*[{[]\s*["{[\]}]/.test(head),
  },
  {
    sentence:
      'This is UTF-16 text. Save the file as plain text (UTF-8 or ASCII) and upload it again.',
    isThis: (head) =>
      /^([\xff\xfe\ufffd]{2})?([\x20-\x7e\r\n]\0){8}/.test(head) ||
      /^(\0[\x20-\x7e]){8}/.test(head),
  },
  { sentence: 'This is a binary file, not PDB text.', isThis: isBinary },
]

function startsWithAny(head: string, starts: readonly string[]): boolean {
  return starts.some((start) => head.startsWith(start))
}

/** Text contains almost no control characters. */
function isBinary(head: string): boolean {
  let controls = 0
  for (let at = 0; at < head.length; at++) {
    const code = head.charCodeAt(at)
    if ((code < 32 && code !== 9 && code !== 10 && code !== 13) || code === 0xfffd) controls++
  }
  return controls * 10 > head.length
}

// Files without a protein chain are rejected with a message that names what they contain instead.

type RefusalSources = { structure: Structure; scan: Scan; built: Built; target: Chain | null }

/** The first that applies: unreadable coordinates, no atoms, too short a chain, or what the file contains instead. */
export function refusalWithoutProtein(findings: RefusalSources): Parsed<never> {
  const { scan, target } = findings
  if (scan.unreadableAtoms > scan.atoms) return unreadableAtoms(scan)
  if (scan.atoms + scan.waters === 0) {
    return unreadable(0, scan.records > 0 || scan.format === 'mmCIF' ? onlyHeader(scan) : notPdb)
  }
  if (target !== null) {
    const residues = counted(knownResidues(target), 'residue')
    const known = knownResidues(target) < target.residues.length ? ' of known type' : ''
    const least = `a target needs at least ${targetResiduesMin}`
    return unreadable(0, `The longest protein chain has only ${residues}${known}; ${least}.`)
  }
  return unreadable(0, `${describeContents(findings)}; ${needsProtein}`)
}

/** Minimum residues of a target's protein chain. */
export const targetResiduesMin = 4

const needsProtein = 'a target needs a protein chain.'

function unreadableAtoms({
  unreadableAtoms: count,
  firstUnreadableLine,
  format,
}: Scan): Parsed<never> {
  const lines = count === 1 ? 'an atom line' : counted(count, 'atom line')
  const place =
    format === 'PDB'
      ? 'PDB files keep coordinates in columns 31 to 54'
      : 'mmCIF files keep coordinates in _atom_site.Cartn_x, _y and _z'
  return unreadable(firstUnreadableLine, `The coordinates of ${lines} cannot be read: ${place}.`)
}

function onlyHeader({ format }: Scan): string {
  return `This ${format} file contains no atoms; a target needs coordinates.`
}

const notPdb = 'This is not a PDB file: it has no ATOM records.'

function describeContents({ structure, scan, built }: RefusalSources): string {
  const acids = nucleicAcidsOf(structure.chains)
  if (acids !== null) return `This file contains only ${acids}`
  const names = built.ligands.map((ligand) => ligand.name)
  if (built.incomplete.length > 0) {
    const residues = counted(built.incomplete.length, 'residue')
    return `The file contains ${residues} without alpha carbons (${listNames(built.incomplete)})`
  }
  if (names.length > 0 && names.every(isAminoAcid)) {
    return `This file contains only ${counted(names.length, 'free amino acid')} (${listNames(names)})`
  }
  if (names.length > 0) {
    return `This file contains only small molecules or ions (${listNames(names)})`
  }
  return scan.waters > 0 ? 'This file contains only water' : 'This file contains no protein'
}

function isAminoAcid(name: string): boolean {
  return aminoAcidParent(name, new Map()) !== null
}

function nucleicAcidsOf(chains: readonly Chain[]): string | null {
  const nucleic = chains.filter((chain) => chain.kind === 'nucleic acid')
  if (nucleic.length === 0) return null
  const dna = nucleic.filter(isDna).length
  if (dna === 0) return 'RNA'
  return dna === nucleic.length ? 'DNA' : 'DNA and RNA'
}

/** Old files use the same names for both; DNA has thymine and no 2' oxygen. */
function isDna(chain: Chain): boolean {
  return !chain.residues.some((residue) => residue.atoms.some((atom) => atom.name === "O2'"))
}
