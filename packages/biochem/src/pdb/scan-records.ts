/**
 * Reads the lines of a PDB file into residues and annotations (titles, SEQRES, modified residues,
 * secondary structure), in one pass and with bounded memory. Columns follow the wwPDB 3.3 format.
 */
import { type Parsed, parsed, unreadable } from '../parsed.ts'
import { residueNumber, splitLines } from './columns.ts'
import { type Scan, emptyScan, scanAtom } from './scan-atoms.ts'
import type { AtomName, SecondaryRange } from './structure.ts'

/** Maximum number of atoms, without water; a ribosome has 150,000. */
export const atomsMax = 250_000

const lineLengthMax = 100

/** Fails at the line that exceeds the maximum number of atoms. */
export function scanRecords(text: string): Parsed<Scan> {
  const scan = emptyScan()
  let lineNumber = 0
  for (const line of splitLines(text, lineLengthMax)) {
    lineNumber++
    scanLine(scan, line, lineNumber)
    if (scan.atoms > atomsMax) return unreadable(lineNumber, tooManyAtoms)
  }
  return parsed(scan)
}

export const tooManyAtoms =
  `This file has more than ${atomsMax.toLocaleString('en')} atoms besides water. ` +
  'Save only the protein you need and upload that.'

function scanLine(scan: Scan, line: string, lineNumber: number): void {
  const code = line.charCodeAt(0)
  const isHetero = code === 72 && line.startsWith('HETATM')
  if (isHetero || (code === 65 && line.startsWith('ATOM'))) {
    scan.records++
    if (isInFirstModel(scan, isHetero)) scanAtom(scan, line, { isHetero, lineNumber })
    return
  }
  const read = annotations.get(line.slice(0, 6).trimEnd())
  if (read === undefined) return
  scan.records++
  read(scan, line)
}

/** Models count only if they contain ATOM records; anything after END is ignored. */
function isInFirstModel(scan: Scan, isHetero: boolean): boolean {
  if (scan.hasEnded) {
    scan.goesOnAfterEnd = true
    return false
  }
  if (scan.isBetweenModels && !isHetero) {
    scan.models++
    scan.isBetweenModels = false
  }
  return scan.models === 0 || (scan.models === 1 && !scan.isBetweenModels)
}

// Records other than atoms.

type ReadAnnotation = (scan: Scan, line: string) => void

/** By record name; other records are ignored. */
const annotations = new Map<string, ReadAnnotation>([
  ['HEADER', readHeader],
  ['TITLE', readTitle],
  ['COMPND', readCompound],
  ['SEQRES', readSeqres],
  ['MODRES', readModres],
  ['HELIX', readHelix],
  ['SHEET', readSheet],
  ['LINK', readLink],
  ['MODEL', endModel],
  ['ENDMDL', endModel],
  ['TER', endRun],
  ['END', endFile],
])

function readHeader(scan: Scan, line: string): void {
  const code = line.slice(62, 66).trim()
  if (/^[0-9][0-9A-Za-z]{3}$/.test(code)) scan.pdbCode ??= code.toUpperCase()
}

function readTitle(scan: Scan, line: string): void {
  if (scan.title.length >= titleLengthMax) return
  scan.title = continued(scan.title, freeText(scan, line))
}

function readCompound(scan: Scan, line: string): void {
  if (scan.compound.length >= titleLengthMax) return
  scan.compound = continued(scan.compound, freeText(scan, line))
}

/** A hyphen at the end of a line belongs inside a word. */
function continued(text: string, more: string): string {
  return /\S-$/.test(text) ? text + more : `${text} ${more}`
}

/** Old files end each line with their code and line number. */
function freeText(scan: Scan, line: string): string {
  const isTagged = scan.pdbCode !== null && line.slice(72, 76) === scan.pdbCode
  return line.slice(10, isTagged ? 72 : 80).trim()
}

function readSeqres(scan: Scan, line: string): void {
  const chainId = line.slice(11, 12).trim()
  const names = scan.seqres.get(chainId) ?? []
  if (names.length > seqresLengthMax) return
  for (const name of line.slice(19, 70).toUpperCase().split(' ')) if (name !== '') names.push(name)
  scan.seqres.set(chainId, names)
}

function readModres(scan: Scan, line: string): void {
  const name = line.slice(12, 15).trim().toUpperCase()
  const parent = line.slice(24, 27).trim().toUpperCase()
  if (name !== '' && parent !== '' && scan.modres.size < rangesMax) scan.modres.set(name, parent)
}

function readHelix(scan: Scan, line: string): void {
  const from = {
    number: residueNumber(line.slice(21, 25)),
    insertionCode: line.slice(25, 26).trim(),
  }
  const to = { number: residueNumber(line.slice(33, 37)), insertionCode: line.slice(37, 38).trim() }
  addRange(scan, 'helix', line.slice(19, 20).trim(), { from, to })
}

function readSheet(scan: Scan, line: string): void {
  const from = {
    number: residueNumber(line.slice(22, 26)),
    insertionCode: line.slice(26, 27).trim(),
  }
  const to = { number: residueNumber(line.slice(33, 37)), insertionCode: line.slice(37, 38).trim() }
  addRange(scan, 'strand', line.slice(21, 22).trim(), { from, to })
}

/** Not to copies of a crystal's neighbour cell, which the file does not contain. */
function readLink(scan: Scan, line: string): void {
  if (line.slice(59, 65).trim() !== line.slice(66, 72).trim()) return
  addLink(
    scan,
    [12, 42].map((from) => ({
      atom: line.slice(from, from + 4).trim(),
      residue: line
        .slice(from + 5, from + 8)
        .trim()
        .toUpperCase(),
      chainId: line.slice(from + 9, from + 10).trim(),
      number: residueNumber(line.slice(from + 10, from + 14)),
    })),
  )
}

type LinkEnd = Omit<AtomName, 'number'> & { number: number | null }

export function addLink(scan: Scan, [one, other]: LinkEnd[]): void {
  if (one === undefined || other === undefined || scan.links.length >= rangesMax) return
  if (one.number === null || other.number === null) return
  scan.links.push([
    { ...one, number: one.number },
    { ...other, number: other.number },
  ])
}

type Place = { number: number | null; insertionCode: string }

export function addRange(
  scan: Scan,
  kind: SecondaryRange['kind'],
  chainId: string,
  { from, to }: { from: Place; to: Place },
): void {
  if (from.number === null || to.number === null || scan.secondary.length >= rangesMax) return
  scan.secondary.push({
    kind,
    chainId,
    from: { ...from, number: from.number },
    to: { ...to, number: to.number },
  })
}

function endModel(scan: Scan): void {
  scan.isBetweenModels = true
}

/** The chain's polymer ends here, whatever follows with its identifier. */
export function endRun(scan: Scan): void {
  const run = scan.lastRun
  if (run === null || scan.models > 1) return
  run.isClosedByTer = true
  scan.hasTer.add(run.chainId)
  scan.openRuns.delete(run.chainId)
}

function endFile(scan: Scan): void {
  if (scan.models > 0) scan.hasEnded = true
}

export const titleLengthMax = 400
export const seqresLengthMax = 50_000
export const rangesMax = 20_000
