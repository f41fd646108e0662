/** Splits text into the rows of a table, and finds its heading. */
import { parse } from 'csv-parse/browser/esm/sync'
import { type Column, columnOf, isSmilesLike, isWholeSmiles } from './columns.ts'
import { plain, readScale, readType } from './kinds.ts'
import type { SdRecord } from './sdf.ts'
import { leadingNumber } from './marks.ts'

/** A tab, semicolon, comma or pipe, or what a first line `sep=:` says. */
type Delimiter = string

/** `line`: the line of the file on which the record begins, from 1. Blank lines are records without text. */
export type TableRecord = { line: number; cells: string[] }

export type TextRecords = { records: TableRecord[]; delimiter: Delimiter }

const DELIMITERS: readonly Delimiter[] = ['\t', ';', ',', '|']
/** Length of the text, and number of records, from which the delimiter is found. */
const START_CHARACTERS = 50_000
const START_RECORDS = 40
/** Wider tables are refused: each column is examined, on the thread that serves all users. */
const COLUMNS_MAX = 1000
/** A heading is looked for in this many records. */
const TITLE_RECORDS_MAX = 15

/** Throws an error with a message for the user; before anything is read, so that a huge text takes no time. */
export function expectLines(text: string, most: number): void {
  const ends = /\r\n?|\n/g
  for (let count = 1; ends.exec(text) !== null; count += 1) {
    if (count < most) continue
    throw new Error(`It has more than ${most.toLocaleString('en')} lines. Split it.`)
  }
}

