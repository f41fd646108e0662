/**
 * Reads a compound file: one molecule per line, `SMILES [name]`. Blank lines, lines that begin with `#` and a header line
 * are ignored; every other line becomes a molecule or a rejected line. A header `SMILES<tab>name<tab>…` makes the file a
 * table, whose further columns are kept. As in C, `#line 12` sets the number of the next line: lines converted from a
 * table or an SD file keep their original numbers.
 */
import { type Parsed, parsed, unreadable } from '../parsed.ts'
import { findFreeName, nameFromStem, readCompoundName } from './compound-name.ts'
import { nameOwnColumns, type OwnCell, readOwnCells, TABLE_LINE_CHARACTERS } from './own-columns.ts'
import { clipText } from '../sentences.ts'
import { smilesLimits } from './rdkit.ts'
import { scanSmiles } from './scan-smiles.ts'

/**
 * A molecule as written in the file. Its SMILES has only passed the scan; an extension, `|…|`, stays after it, for
 * `standardise` to read. Lines count from 1.
 */
export type CompoundLine = { line: number; smiles: string; name: string; own?: OwnCell[] }
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
  /** Columns of a table after SMILES and name, in order; null if the file is not a table. */
  columns: string[] | null
  /** Lines without a name, valid or not, so that correcting one line renames no other. */
  unnamed: number
}

/** `fileStem` names the molecules that have no name: `stem`, `stem#2`, `stem#3`, … */
export function readCompoundLines(text: string, fileStem: string): CompoundLines {
  const body = text.startsWith('\uFEFF') ? text.slice(1) : text
  const foreign = recogniseOtherFile(body)
  if (foreign) return refuseFile(foreign.line, body, foreign.reason)
  const lines = readContentLines(body)
  if (!lines.ok) return refuseFile(lines.line, body, lines.reason)
  const reading = startReading(fileStem, lines.value.heading)
  for (const line of lines.value.lines) readLine(reading, line)
  return { molecules: reading.molecules, rejected: reading.rejected, renamed: reading.renamed }
}

function startReading(fileStem: string, heading: string): Reading {
  return {
    molecules: [],
    rejected: [],
    renamed: [],
    byName: new Map(),
    copies: new Map(),
    stem: nameFromStem(fileStem),
    columns: nameOwnColumns(heading),
    unnamed: 0,
  }
}

function refuseFile(line: number, body: string, reason: string): CompoundLines {
  const text = body.split(/\r\n|\n|\r/, line).at(-1) ?? ''
  return { molecules: [], rejected: [{ line, text: quoted(text), reason }], renamed: [] }
}

function readLine(reading: Reading, { number, text, raw }: ContentLine): void {
  const most = reading.columns === null ? LINE_CHARACTERS_MAX : TABLE_LINE_CHARACTERS
  if (text.length > most) {
    const reason = `The line is ${text.length} characters long; the maximum is ${most}.`
    reading.rejected.push({ line: number, text: quoted(text), reason })
    return
  }
  const { smiles, extended, rest, own } = readCells(reading, { text, raw })
  const given = readCompoundName(rest.split('\t', 1)[0] ?? '')
  if (given.ok && given.name === '') reading.unnamed += 1
  const problem =
    findProblem(smiles, rest) ??
    (given.ok
      ? addMolecule(reading, { line: number, smiles: extended, name: given.name, ...own })
      : given.reason)
  if (problem !== null) reading.rejected.push({ line: number, text: quoted(text), reason: problem })
}

/** The SMILES without and with its extension, and the rest of the line: a name, up to a further tab. */
function splitLine(text: string): { smiles: string; extended: string; rest: string } {
  const [smiles = ''] = text.split(/\s/, 1)
  const behind = text.slice(smiles.length).trim()
  const extension = /^\|[^|]*\|/.exec(behind)?.[0] ?? ''
  const extended = extension === '' ? smiles : `${smiles} ${extension}`
  return { smiles, extended, rest: behind.slice(extension.length).trim() }
}

/** In a table the second cell is the name, even if it is empty, and the cells after it are own columns. */
function readCells({ columns }: Reading, { text, raw }: Pick<ContentLine, 'text' | 'raw'>) {
  if (columns === null) return { ...splitLine(text), own: {} }
  const cells = raw.split('\t')
  const [molecule = '', name] = cells
  const split = splitLine(molecule.trim())
  const own = { own: readOwnCells(columns, cells) }
  return name === undefined ? { ...split, own } : { ...split, rest: name.trim(), own }
}

function findProblem(smiles: string, rest: string): string | null {
  const scan = scanSmiles(smiles)
  if (scan.ok) return null
  const foreign = recogniseOtherNotation(smiles)
  if (foreign !== null) return foreign
  if (isSwapped(smiles, rest)) return 'Put the SMILES first, then the name.'
  return scan.reason
}

/** A word, then a SMILES of more than a few letters. */
function isSwapped(first: string, rest: string): boolean {
  const scan = scanSmiles(rest.split(/\s/, 1)[0] ?? '')
  return /^[\w-]+$/.test(first) && scan.ok && scan.heavyAtoms >= 3
}

