/** A pasted or imported table of compounds: finds the column that contains SMILES, and writes the lines to upload. */
import { isNameHeading, isSmilesHeading } from '@pkdex/contract'
import { parse } from 'csv-parse/browser/esm/sync'

/** `lines`: the line of the file on which each row begins, from 1. */
export type CompoundTable = { heading: string[]; rows: string[][]; lines: number[] }

/** Indices of columns; a table may have no names. `kept` columns are stored with the compounds. */
export type Columns = { smiles: number; name: number | null; kept: number[] }

/** Maximum number of columns that the server stores per table. */
export const KEPT_COLUMNS_MAX = 20

const DELIMITERS = ['\t', ';', ','] as const
/** Length of the text from which the delimiter is guessed. */
const START_CHARACTERS = 200_000
/** How many rows are examined to guess what a column contains. */
const SAMPLED_ROWS = 200

/** Characters of a SMILES. Whether it is a molecule is checked by the server. */
const smilesLike =
  /^(?:\[[^\][]+\]|Br|Cl|[BCNOSPFI]|[bcnosp]|[=#$:/\\.\-()~*]|%\d\d|\d)*(?:\[[^\][]+\]|[BCNOSPFIbcnosp)\d])$/

/** Null for lines of `SMILES name`, which need no choice of columns. Throws an error with a message for the user. */
export function readTable(text: string): CompoundTable | null {
  const lines = text
    .replace(/^\uFEFF/, '')
    .replaceAll(/\r\n?/g, '\n')
    .trimEnd()
  const delimiter = delimiterOf(lines)
  if (delimiter === null) return null
  // A quoted cell may contain line breaks: a record begins after the last line of the previous one.
  const starts = [1]
  const cells = parse(lines, {
    delimiter,
    relax_column_count: true,
    relax_quotes: true,
    on_record: (record: string[], context) => {
      starts.push(context.lines + 1)
      return record
    },
  })
  const table = toTable(cells, starts)
  return holdsMolecules(table) ? table : null
}

/** A list whose names contain commas is not a table. */
function holdsMolecules({ heading, rows }: CompoundTable): boolean {
  const sample = rows.slice(0, SAMPLED_ROWS).flat()
  return (
    heading.some((name) => isSmilesHeading(name)) || sample.some((cell) => smilesLike.test(cell))
  )
}

/** The first of the rows may be a heading. By default each row is one line of the file. */
export function toTable(
  cells: string[][],
  numbers: number[] = cells.map((_, at) => at + 1),
): CompoundTable {
  const isFilled = (row: string[]) => row.some((cell) => cell.trim() !== '')
  const start = Math.max(0, cells.findIndex(isFilled))
  const width = cells.reduce((widest, row) => Math.max(widest, row.length), 0)
  const [first = [], ...rest] = cells
    .slice(start)
    .map((row) => Array.from({ length: width }, (_, column) => row[column]?.trim() ?? ''))
  if (first.some((cell) => smilesLike.test(cell)) && !first.some((cell) => isSmilesHeading(cell))) {
    return {
      heading: first.map((_, column) => `Column ${column + 1}`),
      rows: [first, ...rest],
      lines: numbers.slice(start),
    }
  }
  return {
    heading: first.map((cell, column) => cell || `Column ${column + 1}`),
    rows: rest,
    lines: numbers.slice(start + 1),
  }
}

/** The delimiter that occurs in each of the first lines; null for a list of SMILES and names. */
function delimiterOf(text: string): string | null {
  // A quoted cell may contain line breaks.
  const start = text.slice(0, START_CHARACTERS).replaceAll(/"[^"]*"/g, '""')
  const lines = start.split(/\r\n|\n|\r/, 20).filter((line) => line !== '')
  const cuts = (delimiter: string) => lines.every((line) => line.includes(delimiter))
  // SMILES contain no commas or semicolons; a tab may separate a SMILES from its name.
  return DELIMITERS.find((delimiter) => cuts(delimiter) && !isPlainList(lines, delimiter)) ?? null
}

/** An upload accepts lines of `SMILES<tab>name` as they are. */
function isPlainList(lines: string[], delimiter: string): boolean {
  return (
    delimiter === '\t' &&
    lines.every(
      (line) => line.split('\t').length === 2 && smilesLike.test(line.split('\t')[0] ?? ''),
    )
  )
}

/** By the headings first, then by the contents. */
export function guessColumns({ heading, rows }: CompoundTable): Columns {
  const sample = rows.slice(0, SAMPLED_ROWS)
  const named = heading.findIndex((name) => isSmilesHeading(name))
  const smiles = named === -1 ? fullestColumn(heading, sample) : named
  const name = heading.findIndex((title, column) => column !== smiles && isNameHeading(title))
  const found = name === -1 ? identifyingColumn(heading, sample, smiles) : name
  return takeColumns(heading, { smiles, name: found === -1 ? null : found })
}

const IDENTIFIED_SHARE = 0.95
const ROWS_TO_IDENTIFY_MIN = 3

/** The first column of texts that are nearly complete and all different; -1 if there is none. */
function identifyingColumn(heading: string[], rows: string[][], smiles: number): number {
  if (rows.length < ROWS_TO_IDENTIFY_MIN) return -1
  return heading.findIndex((_, column) => {
    const cells = rows.map((row) => row[column] ?? '').filter((cell) => cell !== '')
    const isFull = cells.length >= IDENTIFIED_SHARE * rows.length
    const isText = cells.every((cell) => Number.isNaN(Number(cell)))
    return column !== smiles && isFull && isText && new Set(cells).size === cells.length
  })
}

/** All other columns are kept, up to the limit. */
export function takeColumns(heading: string[], { smiles, name }: Omit<Columns, 'kept'>): Columns {
  const others = heading.map((_, column) => column).filter((one) => one !== smiles && one !== name)
  return { smiles, name, kept: others.slice(0, KEPT_COLUMNS_MAX) }
}

/** The column with the most letters in cells that look like SMILES, as element symbols do too. */
function fullestColumn(heading: string[], rows: string[][]): number {
  const letters = heading.map((_, column) =>
    rows
      .map((row) => row[column] ?? '')
      .filter((cell) => smilesLike.test(cell) && /[a-z]/i.test(cell))
      .reduce((sum, cell) => sum + cell.length, 0),
  )
  return letters.indexOf(Math.max(...letters))
}

export type CompoundLines = { text: string; count: number; skipped: number }

/**
 * One line per row: SMILES, then the name. With kept columns, a tab-separated table with a heading.
 * Rows without a SMILES become empty lines. `#line` before a row gives the server its line number
 * in the file.
 */
export function toLines(table: CompoundTable, columns: Columns): CompoundLines {
  const { heading, rows } = table
  const { smiles, name, kept } = columns
  const hasHeading = kept.length > 0 || !isMadeUp(heading)
  const lines = rows.map((row) => {
    const [molecule = ''] = (row[smiles] ?? '').split(/\s/, 1)
    if (molecule === '') return ''
    const title = name === null ? '' : toCell(row[name])
    const cells = kept.map((one) => toCell(row[one]))
    if (hasHeading) return [molecule, title, ...cells].join('\t')
    return title === '' ? molecule : `${molecule} ${title}`
  })
  const first = ['SMILES', 'Name', ...kept.map((one) => toCell(heading[one]))].join('\t')
  const numbered = numberLines(lines, table.lines, hasHeading ? 2 : 1)
  const text = [...(hasHeading ? [first] : []), ...numbered].join('\n')
  const count = lines.filter((line) => line !== '').length
  const filled = rows.filter((row) => row.some((cell) => cell !== '')).length
  return { text, count, skipped: filled - count }
}

/** `next`: the line number that the server would give to the first line. */
function numberLines(lines: string[], numbers: number[], next: number): string[] {
  let expected = next
  return lines.flatMap((line, at) => {
    const number = numbers[at] ?? expected
    const isNext = number === expected
    expected = number + 1
    return isNext ? [line] : [`#line ${number}`, line]
  })
}

/** Whether the table had no heading. */
function isMadeUp(heading: string[]): boolean {
  return heading.every((name, column) => name === `Column ${column + 1}`)
}

/** Without tabs and line breaks. */
function toCell(text = ''): string {
  return text.replaceAll(/\s+/g, ' ').trim()
}

/** Moves the SMILES to the beginning of lines that begin with the name. */
export function orderLines(text: string): string {
  return text.replaceAll(/[^\r\n]+/g, (line) => {
    const words = line.trim().split(/\s+/)
    const last = words.at(-1) ?? ''
    const isSwapped = words.length > 1 && !isMolecule(words[0] ?? '') && isMolecule(last)
    return isSwapped && !line.startsWith('#') ? `${last} ${words.slice(0, -1).join(' ')}` : line
  })
}

function isMolecule(word: string): boolean {
  return smilesLike.test(word) && /[a-z]/i.test(word)
}

/** Counts the lines of a plain list, without blank lines and comments. */
export function countLines(text: string): number {
  return text.split(/\r\n|\n|\r/).filter((line) => /^\s*[^\s#]/.test(line)).length
}
