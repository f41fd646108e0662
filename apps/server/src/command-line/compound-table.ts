/** Reads the compounds given to a command: a table with a column of SMILES, or lines of `SMILES name`. */
import { isNameHeading, isSmilesHeading } from '@pkdex/contract'
import { parse } from 'csv-parse/sync'
import { OperatorError } from '#server/platform/errors.ts'

/** A row of the input, with its original columns. */
export type InputCompound = { smiles: string; name: string; own: Record<string, string> }

export type CompoundTable = {
  /** The input's own columns, in order; none for plain lines. */
  columns: string[]
  rows: InputCompound[]
}

/** Columns chosen on the command line. */
export type ColumnChoice = { smiles?: string | undefined; name?: string | undefined }

/** A file is a table if its name, a selected column, or a heading with SMILES and other columns says so. */
export function readCompoundTable(
  text: string,
  { filename, choice }: { filename: string; choice: ColumnChoice },
): CompoundTable {
  const delimiter = delimiterOf(text, filename.replace(/\.gz$/i, ''))
  const isTable = delimiter !== null || choice.smiles !== undefined
  return isTable ? readTableRows(parseRecords(text, delimiter ?? ','), choice) : readLines(text)
}

function delimiterOf(text: string, filename: string): string | null {
  if (/\.csv$/i.test(filename)) return heading(text).includes(';') ? ';' : ','
  if (/\.tsv$/i.test(filename)) return '\t'
  const delimiters = [',', ';', '\t']
  return (
    delimiters.find(
      (one) => heading(text).includes(one) && heading(text).split(one).some(isSmilesHeading),
    ) ?? null
  )
}

function heading(text: string): string {
  return text.replace(/^\uFEFF/, '').split(/\r\n|\n|\r/, 1)[0] ?? ''
}

/** The first row is the heading; rows without any text are skipped. */
export function readTableRows(table: string[][], choice: ColumnChoice): CompoundTable {
  const filled = table.filter((row) => row.some((cell) => cell !== ''))
  const [columns = [], ...records] = filled
  const smiles = columnOf(columns, choice.smiles, isSmilesHeading)
  if (smiles === null) {
    const known =
      columns.length === 0 ? 'The table is empty.' : `Its columns are ${columns.join(', ')}.`
    throw new OperatorError(
      `The table has no SMILES column. Name it with --smiles-column. ${known}`,
    )
  }
  const others = columns.filter((column) => column !== smiles)
  const name = columnOf(choice.name === undefined ? others : columns, choice.name, isNameHeading)
  const rows = records.map((cells, at) => ({
    smiles: cells[columns.indexOf(smiles)]?.trim() ?? '',
    name: (name === null ? '' : cells[columns.indexOf(name)]?.trim()) || `row ${at + 1}`,
    own: Object.fromEntries(columns.map((column, place) => [column, cells[place] ?? ''])),
  }))
  return { columns, rows }
}

function parseRecords(text: string, delimiter: string): string[][] {
  try {
    return parse(text, { bom: true, delimiter, relax_column_count: true, skip_empty_lines: true })
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new OperatorError(`The table cannot be read: ${reason}`, { cause: error })
  }
}

/** The requested column, or else the first with a usual name. */
function columnOf(
  columns: string[],
  asked: string | undefined,
  isUsual: (heading: string) => boolean,
): string | null {
  if (asked === undefined) return columns.find(isUsual) ?? null
  if (columns.includes(asked)) return asked
  throw new OperatorError(
    `The table has no column ${asked}. Its columns are ${columns.join(', ')}.`,
  )
}

/** Lines without a name are named by line number; blank lines and comments are skipped. */
function readLines(text: string): CompoundTable {
  const rows = text
    .replace(/^\uFEFF/, '')
    .split(/\r\n|\n|\r/)
    .flatMap((line, at) => {
      const [smiles = '', ...rest] = line.trim().split(/\s+/)
      if (smiles === '' || smiles.startsWith('#')) return []
      if (at === 0 && isSmilesHeading(smiles)) return []
      return [{ smiles, name: rest.join(' ') || `line ${at + 1}`, own: {} }]
    })
  return { columns: [], rows }
}
