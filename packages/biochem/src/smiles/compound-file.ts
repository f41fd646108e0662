/**
 * Reads a compound file: one molecule a line, `SMILES [name]`. Blank lines, lines that begin with `#`
 * and a heading are passed over; every other line comes back as a molecule or as a rejected line.
 */
import { findFreeName, nameFromStem, readCompoundName } from './compound-name.ts'
import { clipText } from './clip-text.ts'
import { type ContentLine, readContentLines } from './content-lines.ts'
import { findForeignFile, findForeignWord } from './foreign-content.ts'
import { scanSmiles } from './scan-smiles.ts'

/**
 * A molecule as the file has it. Its SMILES has passed the scan and no more; an extension, `|…|`, stays
 * behind it, for `standardise` to judge. Lines count from 1.
 */
export type CompoundLine = { line: number; smiles: string; name: string }
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
  /** Lines without a name, good or bad: mending one line renames no other. */
  unnamed: number
}

/** `fileStem` names the molecules that have no name: `stem`, `stem#2`, `stem#3`, … */
export function readCompoundLines(text: string, fileStem: string): CompoundLines {
  const body = text.startsWith('\uFEFF') ? text.slice(1) : text
  const foreign = findForeignFile(body)
  if (foreign) return refuseFile(foreign.line, body, foreign.reason)
  const lines = readContentLines(body)
  if (!lines.ok) return refuseFile(lines.line, body, lines.reason)
  const reading = startReading(fileStem)
  for (const line of lines.value) readLine(reading, line)
  return { molecules: reading.molecules, rejected: reading.rejected, renamed: reading.renamed }
}

function startReading(fileStem: string): Reading {
  return {
    molecules: [],
    rejected: [],
    renamed: [],
    byName: new Map(),
    copies: new Map(),
    stem: nameFromStem(fileStem),
    unnamed: 0,
  }
}

function refuseFile(line: number, body: string, reason: string): CompoundLines {
  const text = body.split(/\r\n|\n|\r/, line).at(-1) ?? ''
  return { molecules: [], rejected: [{ line, text: clip(text), reason }], renamed: [] }
}

function readLine(reading: Reading, { number, text }: ContentLine): void {
  if (text.length > LINE_CHARACTERS_MAX) {
    const reason = `The line is ${text.length} characters long; ${LINE_CHARACTERS_MAX} is the most.`
    reading.rejected.push({ line: number, text: clip(text), reason })
    return
  }
  const { smiles, extended, rest } = splitLine(text)
  const given = readCompoundName(rest.split('\t', 1)[0] ?? '')
  if (given.ok && given.name === '') reading.unnamed += 1
  const problem =
    findProblem(smiles, rest) ??
    (given.ok
      ? addMolecule(reading, { line: number, smiles: extended, name: given.name })
      : given.reason)
  if (problem !== null) reading.rejected.push({ line: number, text: clip(text), reason: problem })
}

/** The SMILES without and with its extension, and what follows: a name, up to a further tab. */
function splitLine(text: string): { smiles: string; extended: string; rest: string } {
  const [smiles = ''] = text.split(/\s/, 1)
  const behind = text.slice(smiles.length).trim()
  const extension = /^\|[^|]*\|/.exec(behind)?.[0] ?? ''
  const extended = extension === '' ? smiles : `${smiles} ${extension}`
  return { smiles, extended, rest: behind.slice(extension.length).trim() }
}

function findProblem(smiles: string, rest: string): string | null {
  const scan = scanSmiles(smiles)
  if (scan.ok) return null
  const foreign = findForeignWord(smiles)
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

function clip(text: string): string {
  const clipped = clipText(text, TEXT_CHARACTERS)
  const isWhole = clipped.length === text.length
  return clipped.replaceAll(/\p{Cc}/gu, ' ') + (isWhole ? '' : '…')
}
