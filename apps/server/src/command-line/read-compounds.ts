/** Reads the compound file of a command as a table: molecules, names, and the file's own columns. */
import { chooseCompoundColumns, compoundRows, readTable, type Sheet } from '@pkdex/intake'
import { OperatorError } from '#server/platform/errors.ts'

/** A row of the input, with its original columns. */
export type InputCompound = {
  /** Empty for a record of an SD file, which has a block. */
  smiles: string
  block?: string
  name: string
  own: Record<string, string>
  /** Why there is no molecule. */
  reason?: string
}

export type CompoundTable = {
  /** The input's own columns, in order; none for plain lines. */
  columns: string[]
  rows: InputCompound[]
}

/** Columns chosen on the command line. */
type ColumnChoice = { smiles?: string | undefined; name?: string | undefined }

type Input = { filename: string; choice: ColumnChoice; sheet?: string | undefined }

/** A file is a table if its name, a chosen column, or its contents say so; else it has lines of `SMILES name`. */
export function readCompounds(
  bytes: Uint8Array,
  { filename, choice, sheet: wanted }: Input,
): CompoundTable {
  const isTable = /\.(?:csv|tsv)(?:\.gz)?$/i.test(filename) || choice.smiles !== undefined
  const read = (sheet?: number) =>
    attempt(`${filename} cannot be read: `, () => readTable(bytes, { isTable, sheet }))
  const first = read()
  const sheet = wanted === undefined ? first : read(placeOfSheet(first, filename, wanted))
  if (wanted === undefined) expectOneSheet(first, filename)
  return toCompounds(sheet, choice)
}

/** The user must select one of several sheets, because the wrong one would be predicted without a warning. */
function expectOneSheet({ sheets }: Sheet, filename: string): void {
  if (sheets.length < 2) return
  throw new OperatorError(
    `${filename} has ${sheets.length} sheets. Choose one with --sheet: ${listSheets(sheets)}.`,
  )
}

function placeOfSheet({ sheets }: Sheet, filename: string, wanted: string): number {
  if (sheets.length === 0) {
    throw new OperatorError(`${filename} is not a workbook (.xlsx), so --sheet cannot be used.`)
  }
  const place = sheets.indexOf(wanted)
  if (place !== -1) return place
  throw new OperatorError(`${filename} has no sheet "${wanted}". It has ${listSheets(sheets)}.`)
}

const listSheets = (sheets: string[]) => sheets.map((name) => `"${name}"`).join(', ')

/** A row without a name is named by its number; a record of an SD file keeps its fields. */
function toCompounds(sheet: Sheet, choice: ColumnChoice): CompoundTable {
  const { kind, heading } = sheet
  const found = chooseCompoundColumns(sheet)
  const smiles = placeOf(heading, choice.smiles) ?? found.smiles
  const name = placeOf(heading, choice.name) ?? found.name
  const hint = smiles === null ? 'Name the column of SMILES with --smiles-column. ' : ''
  const read = attempt(hint, () => compoundRows(sheet, { smiles, name }))
  const places = kind === 'list' ? [] : heading.map((_, place) => place)
  const kept = kind === 'records' ? places.slice(2) : places
  const word = { table: 'row', list: 'line', records: 'record' }[kind]
  const rows = read.map(({ cells, reason, ...row }, at) => ({
    smiles: row.smiles,
    name: row.name || `${word} ${kind === 'list' ? row.line : at + 1}`,
    own: Object.fromEntries(kept.map((place) => [heading[place], cells[place] ?? ''])),
    ...(row.block !== undefined && { block: row.block }),
    ...(reason !== null && { reason }),
  }))
  return { columns: kept.map((place) => heading[place] ?? ''), rows }
}

/** The requested column; null if none is requested. */
function placeOf(columns: string[], wanted: string | undefined): number | null {
  if (wanted === undefined) return null
  if (columns.includes(wanted)) return columns.indexOf(wanted)
  throw new OperatorError(
    `The table has no column ${wanted}. Its columns are ${columns.join(', ')}.`,
  )
}

function attempt<T>(place: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new OperatorError(place + reason, { cause: error })
  }
}
