/**
 * Measured values in a table or in pasted lines of compound, value and unit. Every line gets a result: a value as pK,
 * or a sentence that says what is wrong. What is filled and not understood is never given a default.
 */
import { IMPORTED_LINES_MAX, type MeasurementType, type MeasurementUnit } from '@pkdex/contract'
import { type Column, isSmilesLike } from './columns.ts'
import { foreignText } from './foreign.ts'
import { plain, readScale, readType, refuseUnit, type Scale } from './kinds.ts'
import {
  type ChosenColumns,
  chooseValueColumns,
  headingKind,
  type ValueColumns,
} from './value-columns.ts'
import { type Comma, commaOf, hasDecimalComma, leadingNumber } from './marks.ts'
import { isSdf } from './sdf.ts'
import { expectLines, splitText, type Table, toTable } from './table.ts'
import {
  type MeasuredValue,
  MORE_CELLS,
  readValue,
  refuseType,
  type Told,
  type ValueKind,
} from './value.ts'
import { splitWords, type ValueLine } from './words.ts'

export type Otherwise = { type: MeasurementType; unit: MeasurementUnit | undefined }

export type MeasuredLine = ValueLine & {
  measured: MeasuredValue
  /** Whether the default type or unit was used. */
  isDefault: { type: boolean; unit: boolean }
}

export type ReadLines = {
  lines: MeasuredLine[]
  rejected: { line: number; text: string; reason: string }[]
}

/** Longer lines are refused unread. */
const LINE_CHARACTERS_MAX = 5000
const SHOWN_CHARACTERS = 120

/** `fromHeading`: what the heading of the values says. `comma`: as chosen, or else by the column. */
export function readLines(
  lines: ValueLine[],
  {
    otherwise,
    fromHeading,
    comma,
  }: { otherwise: Otherwise; fromHeading: Partial<Column>; comma: Comma },
): ReadLines {
  const read: ReadLines = { lines: [], rejected: [] }
  for (const one of lines) {
    const answer = readOne(one, { otherwise, fromHeading, comma })
    const text = one.text.slice(0, SHOWN_CHARACTERS)
    if (answer.ok) {
      read.lines.push({ ...one, text, measured: answer.measured, isDefault: answer.isDefault })
    } else read.rejected.push({ line: one.line, text, reason: answer.reason })
  }
  return read
}

type Context = { otherwise: Otherwise; fromHeading: Partial<Column>; comma: Comma }

function readOne(
  one: ValueLine,
  { otherwise, fromHeading, comma }: Context,
): Told<Pick<MeasuredLine, 'measured' | 'isDefault'>> {
  const flaw = flawOf(one, fromHeading)
  if (flaw !== null) return { ok: false, reason: flaw }
  const own = readOwnKind(one)
  if (!own.ok) return own
  const scale = own.scale ?? fromHeading.scale
  const type = own.type ?? fromHeading.type
  const usual = otherwise.unit === undefined ? undefined : { unit: otherwise.unit, factor: 1 }
  const isNegated = own.scale === undefined ? fromHeading.isNegated : undefined
  const kind: ValueKind = { type: type ?? otherwise.type, scale: scale ?? usual, isNegated, own }
  const answer = readValue({ text: one.value, comma, relation: one.relation }, kind)
  if (!answer.ok) return answer
  const spoken = readValue({ text: one.value, comma, relation: one.relation }, { ...kind, scale })
  return {
    ...answer,
    isDefault: { type: type === undefined && !/ic50|k[di]/i.test(one.value), unit: !spoken.ok },
  }
}

function flawOf({ text, compound, name }: ValueLine, fromHeading: Partial<Column>): string | null {
  if (text.length > LINE_CHARACTERS_MAX) {
    return `The line is longer than ${LINE_CHARACTERS_MAX.toLocaleString('en')} characters.`
  }
  if (compound === '') return 'The compound is missing.'
  if (/\p{Cc}/u.test(compound + name)) return 'It contains a control character.'
  return fromHeading.unread === undefined ? null : refuseUnit(fromHeading.unread)
}

