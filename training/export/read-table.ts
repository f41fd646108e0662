/** Reads one gzip TSV with a header line; a row is an object by column name. */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'

export type Row = Record<string, string>
export type Table = { path: string; sha256: string; rows: Row[] }

export function readTable(folder: string, path: string): Table {
  const bytes = readFileSync(join(folder, path))
  const [header = '', ...lines] = gunzipSync(bytes).toString('utf8').trimEnd().split(/\r?\n/)
  const columns = header.split('\t')
  return {
    path,
    sha256: createHash('sha256').update(bytes).digest('hex'),
    rows: lines.map((line) => toRow(columns, line.split('\t'))),
  }
}

/** The value of a required column. */
export function cell(row: Row, column: string): string {
  const value = row[column]
  if (value === undefined) throw new Error(`a table has no column ${column}`)
  return value
}

function toRow(columns: string[], values: string[]): Row {
  return Object.fromEntries(columns.map((column, index) => [column, values[index] ?? '']))
}