/** Null for lines of `SMILES name` or `name value`, unless a delimiter is given for texts that show none. Throws an error with a message for the user. */
export function splitText(text: string, otherwise: Delimiter | null = null): TextRecords | null {
  const body = withoutBlankEnd(text.replace(/^\uFEFF/, '').replaceAll(/\r\n?/g, '\n'))
  const told = /^sep=([^\w\s"]|\t)\n/i.exec(body)?.[1]
  // The directive becomes a blank line, so that the numbers of the others stay.
  const table = told === undefined ? body : body.slice(body.indexOf('\n'))
  const delimiter = told ?? delimiterOf(table) ?? otherwise
  return delimiter === null ? null : { records: parseRecords(table, delimiter), delimiter }
}

/** The last row keeps its empty cells. */
function withoutBlankEnd(text: string): string {
  const end = text.indexOf('\n', text.trimEnd().length)
  return end === -1 ? text : text.slice(0, end)
}

/** As bytes: the parser would convert a text to bytes one by one. */
const encoder = new TextEncoder()

function parseRecords(text: string, delimiter: Delimiter, to?: number): TableRecord[] {
  const starts = [1]
  try {
    const cells: string[][] = parse(encoder.encode(text), {
      delimiter,
      relax_column_count: true,
      relax_quotes: true,
      ...(to !== undefined && { to }),
      on_record: (record: string[], context) => {
        starts.push(context.lines + 1)
        expectColumns(record.length)
        return record
      },
    })
    return withoutComments(
      cells.map((record, at) => ({
        line: starts[at] ?? at + 1,
        cells: record.map((cell) => undefused(unwrapped(cell.trim()))),
      })),
    )
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    const line = /line (\d+)/.exec(message)?.[1]
    const reason = /quote/i.test(message)
      ? `a quotation mark is opened and never closed${line ? `, before line ${line}` : ''}`
      : message
    throw new Error(`The table cannot be read: ${reason}`, { cause: error })
  }
}

/** A record is a comment if it has one cell, which begins with `#`; `#line 12` numbers the records after it. */
function withoutComments(records: TableRecord[]): TableRecord[] {
  let shift = 0
  let before = 0
  return records.flatMap(({ line, cells }, at) => {
    const [first = '', ...others] = cells
    if (!first.startsWith('#') || others.some((cell) => cell !== '')) {
      // A heading has no number of its own.
      if (at > 0) before = line + shift
      return [{ line: line + shift, cells }]
    }
    shift = readShift(first, line, before) ?? shift
    return []
  })
}

/** How far `#line 12` shifts the numbers of the lines after it; null if a number would repeat. */
export function readShift(text: string, place: number, before = 0): number | null {
  const number = Number(/^#line (\d{1,9})$/.exec(text)?.[1] ?? 0)
  return number > before ? number - place - 1 : null
}

function expectColumns(count: number): void {
  if (count > COLUMNS_MAX) throw new Error(`More than ${COLUMNS_MAX.toLocaleString('en')} columns.`)
}

/** `="00123"`, by which programs keep Excel from reading a text as a number. */
function unwrapped(cell: string): string {
  return /^="[^"]*"$/.test(cell) ? cell.slice(2, -1) : cell
}

/** A cell of a tab-separated table that is read back unchanged. */
export function writeCell(text: string): string {
  const plain = text.replaceAll(/\s+/g, ' ').trim()
  const kept = undefused(plain) === plain ? plain : `'${plain}`
  return kept.includes('"') ? `"${kept.replaceAll('"', '""')}"` : kept
}

/**
 * A spreadsheet would run text that begins like a formula; an apostrophe, which our imports remove again, prevents that.
 * Numbers, with any decimal mark, and single signs are no formulas. A text that begins with apostrophes before a
 * formula gets one more, so that exactly one is ours.
 */
export function defuse(text: string): string {
  if (/^[+-]?(?:\d[\d.,]*|[.,]\d+)?(?:e[+-]?\d+)?$/i.test(text)) return text
  return /^'*[=+\-@\t\r\n＝＋－＠]/.test(text) ? `'${text}` : text
}

/** Our own files put an apostrophe before a text that a spreadsheet would run; ChEMBL writes the relation `'='` in quotes. */
function undefused(cell: string): string {
  return /^'+[=+\-@＝＋－＠]/.test(cell) && !/^'==?'$/.test(cell) ? cell.slice(1) : cell
}

/** Every one of the first lines has it, or those below a row with known headings do. */
function delimiterOf(text: string): Delimiter | null {
  const start = text.slice(0, START_CHARACTERS)
  const whole = start.length < text.length ? start.slice(0, start.lastIndexOf('\n')) : start
  const lines = whole
    .replaceAll(/"[^"]*"/g, '""')
    .split('\n', START_RECORDS)
    .filter((line) => !/^\s*(?:#|$)/.test(line))
  const found = DELIMITERS.filter((delimiter) => lines.some((line) => line.includes(delimiter)))
  const everywhere = found.filter((one) => one !== '|' && lines.every((line) => line.includes(one)))
  const headed = found.find((one) => isHeaded(whole, one))
  if (headed !== undefined) return headed
  return everywhere.find((one) => !isPlainList(lines, one)) ?? null
}

function isHeaded(text: string, delimiter: Delimiter): boolean {
  const [quoted] = [attempt(() => parseRecords(text, delimiter, START_RECORDS))]
  const records =
    quoted ??
    text.split('\n', START_RECORDS).map((line, at) => ({
      line: at + 1,
      cells: line.split(delimiter, COLUMNS_MAX).map((cell) => cell.trim()),
    }))
  const at = headingAt(records)
  const filled = records.slice(at + 1).filter(({ cells }) => cells.some((cell) => cell !== ''))
  const cut = filled.filter(({ cells }) => cells.length > 1).length
  const heading = records[at]?.cells ?? []
  const isSure = cut > 0 && heading.some(isSmilesHeading)
  return at !== -1 && knownCells(heading) > 1 && (isSure || cut >= filled.length / 2)
}

function attempt<T>(work: () => T): T | null {
  try {
    return work()
  } catch {
    return null
  }
}

/** An upload accepts lines of `SMILES<tab>name` as they are. */
function isPlainList(lines: string[], delimiter: string): boolean {
  return (
    delimiter === '\t' &&
    lines.every((line) => {
      const cells = line.split('\t')
      return cells.length === 2 && isSmilesLike(cells[0] ?? '')
    })
  )
}

/** Cells whose words name the contents of a column. */
function knownCells(cells: string[]): number {
  return cells.filter((cell) => headingRole(cell) !== 'other').length
}

/** What a cell would say as a heading. */
function headingRole(cell: string): Column['role'] {
  return cell === '' || cell.length > 80 ? 'other' : columnOf(cell, []).role
}

function isSmilesHeading(cell: string): boolean {
  return headingRole(cell) === 'smiles'
}

function isPureNumber(cell: string): boolean {
  const plainCell = plain(cell).replace(/^[\s<>≤≥~=≈]+/u, '')
  const number = leadingNumber(plainCell)
  const rest = plainCell.slice(number.length).trim()
  return number !== '' && (rest === '' || readScale(rest) !== null || readType(rest) !== null)
}

/** The record with the most known headings, among the first; -1 if there is none. */
function headingAt(records: TableRecord[]): number {
  let best = { at: -1, known: 0 }
  const roles = new Map<string, Column['role']>()
  const roleOf = (cell: string) => {
    const role = roles.get(cell) ?? headingRole(cell)
    roles.set(cell, role)
    return role
  }
  for (const [at, { cells }] of records.slice(0, TITLE_RECORDS_MAX).entries()) {
    const filled = cells.slice(0, COLUMNS_MAX).filter((cell) => cell !== '')
    const isNamed = filled.some((cell) => roleOf(cell) === 'smiles')
    if (!isNamed && filled.some(isPureNumber)) continue
    const known = filled.filter((cell) => roleOf(cell) !== 'other').length
    const isData =
      filled.some((cell) => isSmilesLike(cell) && cell.length > 4) ||
      (known < 2 && filled.some(isSmilesLike))
    if ((isNamed || !isData) && known > best.known) best = { at, known }
  }
  return best.at
}

/** A table with a heading; `lines` has the line of each row. `hasHeading`: false if the headings are made up. */
export type Table = {
  heading: string[]
  rows: string[][]
  lines: number[]
  hasHeading: boolean
  /** Rows with filled cells beyond the heading, as an unquoted decimal comma makes them; not known of pasted cells. */
  overfull?: ReadonlySet<number> | undefined
  /** What separates the columns of a text. */
  delimiter?: string
  /** Lines before the heading. */
  titles: { line: number; text: string }[]
}

/** The table of a file. */
export type Sheet = Table & {
  /** `list`: lines of `SMILES name`. `records`: of an SD file. */
  kind: 'table' | 'list' | 'records'
  /** Of the rows of an SD file, whose first cell is empty. */
  records: SdRecord[]
  /** The text of the file; empty for a workbook. */
  text: string
  /** The visible sheets of a workbook, and the one that was read. */
  sheets: string[]
  sheet: number
}

/** `isNamed`: a heading has words that are known; else the first record may be one too. */
export function toTable(
  { records, delimiter }: Pick<TextRecords, 'records'> & Partial<TextRecords>,
  isNamed = false,
): Table {
  const width = records.reduce((widest, { cells }) => Math.max(widest, cells.length), 0)
  expectColumns(width)
  const first = Math.max(
    0,
    records.findIndex(({ cells }) => cells.some((cell) => cell !== '')),
  )
  const known = headingAt(records)
  const isHeadless = known === -1 && (isNamed || isData(records.slice(first)))
  const at = known === -1 ? first : known
  const { named, body } = isHeadless
    ? { named: [], body: records.slice(first) }
    : withUnits(records[at]?.cells ?? [], records.slice(at + 1), known !== -1)
  if (known !== -1 && delimiter !== undefined) expectHeading(named, body, delimiter)
  const full = (cells: string[]) =>
    Array.from({ length: width }, (_, column) => cells[column] ?? '')
  return {
    heading: uniqueHeadings(
      full(named).map((cell, column) => cell.replaceAll(/\s+/g, ' ') || `Column ${column + 1}`),
    ),
    rows: body.map(({ cells }) => full(cells)),
    lines: body.map(({ line }) => line),
    hasHeading: !isHeadless,
    ...(delimiter !== undefined && { delimiter }),
    overfull: new Set(
      body.flatMap(({ cells }, row) =>
        !isHeadless && cells.slice(named.length).some((cell) => cell !== '') ? [row] : [],
      ),
    ),
    titles: records
      .slice(first, isHeadless ? first : at)
      .map(({ line, cells }) => ({ line, text: cells.filter((cell) => cell !== '').join(' ') }))
      .filter(({ text }) => text !== ''),
  }
}

const otherUnits =
  /^(?:%|-|da|g\/mol|[kmnuµμ]?g\/m?l|°c|kcal\/mol|(?:1\/)?m?s(?:-1)?|min|h|1\/ms)$/iu

/** Whether a record has units alone, as below the names of a heading. */
function isOfUnits(cells: string[]): boolean {
  const filled = cells.map((cell) => cell.replace(/^[([](.*)[)\]]$/, '$1')).filter((cell) => cell)
  return (
    filled.some((cell) => readScale(cell) !== null) &&
    filled.every((cell) => readScale(cell) !== null || otherUnits.test(cell))
  )
}

/** The heading, with the units of the line below it if that has nothing else. */
function withUnits(named: string[], below: TableRecord[], isKnown: boolean) {
  const [units, ...body] = below
  if (!isKnown || units === undefined || !isOfUnits(units.cells)) return { named, body: below }
  return { named: named.map((cell, place) => withUnit(cell, units.cells[place])), body }
}

function withUnit(name: string, unit = ''): string {
  return unit === '' ? name : `${name} (${unit.replace(/^[([](.*)[)\]]$/, '$1')})`
}

/**
 * Throws an error if the names do not stand above their columns. After a tab, a further cell is a column without a name,
 * unless the SMILES stand beside theirs.
 */
function expectHeading(heading: string[], body: TableRecord[], delimiter: string): void {
  const filled = body.filter(({ cells }) => cells.some((cell) => cell !== ''))
  const isShort = filled.every(({ cells }) => (cells[heading.length] ?? '') !== '')
  const smiles = heading.findIndex(isSmilesHeading)
  const isShifted = filled.every(
    ({ cells }) => !isWholeSmiles(cells[smiles] ?? '') && isWholeSmiles(cells[smiles + 1] ?? ''),
  )
  if (filled.length === 0 || !isShort || (delimiter === '\t' && !isShifted)) return
  throw new Error(
    'Every line has more cells than the heading. Name the first column too, and put numbers and texts with a comma in quotes.',
  )
}

/** Whether the first record is data: it has a number, or a SMILES above SMILES. */
function isData([first, ...below]: TableRecord[]): boolean {
  return (first?.cells ?? []).some((cell, at) => {
    const others = below.slice(0, START_RECORDS).map(({ cells }) => cells[at] ?? '')
    const filled = others.filter((one) => one !== '')
    const isAboveSmiles = filled.filter(isSmilesLike).length >= filled.length / 2
    return isPureNumber(cell) || (isSmilesLike(cell) && isAboveSmiles)
  })
}

/** `IC50`, `IC50 (2)`: no column is lost because another has its name. */
function uniqueHeadings(names: string[], taken: readonly string[] = []): string[] {
  const all = new Set(taken)
  return names.map((name) => {
    let free = name
    for (let count = 2; all.has(free); count += 1) free = `${name} (${count})`
    all.add(free)
    return free
  })
}
