/**
 * Sorts the lines of a PDB file into residues and annotations, in one pass and with bounded memory.
 * Columns follow the wwPDB 3.3 format; nothing is decided here about chains or chemistry.
 */
import { type Parsed, parsed, unreadable } from '../parsed.ts'
import { annotations } from './scan-annotations.ts'
import { scanAtom } from './scan-atom.ts'
import { emptyScan, type Scan } from './scan.ts'
import { splitLines } from './split-lines.ts'

/** Atoms that are read at most, water aside; a ribosome has 150,000. */
export const atomsMax = 250_000

const lineLengthMax = 100

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

const tooManyAtoms =
  `This file has more than ${atomsMax.toLocaleString('en')} atoms besides water. ` +
  'Save the protein of interest alone and upload that.'

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

/** Models count only where they hold ATOM records; whatever follows END is left out. */
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