/** The unit and type cells, each of which may hold both words. */
function readOwnKind({ unit, type }: ValueLine): Told<{ scale?: Scale; type?: MeasurementType }> {
  const read: { scale?: Scale; type?: MeasurementType } = {}
  for (const [cell, isUnit] of [
    [unit, true],
    [type, false],
  ] as const) {
    if (cell.trim() === '') continue
    const found = kindOfCell(cell)
    if (found === null) {
      return { ok: false, reason: isUnit ? refuseUnit(cell.trim()) : refuseType(cell.trim()) }
    }
    if (
      found.scale !== undefined &&
      read.scale !== undefined &&
      found.scale.unit !== read.scale.unit
    ) {
      return {
        ok: false,
        reason: `The unit “${unit.trim()}” does not fit the type “${type.trim()}”.`,
      }
    }
    Object.assign(read, found)
  }
  return { ok: true, ...read }
}

function kindOfCell(cell: string): { scale?: Scale; type?: MeasurementType } | null {
  const whole = readScale(cell)
  if (whole !== null) return { scale: whole }
  const quantity = readType(cell)
  if (quantity?.type !== undefined) {
    return { type: quantity.type, ...(quantity.isLog && { scale: { unit: 'p', factor: 1 } }) }
  }
  const [first = '', ...rest] = cell.trim().split(/\s+/)
  const [type, scale] = [
    readType(first)?.type,
    rest.length === 0 ? null : readScale(rest.join(' ')),
  ]
  return type === undefined || scale === null ? null : { type, scale }
}

/** The rows of a table as lines to read. */
export function linesOf(
  { rows, lines, overfull }: Pick<Table, 'rows' | 'lines' | 'overfull'>,
  columns: ValueColumns,
): ValueLine[] {
  const cell = (row: string[], column: number | null) =>
    column === null ? '' : (row[column] ?? '').trim()
  return rows.flatMap((row, at) => {
    if (row.every((one) => one.trim() === '')) return []
    const [compound, name] = [cell(row, columns.compound), cell(row, columns.name)]
    const [value, unit, type, relation] = [
      columns.value,
      columns.unit,
      columns.type,
      columns.relation,
    ].map((column) => cell(row, column))
    return [
      {
        line: lines[at] ?? at + 1,
        text: row.join('\t').trim(),
        compound: compound || name,
        name,
        value: overfull?.has(at) === true ? `${value} ${MORE_CELLS}` : (value ?? ''),
        unit: unit ?? '',
        type: type ?? '',
        relation: relation ?? '',
      },
    ]
  })
}

export type ValueText = {
  lines: ValueLine[]
  fromHeading: Partial<Column>
  comma: Comma
  hasHeader: boolean
  /** Lines above the heading, which are not read. */
  above: { line: number; text: string; reason: string }[]
  /** Why nothing can be read. */
  problem: string | null
}

/** A table, with or without a heading, or lines of words. Throws an error with a message for the user. */
export function splitValues(text: string): ValueText {
  const foreign = isSdf(text)
    ? 'This is an SD file: import it as a file, or send a table of SMILES and values.'
    : foreignText(text)
  if (foreign !== null) throw new Error(foreign)
  // Twice the maximum, because cells may have several lines.
  expectLines(text, 2 * IMPORTED_LINES_MAX)
  const reason = `The line is longer than ${LINE_CHARACTERS_MAX.toLocaleString('en')} characters.`
  const long: ValueText['above'] = []
  const body = text
    .split(/\r\n|\r|\n/)
    .map((line, at) => {
      if (line.length <= LINE_CHARACTERS_MAX) return line
      long.push({ line: at + 1, text: line.slice(0, SHOWN_CHARACTERS), reason })
      return ''
    })
    .join('\n')
  const split = splitShort(body)
  return { ...split, above: [...long, ...split.above] }
}

