/**
 * Bytes of a file to rows of text, whatever the format: a workbook, an SD file, a table, or lines of `SMILES name`, gzipped or
 * not. The upload page, own values, the API and the command line read every file with it, so that all get the same rows.
 */
import { strFromU8, unzipSync } from 'fflate'
import { chooseCompoundColumns } from './compounds.ts'
import { decodeText, isBinary, unpack } from './decode.ts'
import { foreignBytes, foreignReactions, foreignText } from './foreign.ts'
import { readList } from './list.ts'
import { isSdf, type SdRecord, splitSdf } from './sdf.ts'
import { expectLines, type Sheet, splitText, type Table, toTable } from './table.ts'
import { openWorkbook } from './workbook.ts'

export type ReadTableOptions = {
  /** Without it, the first sheet with a column of SMILES, or the first. */
  sheet?: number | undefined
  /** Whether the name of the file says that it is a table, so that one column is one too. */
  isTable?: boolean
  /** More lines of a text that is no SD file are refused. */
  linesMax?: number
}

/** Throws an error with a message for the user. */
export function readTable(packed: Uint8Array, options: ReadTableOptions = {}): Sheet {
  const bytes = unpack(packed)
  if (bytes.length === 0) throw new Error('The file is empty.')
  const isZip = strFromU8(bytes.subarray(0, 4), true) === 'PK\u0003\u0004'
  if (isZip) return readWorkbook(bytes, options)
  const foreign = foreignBytes(bytes)
  if (foreign !== null) throw new Error(foreign)
  const { text, encoding } = decodeText(bytes)
  if (!encoding.startsWith('utf-16') && isBinary(bytes)) {
    throw new Error('This file contains binary data, not text.')
  }
  return readTextTable(text, options)
}

export function readTextTable(
  given: string,
  { isTable = false, linesMax }: ReadTableOptions = {},
): Sheet {
  const text = given.replace(/^\uFEFF/, '')
  const of = { records: [], text, sheets: [], sheet: 0 }
  const reactions = foreignReactions(text)
  if (reactions !== null) throw new Error(reactions)
  if (isSdf(text)) return { ...of, ...ofRecords(splitSdf(text)), kind: 'records' }
  const foreign = foreignText(text)
  if (foreign !== null) throw new Error(foreign)
  if (linesMax !== undefined) expectLines(text, linesMax)
  const table = isTable ? toTable(splitText(text, ',') ?? { records: [] }) : compoundTable(text)
  return table === null
    ? { ...of, ...readList(text), kind: 'list' }
    : { ...of, ...table, kind: 'table' }
}

/** Null for a list: its names may contain commas. */
function compoundTable(text: string): Table | null {
  const split = splitText(text)
  if (split === null) return null
  const table = toTable(split)
  const { smiles, name } = chooseCompoundColumns(table)
  if (smiles === null && (!table.hasHeading || name === null)) return null
  return table
}

/** The fields of all records are columns. */
function ofRecords(records: SdRecord[]): Table & { records: SdRecord[] } {
  const names = [...new Set(records.flatMap(({ fields }) => [...fields.keys()]))]
  return {
    records,
    heading: ['SMILES', 'Title', ...names],
    rows: records.map(({ title, fields }) => [
      '',
      title,
      ...names.map((name) => fields.get(name) ?? ''),
    ]),
    lines: records.map(({ line }) => line),
    hasHeading: true,
    titles: [],
  }
}

function readWorkbook(bytes: Uint8Array, { sheet: chosen }: ReadTableOptions): Sheet {
  const workbook = openWorkbook((filter) => unzipSync(bytes, { filter }), strFromU8)
  const { sheets } = workbook
  const tableOf = (at: number) =>
    toTable({
      records: workbook
        .readRows(at)
        .map((cells, row) => ({ line: row + 1, cells: cells.map((cell) => cell.trim()) })),
    })
  const first = { table: tableOf(chosen ?? 0), sheet: chosen ?? 0 }
  const { table, sheet } = chosen === undefined ? firstOfCompounds(sheets, first, tableOf) : first
  return { ...table, overfull: new Set(), kind: 'table', records: [], text: '', sheets, sheet }
}

type Chosen = { table: Table; sheet: number }

function firstOfCompounds(
  sheets: string[],
  first: Chosen,
  tableOf: (sheet: number) => Table,
): Chosen {
  let chosen = first
  while (chooseCompoundColumns(chosen.table).smiles === null) {
    const sheet = chosen.sheet + 1
    if (sheet >= sheets.length) return first
    chosen = { table: tableOf(sheet), sheet }
  }
  return chosen
}