/** Returns a reason if the file already has this molecule under this name. */
function addMolecule(reading: Reading, molecule: CompoundLine): string | null {
  const { byName, copies } = reading
  const wanted = molecule.name === '' ? stemName(reading) : molecule.name
  const earlier = byName.get(wanted)
  if (earlier?.smiles === molecule.smiles) {
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

// Lines that should contain a molecule: all but blank lines, comments and the header.

/** Lines count from 1. `raw` is as in the file, `text` without surrounding space. */
type ContentLine = { number: number; text: string; raw: string }
type Content = { heading: string; lines: ContentLine[] }

/** Includes blank lines and comments: a file of nothing else must not take long. */
const FILE_LINES_MAX = 100_000

function readContentLines(body: string): Parsed<Content> {
  const lines: ContentLine[] = []
  let heading = ''
  let isFirst = true
  let shift = 0
  for (const { number: place, ...line } of numberedLines(body)) {
    if (place > FILE_LINES_MAX) return tooMany(place, FILE_LINES_MAX, 'lines')
    if (line.text.startsWith('#')) shift = readShift(line.text, place, lines.at(-1)) ?? shift
    if (line.text === '' || line.text.startsWith('#')) continue
    const number = place + shift
    const isPassedOver = isFirst && isHeading(line.text)
    isFirst = false
    if (isPassedOver) heading = line.raw
    else lines.push({ number, ...line })
    const most = smilesLimits.fileMolecules
    if (lines.length > most) return tooMany(number, most, 'molecules')
  }
  return parsed({ heading, lines })
}

/** How far `#line 12` shifts the numbers of the lines after it; null if a number would repeat. */
function readShift(text: string, place: number, before?: ContentLine): number | null {
  const number = Number(/^#line (\d{1,9})$/.exec(text)?.[1] ?? 0)
  return number > (before?.number ?? 0) ? number - place - 1 : null
}

function* numberedLines(body: string): Generator<ContentLine> {
  const endings = /\r\n|\n|\r|$/g
  let from = 0
  for (let number = 1; from <= body.length; number += 1) {
    endings.lastIndex = from
    const end = endings.exec(body)
    const to = end?.index ?? body.length
    const raw = body.slice(from, to)
    yield { number, text: raw.trim(), raw }
    from = to + Math.max(1, end?.[0].length ?? 1)
  }
}

/** Whether a line names columns: `smiles`, `SMILES<tab>Name`, `canonical_smiles,id`, `Name SMILES`, … */
function isHeading(text: string): boolean {
  const words = text.slice(0, 200).replaceAll(/["']/g, '')
  const [first = '', ...others] = words.split(/[\s,;]+/, 4)
  const isColumn = (word: string) => /^(?:[a-z_]*smiles[a-z_]*|smi)$/i.test(word)
  const isKey =
    /^(?:canonical|isomeric|name|title|id|(?:compound|molecule|drug|ligand)(?:_?(?:id|name))?)$/i
  return isColumn(first) || (isKey.test(first) && others.some(isColumn))
}

function tooMany(line: number, most: number, what: string): Parsed<never> {
  const limit = most.toLocaleString('en')
  return unreadable(line, `The file has more than ${limit} ${what}. Split it.`)
}

/** Enough of a file to recognise its format. */
const START_CHARACTERS = 20_000

type Sign = readonly [pattern: RegExp, reason: string]

/** Searched for at the start of the file, in this order. */
const fileSigns: readonly Sign[] = [
  [
    // oxlint-disable-next-line no-control-regex -- the mark of a zip archive
    /^PK[\u0003\u0005]/,
    'This is a zip archive or an Office document; save the list as plain text.',
  ],
  [/^%PDF-/, 'This is a PDF; save the list as plain text.'],
  [/^\uFFFD{0,2}(?:[^\0]\0[^\0]\0|\0[^\0]\0)/, 'This text is stored as UTF-16; save it as UTF-8.'],
  // oxlint-disable-next-line no-control-regex -- text never contains it
  [/\0/, 'This is not a text file.'],
  [
    /^(?:HEADER|COMPND|REMARK|CRYST1|MODEL |ATOM {2}|HETATM)/,
    'This is a PDB structure file: it is a target, not a list of compounds.',
  ],
  [
    /^[^\n]*V[23]000 *$|^M {2}END *$|^\$\$\$\$ *$/m,
    'This is an SD or MOL file; convert it to a list of SMILES first.',
  ],
  [/^@<TRIPOS>/m, 'This is a MOL2 file; convert it to a list of SMILES first.'],
  [/^\$RXN/, 'This is a reaction file; convert its molecules to SMILES first.'],
  [/^(?:#[^\n]*\n|\s)*data_/, 'This is a CIF file; upload a list of SMILES.'],
  [/^\s*>/, 'This is a FASTA sequence file; upload a list of SMILES.'],
  [/^\s*<[!?A-Za-z]/, 'This is a web page or XML file; upload a list of SMILES.'],
  [/^\s*\{/, 'This is a JSON file; upload a list of SMILES.'],
]

const lineSigns: readonly Sign[] = [
  [/^"?InChI=/i, 'This is an InChI; convert it to a SMILES first.'],
  [/^[A-Z]{14}-[A-Z]{10}-[A-Z]$/, 'This is an InChIKey, which does not contain the structure.'],
  [/^[^\s,;]+[,;]/, 'This looks like a table row. Put a space or tab between SMILES and name.'],
  [/^"/, 'This looks like a table row. Remove the quotation marks.'],
]

/** The line and a reason if the file has another format; null if it may be a list. */
function recogniseOtherFile(text: string): { line: number; reason: string } | null {
  const start = text.slice(0, START_CHARACTERS).replaceAll('\r\n', '\n').replaceAll('\r', '\n')
  for (const [pattern, reason] of fileSigns) {
    const match = pattern.exec(start)
    if (match) return { line: start.slice(0, match.index).split('\n').length, reason }
  }
  return null
}

/** A reason if the first word of a line is a known notation other than SMILES. */
function recogniseOtherNotation(word: string): string | null {
  return lineSigns.find(([pattern]) => pattern.test(word))?.[1] ?? null
}