/** The lines of a text; without a column of values, every line is refused. Throws an error with a message for the user. */
export function readValueText(
  text: string,
  otherwise: Otherwise,
): ReadLines & { hasHeader: boolean } {
  const { problem: reason, lines, above, hasHeader, ...split } = splitValues(text)
  const read =
    reason === null
      ? readLines(lines, { otherwise, ...split })
      : { lines: [], rejected: lines.map((one) => ({ line: one.line, text: one.text, reason })) }
  return { lines: read.lines, rejected: [...above, ...read.rejected], hasHeader }
}

function splitShort(text: string): ValueText {
  const body = text.replace(/^\uFEFF/, '')
  const table = splitText(body) ?? null
  if (table === null) {
    const lines = splitWords(body)
    return {
      lines,
      fromHeading: {},
      comma: commaOf(lines.map(({ value }) => value)),
      hasHeader: false,
      above: [],
      problem: null,
    }
  }
  const { heading, rows, lines: numbers, overfull, hasHeading, titles } = toTable(table, true)
  const isUsual = table.delimiter === ';'
  const chosen = hasHeading
    ? chooseValueColumns({ heading, rows, titles })
    : { columns: plainColumns(rows), rivals: [], doubt: null, notTaken: [] }
  const { columns } = chosen
  const fromHeading: Partial<Column> =
    hasHeading && columns.value !== null ? headingKind(heading[columns.value] ?? '') : {}
  const originals = body.split(/\r\n|\r|\n/)
  const lines = linesOf({ rows, lines: numbers, overfull }, columns).map((one) => ({
    ...one,
    text: originals[one.line - 1] ?? one.text,
  }))
  const isLog = fromHeading.scale?.unit === 'p'
  const comma = commaOf(
    lines.map(({ value }) => value),
    { isUsual, isSeen: hasDecimalComma(rows), isLog },
  )
  const reason = 'It is above the heading of the table.'
  const above = titles.map((title) => ({ ...title, reason }))
  return {
    lines,
    fromHeading,
    comma,
    hasHeader: hasHeading,
    above,
    problem: problemOf(heading, chosen),
  }
}

/** Without a heading: compound, value, unit and type, whatever the order of the last two. */
function plainColumns(rows: string[][]): ValueColumns {
  const swapped =
    rows.length > 0 &&
    rows.every((row) => isSmilesLike(row[1] ?? '') && !isSmilesLike(row[0] ?? ''))
  return swapped
    ? { compound: 1, name: 0, value: 2, unit: 3, type: 4, relation: null }
    : { compound: 0, name: null, value: 1, unit: 2, type: 3, relation: null }
}

function problemOf(
  heading: string[],
  { columns: { value }, rivals, doubt, notTaken }: ChosenColumns,
): string | null {
  const list = (columns: number[]) =>
    columns.map((at) => `“${(heading[at] ?? '').slice(0, 60)}”`).join(', ')
  if (value !== null && rivals.length > 0) {
    return `Several columns could be the value: ${list([value, ...rivals])}. Import one of them at a time.`
  }
  if (value !== null && doubt !== null) {
    return `The column ${list([value])} ${doubt}: write type and unit into its heading, as in “Kd (nM)”.`
  }
  if (value !== null) return null
  const others = notTaken.length === 0 ? '' : ` Not taken: ${list(notTaken)}.`
  return `The table has no column of Kd, Ki or IC50 values.${others}`
}

/** Values without a unit that are more likely pK: all between 3 and 12. */
export function looksLikePk(lines: MeasuredLine[]): boolean {
  const bare = lines.filter(({ isDefault }) => isDefault.unit)
  const numbers = bare.map(({ value }) =>
    Number(leadingNumber(plain(value).replace(/^[\s<>≤≥~=≈]*/u, '')).replace(',', '.')),
  )
  return numbers.length > 0 && numbers.every((number) => number >= 3 && number <= 12)
}
