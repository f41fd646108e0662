/**
 * Names and checks the molecules of a file, whose rows were read before: every row becomes a molecule or a rejected line.
 */
import { findFreeName, nameFromStem, readCompoundName } from './compound-name.ts'
import { keepOwnCells, type OwnCell, TABLE_LINE_CHARACTERS } from './own-columns.ts'
import { clipText } from '../sentences.ts'
import { smilesLimits } from './rdkit.ts'
import { scanSmiles } from './scan-smiles.ts'

/** A row of a file; lines count from 1. */
export type CompoundFileRow = {
  line: number
  text: string
  /** With its extension, `|…|`; empty if there is a block. */
  smiles: string
  /** Empty if it has none. */
  name: string
  /** Cells of further columns; none in a list. */
  own: OwnCell[]
  /** The molecule block of a record of an SD file. */
  block?: string
  /** Why the row has no molecule, or null. */
  reason: string | null
}

/**
 * A molecule as written in the file. Its SMILES has only passed the scan; an extension, `|…|`, stays after it, for
 * `standardise` to read. Lines count from 1.
 */
export type CompoundLine = {
  line: number
  smiles: string
  name: string
  own?: OwnCell[]
  /** Instead of a SMILES, which is then empty. */
  block?: string
}
export type RejectedCompoundLine = { line: number; text: string; reason: string }

export type CompoundLines = {
  /** In file order; names are unique. */
  molecules: CompoundLine[]
  rejected: RejectedCompoundLine[]
  /** Names that an earlier line already has for another molecule, and the names used instead. */
  renamed: { line: number; from: string; to: string }[]
}

const TEXT_CHARACTERS = 80
const LINE_CHARACTERS_MAX = 5000

type Reading = CompoundLines & {
  byName: Map<string, CompoundLine>
  /** Number of molecules per name. */
  copies: Map<string, number>
  stem: string
  /** Lines without a name, valid or not, so that correcting one line renames no other. */
  unnamed: number
}

/** `fileStem` names the molecules that have no name: `stem`, `stem#2`, `stem#3`, … */
export function readCompoundLines(rows: CompoundFileRow[], fileStem: string): CompoundLines {
  const excess = rows[smilesLimits.fileMolecules]
  if (excess !== undefined) return refuseFile(excess)
  const reading: Reading = {
    molecules: [],
    rejected: [],
    renamed: [],
    byName: new Map(),
    copies: new Map(),
    stem: nameFromStem(fileStem),
    unnamed: 0,
  }
  for (const row of rows) readRow(reading, row)
  return { molecules: reading.molecules, rejected: reading.rejected, renamed: reading.renamed }
}

function refuseFile({ line, text }: CompoundFileRow): CompoundLines {
  const most = smilesLimits.fileMolecules.toLocaleString('en')
  const reason = `The file has more than ${most} molecules. Split it.`
  return { molecules: [], rejected: [{ line, text: quoted(text), reason }], renamed: [] }
}

function readRow(reading: Reading, row: CompoundFileRow): void {
  const { line, text, smiles, block } = row
  const most = row.own.length === 0 ? LINE_CHARACTERS_MAX : TABLE_LINE_CHARACTERS
  if (text.length > most) {
    const reason = `The line is ${text.length} characters long; the maximum is ${most}.`
    reading.rejected.push({ line, text: quoted(text), reason })
    return
  }
  const given = readCompoundName(row.name)
  if (given.ok && given.name === '') reading.unnamed += 1
  const own = row.own.length === 0 ? {} : { own: keepOwnCells(row.own) }
  const molecule = { line, smiles, ...own, ...(block !== undefined && { block }) }
  const problem =
    row.reason ??
    (block === undefined ? findProblem(smiles) : null) ??
    (given.ok ? addMolecule(reading, { ...molecule, name: given.name }) : given.reason)
  if (problem !== null) reading.rejected.push({ line, text: quoted(text), reason: problem })
}

/** The extension is checked with the molecule. */
function findProblem(extended: string): string | null {
  const [smiles = ''] = extended.split(' ', 1)
  const scan = scanSmiles(smiles)
  return scan.ok ? null : scan.reason
}

/** Returns a reason if the file already has this molecule under this name. */
function addMolecule(reading: Reading, molecule: CompoundLine): string | null {
  const { byName, copies } = reading
  const wanted = molecule.name === '' ? stemName(reading) : molecule.name
  const earlier = byName.get(wanted)
  if (earlier?.smiles === molecule.smiles && earlier.block === molecule.block) {
    return `Same compound and name as line ${earlier.line}.`
  }
  const name = findFreeName(wanted, byName, copies)
  if (name !== wanted) reading.renamed.push({ line: molecule.line, from: wanted, to: name })
  const named = { ...molecule, name }
  byName.set(name, named)
  reading.molecules.push(named)
  return null
}

function stemName({ stem, unnamed }: Reading): string {
  return unnamed === 1 ? stem : `${stem}#${unnamed}`
}

function quoted(text: string): string {
  const clipped = clipText(text, TEXT_CHARACTERS)
  const isWhole = clipped.length === text.length
  return clipped.replaceAll(/\p{Cc}/gu, ' ') + (isWhole ? '' : '…')
}
