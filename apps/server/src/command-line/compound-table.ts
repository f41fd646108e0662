/** Reads the compounds of a command: a table with a column of SMILES, or lines of `SMILES name`. */
import { isNameHeading, isSmilesHeading } from '@pkdex/contract'
import { parse } from 'csv-parse/sync'

/** A row of the input, with the columns it came with. */
export type InputCompound = { smiles: string; name: string; own: Record<string, string> }

export type CompoundTable = {
  /** The input's own columns, in its order; none where it is lines. */
  columns: string[]
  rows: InputCompound[]
}

/** Which columns hold what, where the person says so. */
export type ColumnChoice = { smiles?: string | undefined; name?: string | undefined }

/** The input cannot be used; the message is a sentence for the person at the console. */
export class TableError extends Error {}

/** A table is told by its name, by a choice of columns, or by a heading that names SMILES beside other columns. */
export function readCompoundTable(
  text: string,
  { filename, choice }: { filename: string; choice: ColumnChoice },
): CompoundTable {
  const delimiter = delimiterOf(text, filename)
  const isTable = delimiter !== null || choice.smiles !== undefined
  return isTable ? readTable(text, delimiter ?? ',', choice) : readLines(text)
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

function readTable(text: string, delimiter: string, choice: ColumnChoice): CompoundTable {
  const [columns = [], ...records] = parseRecords(text, delimiter)
  const smiles = columnOf(columns, choice.smiles, isSmilesHeading)
  if (smiles === null) {
    const known = columns.length === 0 ? 'It is empty.' : `Its columns are ${columns.join(', ')}.`
    throw new TableError(
      `The table has no column SMILES; say which one by --smiles-column. ${known}`,
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
    throw new TableError(`The table cannot be read: ${reason}`, { cause: error })
  }
}

/** The column that was asked for, or the first with a usual name. */
function columnOf(
  columns: string[],
  asked: string | undefined,
  isUsual: (heading: string) => boolean,
): string | null {
  if (asked === undefined) return columns.find(isUsual) ?? null
  if (columns.includes(asked)) return asked
  throw new TableError(`The table has no column ${asked}. Its columns are ${columns.join(', ')}.`)
}

/** Lines without a name are called after their number; blank lines and comments hold no compound. */
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
