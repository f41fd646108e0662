/**
 * Reads measured values in chemists' notations, one compound, value and unit per line, from a file or pasted from a
 * table. Every line gets a result: a value as pK, or a sentence that says what is wrong.
 */
import type { MeasurementImport, MeasurementType, MeasurementUnit } from '@pkdex/contract'
import {
  guessValueColumns,
  isNameHeading,
  isSmilesHeading,
  readKind,
  readType,
  readUnit,
  roleOf,
  unreadUnitOf,
  type SpokenKind,
  type ValueColumns,
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
type Kind = {
  type: MeasurementType
  unit: MeasurementUnit | undefined
  /** Multiplies the number: in `10^-8 M`, by ten nM. */
  factor?: number | undefined
}

export function readImport({ text, values, type, unit }: MeasurementImport): MeasuredLines {
  const otherwise = { type, unit }
  const read: MeasuredLines = { lines: [], rejected: [], hasHeader: false }
  const take = (line: number, raw: RawLine) => {
    const molecule = raw.compound.trim()
    const compound = raw.name?.trim() || molecule
    const flaw = flawOf(raw.text, compound) ?? flawOf(raw.text, molecule) ?? raw.flaw
    const measured = typeof flaw === 'string' ? refuse(flaw) : readValue(raw.value, raw.kind)
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

/** `flaw`: why the line is refused whatever its value. */
type RawLine = {
  text: string
  compound: string
  name?: string
  value: string
  kind: Kind
  flaw?: string
}
type SplitText = { lines: { line: number; raw: RawLine }[]; hasHeader: boolean }
type Line = { line: number; said: string }

/** Lines above the heading, such as a title, are skipped. */
const HEADING_LINES_MAX = 10

/** Columns, by name if there is a header line, otherwise compound, value, unit, type. */
function splitText(text: string, otherwise: Kind): SplitText {
  const lines = text
    .replace(/^\uFEFF/, '')
    .split(/\r\n|\r|\n/)
    .map((said, index) => ({ line: index + 1, said }))
    .filter(({ said }) => said.trim() !== '' && !/^sep=.$/i.test(said.trim()))
  if (lines.length === 0) return { lines: [], hasHeader: false }
  const separator = separatorOf(lines.map(({ said }) => said))
  const at = lines
    .slice(0, HEADING_LINES_MAX)
    .findIndex(({ said }) => isHeader(splitCells(said, separator)))
  const above = lines.slice(0, Math.max(0, at)).map(({ line, said }) => ({
    line,
    raw: unread(said, otherwise, 'It is above the heading of the table.'),
  }))
  const table = readTable(
    lines.slice(at + 1),
    separator,
    splitCells(lines[at]?.said ?? '', separator),
  )
  return { lines: [...above, ...readRows(table, otherwise)], hasHeader: at !== -1 }
}

type Table = {
  columns: ValueColumns
  /** Type and unit stated in the heading of the value column. */
  kind: SpokenKind
  rows: (Line & { cells: string[] })[]
  /** Why no line can be read: the value column is unknown. */
  flaw: string | undefined
}

const plainColumns = { compound: 0, name: null, value: 1, unit: 2, type: 3, relation: null }

/** `heading`: one empty cell if there is none. */
function readTable(lines: Line[], separator: Separator, heading: string[]): Table {
  const rows = lines.map((line) => ({
    ...line,
    cells: line.said.length > LINE_CHARACTERS_MAX ? [] : splitCells(line.said, separator),
  }))
  const isPlain = heading.every((cell) => cell === '')
  const columns: ValueColumns = isPlain
    ? plainColumns
    : guessValueColumns({ heading, rows: rows.map(({ cells }) => cells) })
  const kind = columns.value === null || isPlain ? {} : readKind(heading[columns.value] ?? '')
  return {
    columns,
    kind,
    rows,
    flaw: flawOfColumn(heading, columns),
  }
}

/** Why the column of values cannot be read. */
function flawOfColumn(heading: string[], { value, unit }: ValueColumns): string | undefined {
  if (value === null) return describeNoValue(heading)
  const said = unit === null ? unreadUnitOf(heading[value] ?? '') : null
  return said === null
    ? undefined
    : `“${said}” is not a unit that is read: use pM, nM, µM, mM, M or pK.`
}

function describeNoValue(heading: string[]): string {
  const named = heading.filter((title) => roleOf(title) === 'value')
  const list = (titles: string[]) => titles.map((title) => `“${shorten(title)}”`).join(', ')
  if (named.length > 1) {
    return `Several columns could be the value: ${list(named)}. Import one of them at a time.`
  }
  const others = heading.filter((title) => roleOf(title) === 'not taken')
  const said = others.length === 0 ? '' : ` Not taken: ${list(others)}.`
  return `The table has no column of Kd, Ki or IC50 values.${said}`
}

function readRows({ columns, kind, rows, flaw }: Table, otherwise: Kind): SplitText['lines'] {
  const values = rows.map(({ cells }) => cells[columns.value ?? -1] ?? '')
  const comma = commaOf(values)
  return rows.map(({ line, said, cells }, at) => {
    if (said.length > LINE_CHARACTERS_MAX) return { line, raw: unread(said, otherwise) }
    const cell = (column: number | null) => (column === null ? '' : (cells[column]?.trim() ?? ''))
    const spoken = readSpoken(cell(columns.unit), cell(columns.type))
    const [compound, name] = [cell(columns.compound), cell(columns.name)]
    const value = withRelation(cell(columns.relation), withPoint(values[at] ?? '', comma))
    const mixed = comma === 'unclear' && (values[at] ?? '').includes(',') ? MIXED_COMMAS : undefined
    const problem = flaw ?? spoken.flaw ?? value.flaw ?? mixed
    const raw = {
      text: said,
      // A line without SMILES is looked up by its name.
      compound: compound || name,
      name,
      value: value.text,
      kind: {
        type: spoken.type ?? kind.type ?? otherwise.type,
        unit: spoken.unit ?? kind.unit ?? otherwise.unit,
        factor: spoken.factor,
      },
      ...(problem !== undefined && { flaw: problem }),
    }
    return { line, raw }
  })
}

function unread(text: string, kind: Kind, flaw?: string): RawLine {
  return { text, compound: 'x', value: '', kind, ...(flaw !== undefined && { flaw }) }
}

type Spoken = Partial<Kind> & { flaw?: string }

/** Unit and type of one line; a filled cell that is neither is a flaw. A unit may state the type: `IC50 nM`. */
function readSpoken(unitCell: string, typeCell: string): Spoken {
  const type = readType(typeCell)
  if (typeCell !== '' && type === null) {
    return { flaw: `“${shorten(typeCell)}” is not Kd, Ki or IC50, so its value is not taken.` }
  }
  const unit = unitCell === '' ? {} : readRest(unitCell)
  if (unit === null) {
    return {
      flaw: `“${shorten(unitCell)}” is not a unit that is read: use pM, nM, µM, mM, M or pK.`,
    }
  }
  const log = type?.isLog ? { unit: 'p' as const } : {}
  return { ...log, ...unit, ...(type && { type: type.type }) }
}

/** Adds the sign of a column of relations to the value. */
function withRelation(cell: string, value: string): { text: string; flaw?: string } {
  const sign = cell.replaceAll(/['"\s]/g, '')
  if (sign === '' || sign === '=') return { text: value }
  if (!/^(?:[<>~≤≥≈]{1,2}|[<>]=)$/u.test(sign)) {
    return { text: value, flaw: `“${shorten(cell)}” is not a relation: use =, <, > or ~.` }
  }
  const own = /^['"\s]*([<>≤≥])/u.exec(value)?.[1]
  if (own !== undefined && relationOf(own) !== relationOf(sign)) {
    return {
      text: value,
      flaw: `The relation “${sign}” contradicts the value “${shorten(value)}”.`,
    }
  }
  return { text: own === undefined ? `${sign}${value}` : value }
}

const MIXED_COMMAS =
  'Commas in the column of values are decimal marks in some lines and separate thousands in others. Use points for decimals.'

type Comma = 'decimal' | 'thousands' | 'unclear'

/** What a comma means is decided once for the column of values. */
function commaOf(values: string[]): Comma {
  const numbers = values.map((value) => /\d[\d.,]*/.exec(value)?.[0] ?? '')
  const withComma = numbers.filter((number) => number.includes(','))
  const isThousands = (number: string) => /^\d{1,3}(?:,\d{3})+(?:\.\d+)?$/.test(number)
  const isDecimal = (number: string) => /^\d*,\d+$/.test(number)
  if (withComma.every(isThousands)) return 'thousands'
  return withComma.every(isDecimal) ? 'decimal' : 'unclear'
}

/** Rewrites `12,5 nM` or `1,234` with a point as decimal mark and no separators. */
function withPoint(value: string, comma: Comma): string {
  if (!value.includes(',') || comma === 'unclear') return value
  return value.replaceAll(/(?<=\d),(?=\d)|^,(?=\d)/g, comma === 'decimal' ? '.' : '')
}

/** The separator that splits the most lines into columns; SMILES contain no tab, semicolon or comma. */
function separatorOf(lines: string[]): Separator {
  const sharesOf = (separator: string) => lines.filter((line) => line.includes(separator)).length
  for (const separator of ['\t', ';', ','] as const) {
    if (sharesOf(separator) > lines.length / 2) return separator
  }
  return ' '
}

/** A number, with the text allowed before and after it. Spaces and apostrophes may separate thousands. */
function readNumber(text: string): RegExpExecArray | null {
  if (text.length > VALUE_CHARACTERS_MAX) return null
  return /^['"]?([<>≤≥~=≈]*)['"]?\s*(\d{1,3}(?:[ '\u00A0\u202F]\d{3})+(?![\d.,])|(?:\d[\d.]*|\.\d+)(?:e[+-]?\d+)?)\s*(.*)$/isu.exec(
    text,
  )
}

const compoundWords = /^(?:compound|name|smiles|molecule|ligand|drug|id|corporate id|sample)\b/i

/** A heading contains no number, and names a column of values, or one that is not taken beside one of compounds. */
function isHeader(cells: string[]): boolean {
  if (cells.length < 2 || cells.some((cell) => readNumber(cell) !== null)) return false
  if (cells.some((cell) => roleOf(cell) === 'value')) return true
  const isCompound = (cell: string) =>
    isSmilesHeading(cell) || isNameHeading(cell) || compoundWords.test(cell)
  return cells.some(isCompound) && cells.some((cell) => roleOf(cell) === 'not taken')
}

/** `>10`, `< 5.0`, `12 nM`, `12 ± 3 nM (n=3)`. */
export function readValue(text: string, kind: Kind): Read<{ measured: MeasuredValue }> {
  const said = withPoint(text.trim(), commaOf([text]))
  if (said === '') return refuse('The value is missing.')
  const found = readNumber(said)
  const number = numberOf(found?.[2])
  if (found === null || number === null) return refuse(`“${shorten(said)}” is not a number.`)
  const rest = withoutError(found[3] ?? '')
  const spoken = rest === '' ? {} : readRest(rest)
  if (spoken === null) return refuse(`“${shorten(rest)}” is not a unit: write nM, µM or pKd.`)
  return toMeasured(relationOf(found[1]), number, { ...kind, ...spoken })
}

/** The text after a number, without its error and the number of replicates. */
function withoutError(text: string): string {
  return text
    .replace(/\(?\bn\s?=\s?\d+\)?/i, '')
    .replace(/(?:±|\+\/-|\+-)\s?\d[\d.,]*/u, '')
    .trim()
}

/** A unit, a type, or both; null for anything else. */
function readRest(text: string): Partial<Kind> | null {
  const words = text.split(/\s+/)
  const first = readType(words[0] ?? '')
  const type = first ?? readType(words.at(-1) ?? '')
  const others = type === null ? words : first === null ? words.slice(0, -1) : words.slice(1)
  const unit = others.length === 0 ? null : readUnit(others.join(' '))
  if (others.length > 0 && unit === null) return null
  return { ...(type && { type: type.type }), ...(type?.isLog && { unit: 'p' as const }), ...unit }
}

function shorten(text: string): string {
  return text.length > VALUE_CHARACTERS_MAX ? `${text.slice(0, VALUE_CHARACTERS_MAX)}…` : text
}

function numberOf(digits: string | undefined): number | null {
  const number = Number(digits?.replaceAll(/[' \u00A0\u202F]/g, ''))
  return Number.isFinite(number) ? number : null
}

function toMeasured(relation: Relation, number: number, { type, unit, factor = 1 }: Kind): Answer {
  if (unit === undefined) return refuse('The unit is missing: add nM, µM, pKd, pKi or pIC50.')
  if (unit === 'p') return asPk(relation, number, type)
  return asConcentration(relation, Number((number * factor).toPrecision(12)), unit, type)
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
