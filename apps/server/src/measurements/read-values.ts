/**
 * Reads measured values in chemists' notations, one compound, value and unit per line, from a file or pasted from a
 * table. Every line gets a result: a value as pK, or a sentence that says what is wrong.
 */
import type { MeasurementImport, MeasurementType, MeasurementUnit } from '@pkdex/contract'
import {
  isSmilesHeading,
  isTypeHeading,
  isUnitHeading,
  isValueHeading,
  readKind,
  type SpokenKind,
} from '@pkdex/contract'
import { type Separator, splitCells, VALUE_CHARACTERS_MAX } from './split-cells.ts'

export type MeasuredLine = {
  line: number
  /** As written in the import. */
  text: string
  /** Name in the list, or SMILES if the line has no name. */
  compound: string
  /** Identifies the molecule: SMILES, or one of the user's names. */
  molecule: string
  measured: MeasuredValue
}

export type MeasuredValue = {
  type: MeasurementType
  pk: number
  bound: 'upper' | 'lower' | null
  /** As shown to the user: `> 10 µM`. */
  value: string
}

type Rejected = { line: number; text: string; reason: string }
export type MeasuredLines = { lines: MeasuredLine[]; rejected: Rejected[]; hasHeader: boolean }

type Read<T> = ({ ok: true } & T) | { ok: false; reason: string }

/** Default type and unit for values that state none. */
type Kind = { type: MeasurementType; unit: MeasurementUnit | undefined }

export function readImport({ text, values, type, unit }: MeasurementImport): MeasuredLines {
  const otherwise = { type, unit }
  const read: MeasuredLines = { lines: [], rejected: [], hasHeader: false }
  const take = (line: number, raw: RawLine) => {
    const molecule = raw.compound.trim()
    const compound = raw.name?.trim() || molecule
    const flaw = flawOf(raw.text, compound) ?? flawOf(raw.text, molecule)
    const measured =
      flaw === null ? readValue(raw.value, raw.kind) : { ok: false as const, reason: flaw }
    const said = raw.text.slice(0, SHOWN_CHARACTERS)
    if (measured.ok) read.lines.push({ line, text: said, compound, molecule, ...measured })
    else read.rejected.push({ line, text: said, reason: measured.reason })
  }
  for (const [place, row] of (values ?? []).entries()) {
    const kind = { type: row.type ?? type, unit: row.unit ?? unit }
    const raw = { compound: row.compound, value: String(row.value), kind }
    take(place + 1, { ...raw, text: `${row.compound} ${row.value}` })
  }
  if (text !== undefined) {
    const { lines, hasHeader } = splitText(text, otherwise)
    read.hasHeader = hasHeader
    for (const { line, raw } of lines) take(line, raw)
  }
  return read
}

const SHOWN_CHARACTERS = 120

/** Longer lines are refused unread: the regular expressions below may take quadratic time. */
const LINE_CHARACTERS_MAX = 5000

function flawOf(text: string, compound: string): string | null {
  if (text.length > LINE_CHARACTERS_MAX) {
    return `The line is longer than ${LINE_CHARACTERS_MAX.toLocaleString('en')} characters.`
  }
  if (compound === '') return 'The compound is missing.'
  return /\p{Cc}/u.test(compound) ? 'It contains a control character.' : null
}

type RawLine = { text: string; compound: string; name?: string; value: string; kind: Kind }
type SplitText = { lines: { line: number; raw: RawLine }[]; hasHeader: boolean }

/** Columns, by name if there is a header line, otherwise compound, value, unit, type. */
function splitText(text: string, otherwise: Kind): SplitText {
  const lines = text
    .replace(/^\uFEFF/, '')
    .split(/\r\n|\r|\n/)
    .map((said, index) => ({ line: index + 1, said }))
    .filter(({ said }) => said.trim() !== '')
  const [first] = lines
  if (first === undefined) return { lines: [], hasHeader: false }
  const separator = separatorOf(lines.map(({ said }) => said))
  const header = readHeader(splitCells(first.said, separator))
  const columns = header ?? plainColumns
  const rows = (header === null ? lines : lines.slice(1)).map(({ line, said }) => {
    if (said.length > LINE_CHARACTERS_MAX) return { line, raw: unread(said, otherwise) }
    const cells = splitCells(said, separator)
    const cell = (column: number | null) => (column === null ? '' : (cells[column] ?? ''))
    const spoken = readKind(`${cell(columns.unit)} ${cell(columns.type)}`)
    const kind = {
      type: spoken.type ?? columns.kind.type ?? otherwise.type,
      unit: spoken.unit ?? columns.kind.unit ?? otherwise.unit,
    }
    // A comma may be a decimal comma only if commas do not separate the columns.
    const value = cell(columns.value)
    const plain = separator === ',' ? value : withDecimalPoint(value)
    const [compound, name] = [cell(columns.compound), cell(columns.name)]
    // A line without SMILES is looked up by its name.
    return { line, raw: { text: said, compound: compound || name, name, value: plain, kind } }
  })
  return { lines: rows, hasHeader: header !== null }
}

function unread(text: string, kind: Kind): RawLine {
  return { text, compound: '', value: '', kind }
}

/** Replaces the comma in `12,5 nM` by a point; several commas separate thousands. */
function withDecimalPoint(value: string): string {
  const at = value.indexOf(',')
  const isDecimal = at !== -1 && at === value.lastIndexOf(',') && /\d/.test(value[at + 1] ?? '')
  return isDecimal ? `${value.slice(0, at)}.${value.slice(at + 1)}` : value
}

