/** Reads the compounds given to a command: a table with a column of SMILES, or lines of `SMILES name`. */
import {
  chooseCompoundColumns,
  columnOf,
  readCompoundTable as readTable,
  splitText,
  type Table,
  toTable,
} from '@pkdex/intake'
import { OperatorError } from '#server/platform/errors.ts'

/** A row of the input, with its original columns. */
export type InputCompound = {
  smiles: string
  name: string
  own: Record<string, string>
  /** Why there is no SMILES, if more is known. */
  reason?: string
}

export type CompoundTable = {
  /** The input's own columns, in order; none for plain lines. */
  columns: string[]
  rows: InputCompound[]
}

/** Columns chosen on the command line. */
export type ColumnChoice = { smiles?: string | undefined; name?: string | undefined }

/** A file is a table if its name, a chosen column, or its contents say so; else it has lines of `SMILES name`. */
export function readCompoundTable(
  text: string,
  { filename, choice }: { filename: string; choice: ColumnChoice },
): CompoundTable {
  const isTable = /\.(?:csv|tsv)(?:\.gz)?$/i.test(filename) || choice.smiles !== undefined
  const table = attempt(() => {
    if (!isTable) return readTable(text)
    return toTable(splitText(text, ',')?.records ?? [])
  })
  return table === null ? readLines(text) : readTableRows(table, choice)
}

function attempt<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw new OperatorError(error instanceof Error ? error.message : String(error), {
      cause: error,
    })
  }
}

/** Rows without any text are skipped. A row without a name is named by its number. */
export function readTableRows(
  table: Pick<Table, 'heading' | 'rows'>,
  choice: ColumnChoice,
): CompoundTable {
  const { heading: columns } = table
  const rows = table.rows.filter((row) => row.some((cell) => cell !== ''))
  const found = chooseCompoundColumns({ heading: columns, rows })
  const smiles = placeOf(columns, choice.smiles) ?? found.smiles
  if (smiles === null) {
    const known =
      rows.length === 0 ? 'The table is empty.' : `Its columns are ${columns.join(', ')}.`
    throw new OperatorError(
      `The table has no SMILES column. Name it with --smiles-column. ${known}`,
    )
  }
  const name = placeOf(columns, choice.name) ?? found.name
  return {
    columns,
    rows: rows.map((cells, at) => ({
      smiles: cells[smiles] ?? '',
      name: (name === null ? '' : cells[name]) || `row ${at + 1}`,
      own: Object.fromEntries(columns.map((column, place) => [column, cells[place] ?? ''])),
    })),
  }
}

/** The requested column; null if none is requested. */
function placeOf(columns: string[], asked: string | undefined): number | null {
  if (asked === undefined) return null
  if (columns.includes(asked)) return columns.indexOf(asked)
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
      if (at === 0 && columnOf(smiles, []).role === 'smiles') return []
      return [{ smiles, name: rest.join(' ') || `line ${at + 1}`, own: {} }]
    })
  return { columns: [], rows }
}
