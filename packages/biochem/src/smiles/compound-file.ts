/**
 * Reads a compound file: one molecule a line, `SMILES [name]`. Blank lines, lines that begin with `#`
 * and a heading are passed over; every other line comes back as a molecule or as a rejected line. A
 * heading `SMILES<tab>name<tab>…` makes a table of it: what stands below its further columns is kept.
 */
import { type Parsed, parsed, unreadable } from '../parsed.ts'
import { findFreeName, nameFromStem, readCompoundName } from './compound-name.ts'
import { nameOwnColumns, type OwnCell, readOwnCells, TABLE_LINE_CHARACTERS } from './own-columns.ts'
import { clipText } from '../sentences.ts'
import { smilesLimits } from './rdkit.ts'
import { scanSmiles } from './scan-smiles.ts'

/**
 * A molecule as the file has it. Its SMILES has passed the scan and no more; an extension, `|…|`, stays
 * behind it, for `standardise` to read. Lines count from 1.
 */
export type CompoundLine = { line: number; smiles: string; name: string; own?: OwnCell[] }
export type RejectedCompoundLine = { line: number; text: string; reason: string }

export type CompoundLines = {
  /** In file order; no two names are alike. */
  molecules: CompoundLine[]
  rejected: RejectedCompoundLine[]
  /** Names that an earlier line of the file has for another molecule, and what they became. */
  renamed: { line: number; from: string; to: string }[]
}

const TEXT_CHARACTERS = 80
const LINE_CHARACTERS_MAX = 5000

type Reading = CompoundLines & {
  byName: Map<string, CompoundLine>
  /** How many molecules were given each name. */
  copies: Map<string, number>
  stem: string
  /** Of a table, in its order, behind SMILES and name; null where the file is none. */
  columns: string[] | null
  /** Lines without a name, good or bad: mending one line renames no other. */
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
    const reason = `The line is ${text.length} characters long; ${most} is the most.`
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

/** The SMILES without and with its extension, and what follows: a name, up to a further tab. */
function splitLine(text: string): { smiles: string; extended: string; rest: string } {
  const [smiles = ''] = text.split(/\s/, 1)
  const behind = text.slice(smiles.length).trim()
  const extension = /^\|[^|]*\|/.exec(behind)?.[0] ?? ''
  const extended = extension === '' ? smiles : `${smiles} ${extension}`
  return { smiles, extended, rest: behind.slice(extension.length).trim() }
}

/** A row of a table says which cell is the name, even where it is empty, and has cells of its own. */
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
  if (isSwapped(smiles, rest)) return 'The SMILES comes first on a line, and the name after it.'
  return scan.reason
}

/** A word, then a SMILES of more than a few letters. */
function isSwapped(first: string, rest: string): boolean {
  const scan = scanSmiles(rest.split(/\s/, 1)[0] ?? '')
  return /^[\w-]+$/.test(first) && scan.ok && scan.heavyAtoms >= 3
}

/** The reason where the file has this molecule under this name already. */
function addMolecule(reading: Reading, molecule: CompoundLine): string | null {
  const { byName, copies } = reading
  const wanted = molecule.name === '' ? stemName(reading) : molecule.name
  const earlier = byName.get(wanted)
  if (earlier?.smiles === molecule.smiles) {
    return `Line ${earlier.line} holds the same molecule under the same name.`
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

// Lines that should hold a molecule: no blank ones, comments or heading.

/** Lines count from 1. `raw` is as the file has it, `text` without the space around it. */
type ContentLine = { number: number; text: string; raw: string }
type Content = { heading: string; lines: ContentLine[] }

/** Blank lines and comments included: a file of nothing else must not keep anybody waiting. */
const FILE_LINES_MAX = 100_000

function readContentLines(body: string): Parsed<Content> {
  const lines: ContentLine[] = []
  let heading = ''
  let isFirst = true
  for (const line of numberedLines(body)) {
    if (line.number > FILE_LINES_MAX) return tooMany(line, FILE_LINES_MAX, 'lines')
    if (line.text === '' || line.text.startsWith('#')) continue
    const isPassedOver = isFirst && isHeading(line.text)
    isFirst = false
    if (isPassedOver) heading = line.raw
    else lines.push(line)
    const most = smilesLimits.fileMolecules
    if (lines.length > most) return tooMany(line, most, 'molecules')
  }
  return parsed({ heading, lines })
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

/** A heading names its columns: `smiles`, `SMILES<tab>Name`, `canonical_smiles,id`, `Name SMILES`, … */
function isHeading(text: string): boolean {
  const words = text.slice(0, 200).replaceAll(/["']/g, '')
  const [first = '', ...others] = words.split(/[\s,;]+/, 4)
  const isColumn = (word: string) => /^(?:[a-z_]*smiles[a-z_]*|smi)$/i.test(word)
  const isKey =
    /^(?:canonical|isomeric|name|title|id|(?:compound|molecule|drug|ligand)(?:_?(?:id|name))?)$/i
  return isColumn(first) || (isKey.test(first) && others.some(isColumn))
}

function tooMany(line: ContentLine, most: number, what: string): Parsed<never> {
  const limit = most.toLocaleString('en')
  return unreadable(line.number, `The file holds more than ${limit} ${what}: split it.`)
}

/** Enough of a file to tell by. */
const START_CHARACTERS = 20_000

type Sign = readonly [pattern: RegExp, reason: string]

/** Looked for at the start of the file, in this order. */
const fileSigns: readonly Sign[] = [
  [
    // oxlint-disable-next-line no-control-regex -- the mark of a zip archive
    /^PK[\u0003\u0005]/,
    'This is a zip archive or an Office document; save the list as plain text.',
  ],
  [/^%PDF-/, 'This is a PDF; save the list as plain text.'],
  [/^\uFFFD{0,2}(?:[^\0]\0[^\0]\0|\0[^\0]\0)/, 'This text is stored as UTF-16; save it as UTF-8.'],
  // oxlint-disable-next-line no-control-regex -- no text holds it
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
  [/^(?:#[^\n]*\n|\s)*data_/, 'This is a CIF file; a list of SMILES is needed.'],
  [/^\s*>/, 'This is a FASTA sequence file; a list of SMILES is needed.'],
  [/^\s*<[!?A-Za-z]/, 'This is a web page or XML file; a list of SMILES is needed.'],
  [/^\s*\{/, 'This is a JSON file; a list of SMILES is needed.'],
]

const lineSigns: readonly Sign[] = [
  [/^"?InChI=/i, 'This is an InChI; convert it to a SMILES first.'],
  [/^[A-Z]{14}-[A-Z]{10}-[A-Z]$/, 'This is an InChIKey, which does not hold the molecule itself.'],
  [
    /^[^\s,;]+[,;]/,
    'This looks like a row of a table; write a space or a tab between the SMILES and the name.',
  ],
  [/^"/, 'This looks like a row of a table; write the SMILES without quotation marks.'],
]

/** The place and the reason where the file is of another kind; null where it may be a list. */
function recogniseOtherFile(text: string): { line: number; reason: string } | null {
  const start = text.slice(0, START_CHARACTERS).replaceAll('\r\n', '\n').replaceAll('\r', '\n')
  for (const [pattern, reason] of fileSigns) {
    const match = pattern.exec(start)
    if (match) return { line: start.slice(0, match.index).split('\n').length, reason }
  }
  return null
}

/** The reason where the first word of a line is no SMILES but something else that we know. */
function recogniseOtherNotation(word: string): string | null {
  return lineSigns.find(([pattern]) => pattern.test(word))?.[1] ?? null
}