/** The separator that splits the most lines into columns; SMILES contain no tab, semicolon or comma. */
function separatorOf(lines: string[]): Separator {
  const sharesOf = (separator: string) => lines.filter((line) => line.includes(separator)).length
  for (const separator of ['\t', ';', ','] as const) {
    if (sharesOf(separator) > lines.length / 2) return separator
  }
  return ' '
}

type Columns = {
  /** The SMILES column if there is one, otherwise the compound's name. */
  compound: number
  name: number | null
  value: number
  unit: number | null
  type: number | null
  /** Type and unit stated in the heading of the value column. */
  kind: SpokenKind
}

const plainColumns: Columns = { compound: 0, name: null, value: 1, unit: 2, type: 3, kind: {} }

/** A number, with the text allowed before and after it. */
function readNumber(text: string): RegExpExecArray | null {
  if (text.length > VALUE_CHARACTERS_MAX) return null
  return /^([<>≤≥~=≈]*)\s*((?:\d[\d.,']*|\.\d+)(?:e[+-]?\d+)?)\s*(.*)$/isu.exec(text)
}

const compoundWords = /^(compound|name|smiles|molecule|ligand|drug|id|corporate id|sample)\b/i

/** Null if the first line is not a heading: it contains a number, or names no value column. */
function readHeader(cells: string[]): Columns | null {
  const value = cells.findIndex((cell) => isValueHeading(cell))
  if (value === -1 || cells.some((cell) => readNumber(cell) !== null)) return null
  const find = (isIt: (cell: string) => boolean) => {
    const at = cells.findIndex((cell, place) => place !== value && isIt(cell))
    return at === -1 ? null : at
  }
  const smiles = find((cell) => isSmilesHeading(cell))
  const name = find((cell) => compoundWords.test(cell) && !isSmilesHeading(cell))
  return {
    compound: smiles ?? name ?? (value === 0 ? 1 : 0),
    name: smiles === null ? null : name,
    value,
    unit: find(isUnitHeading),
    type: find(isTypeHeading),
    kind: readKind(cells[value] ?? ''),
  }
}

/** `>10`, `< 5.0`, `12 nM`. */
export function readValue(text: string, kind: Kind): Read<{ measured: MeasuredValue }> {
  const said = text.trim()
  if (said === '') return refuse('The value is missing.')
  const found = readNumber(said)
  const number = numberOf(found?.[2])
  if (found === null || number === null) return refuse(`“${shorten(said)}” is not a number.`)
  const [rest, spoken] = [found[3], readKind(found[3] ?? '')]
  if (rest && spoken.unit === undefined && spoken.type === undefined) {
    return refuse(`“${rest}” is not a unit: write nM, µM or pKd.`)
  }
  return toMeasured(relationOf(found[1]), number, { ...kind, ...spoken })
}

function shorten(text: string): string {
  return text.length > VALUE_CHARACTERS_MAX ? `${text.slice(0, VALUE_CHARACTERS_MAX)}…` : text
}

/** Commas and apostrophes may separate thousands. */
function numberOf(digits: string | undefined): number | null {
  const number = Number(digits?.replaceAll(/[,']/g, ''))
  return Number.isFinite(number) ? number : null
}

function toMeasured(relation: Relation, number: number, { type, unit }: Kind): Answer {
  if (unit === undefined) return refuse('The unit is missing: add nM, µM, pKd, pKi or pIC50.')
  return unit === 'p' ? asPk(relation, number, type) : asConcentration(relation, number, unit, type)
}

function refuse(reason: string): { ok: false; reason: string } {
  return { ok: false, reason }
}

/** Direction of a bound: above, below, or exact. */
type Relation = '>' | '<' | ''

function relationOf(sign = ''): Relation {
  const [isMore, isLess] = [/[>≥]/u.test(sign), /[<≤]/u.test(sign)]
  if (isMore === isLess) return ''
  return isMore ? '>' : '<'
}

const exponents = { pM: -12, nM: -9, µM: -6, mM: -3, M: 0 } as const
/** No assay measures concentrations beyond this. */
const PK_MIN = 0
const PK_MAX = 16

type Answer = Read<{ measured: MeasuredValue }>

function asPk(relation: Relation, pk: number, type: MeasurementType): Answer {
  if (pk < PK_MIN || pk > PK_MAX) {
    return refuse(`p${type} ${pk} is outside the range 0 to 16. Is it a concentration?`)
  }
  const bounds = { '>': 'lower', '<': 'upper', '': null } as const
  const value = [`p${type}`, relation, pk].filter((part) => part !== '').join(' ')
  return { ok: true, measured: { type, pk, bound: bounds[relation], value } }
}

/** A higher concentration is a lower pK. */
function asConcentration(
  relation: Relation,
  number: number,
  unit: keyof typeof exponents,
  type: MeasurementType,
): Answer {
  if (number <= 0) return refuse('The concentration must be greater than 0.')
  const pk = -(Math.log10(number) + exponents[unit])
  if (pk < PK_MIN || pk > PK_MAX) {
    return refuse(`${number} ${unit} is outside the measurable range. Check the unit.`)
  }
  const bounds = { '>': 'upper', '<': 'lower', '': null } as const
  const value = [type, relation, number, unit].filter((part) => part !== '').join(' ')
  return { ok: true, measured: { type, pk, bound: bounds[relation], value } }
}
