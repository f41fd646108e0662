/** Encodes rows as text, page by page: a JSON array, NDJSON, or CSV. */
import { defuse } from '@pkdex/intake'
import type { ExportFormat } from '@pkdex/contract'
import type { Row } from './snapshots.ts'

export const mediaTypes: Record<ExportFormat, string> = {
  json: 'application/json; charset=utf-8',
  ndjson: 'application/x-ndjson; charset=utf-8',
  csv: 'text/csv; charset=utf-8; header=present',
}

type Rows = {
  columns: readonly string[]
  /** The CSV heading of a column; default: its name. */
  headingOf?: (column: string) => string
  /** A CSV begins with a byte order mark: without it, Excel reads `µ` as two characters. */
  forExcel?: boolean
  pages: AsyncIterable<Row[]>
}

export function encodeRows(format: ExportFormat, rows: Rows): AsyncGenerator<string> {
  switch (format) {
    case 'json':
      return encodeJson(rows)
    case 'ndjson':
      return encodeLines(rows)
    case 'csv':
      return encodeCsv(rows)
  }
}

async function* encodeJson({ pages }: Rows): AsyncGenerator<string> {
  let separator = '['
  for await (const page of pages) {
    yield `${separator}\n${page.map((row) => JSON.stringify(row)).join(',\n')}`
    separator = ','
  }
  yield separator === '[' ? '[]\n' : '\n]\n'
}

async function* encodeLines({ pages }: Rows): AsyncGenerator<string> {
  for await (const page of pages) yield page.map((row) => `${JSON.stringify(row)}\n`).join('')
}

/** A user may name a column `constructor`: read own properties only. */
export function cellsOf(row: Row, columns: readonly string[]): unknown[] {
  return columns.map((column) => (Object.hasOwn(row, column) ? row[column] : undefined))
}

/** RFC 4180. */
async function* encodeCsv(rows: Rows): AsyncGenerator<string> {
  const { columns, headingOf = String, forExcel = false, pages } = rows
  yield `${forExcel ? '\uFEFF' : ''}${csvLine(columns.map((column) => headingOf(column)))}`
  for await (const page of pages) {
    yield page.map((row) => csvLine(cellsOf(row, columns))).join('')
  }
}

function csvLine(values: readonly unknown[]): string {
  return `${values.map(csvCell).join(',')}\r\n`
}

function csvCell(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  const text = defuse(typeof value === 'string' ? value : JSON.stringify(value))
  // Some spreadsheets separate cells by semicolon or tab.
  return /[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
