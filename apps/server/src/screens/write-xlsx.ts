/** Rows as a workbook, streamed: only what a table needs, numbers as numbers and text as text, whatever it begins with. */
import { Readable } from 'node:stream'
import { ZipFile } from 'yazl'

type Row = Record<string, unknown>

export type Table = {
  columns: readonly string[]
  /** Rows that `pages` will give. */
  count: number
  /** From one row up to another, which is not given any more. */
  pages: (from: number, to: number) => AsyncIterable<Row[]>
  mtime: Date
}

/** What Excel takes in one sheet, less the row with the names of the columns. */
const SHEET_ROWS_MAX = 1_048_575

const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const NAMESPACES = {
  sheet: 'http://schemas.openxmlformats.org/spreadsheetml/2006/main',
  relation: 'http://schemas.openxmlformats.org/officeDocument/2006/relationships',
  relations: 'http://schemas.openxmlformats.org/package/2006/relationships',
  types: 'http://schemas.openxmlformats.org/package/2006/content-types',
}
export const XLSX_TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
const CONTENT = 'application/vnd.openxmlformats-officedocument.spreadsheetml'

export function writeXlsx({ columns, count, pages, mtime }: Table): Readable {
  const archive = new ZipFile()
  // Declared as any readable stream; it is one of Node's own.
  const output = archive.outputStream as Readable
  const sheets = Array.from({ length: Math.ceil(count / SHEET_ROWS_MAX) || 1 }, (_, at) => at + 1)
  const add = (name: string, xml: string) =>
    archive.addBuffer(Buffer.from(`${HEAD}${xml}`), name, { mtime })
  add('[Content_Types].xml', contentTypes(sheets))
  add('_rels/.rels', relations([{ id: 'rId1', type: 'officeDocument', at: 'xl/workbook.xml' }]))
  add('xl/workbook.xml', workbook(sheets))
  add(
    'xl/_rels/workbook.xml.rels',
    relations(
      sheets.map((at) => ({
        id: `rId${at}`,
        type: 'worksheet',
        at: `worksheets/sheet${at}.xml`,
      })),
    ),
  )
  for (const at of sheets) {
    const [from, to] = [(at - 1) * SHEET_ROWS_MAX, Math.min(at * SHEET_ROWS_MAX, count)]
    // Opened when its turn comes, one after the other.
    archive.addReadStreamLazy(`xl/worksheets/sheet${at}.xml`, { mtime }, (give) => {
      const sheet = Readable.from(writeSheet(columns, pages(from, to)), { objectMode: false })
      output.once('close', () => sheet.destroy())
      give(null, sheet)
    })
  }
  archive.on('error', (error: Error) => output.destroy(error))
  archive.end()
  return output
}

async function* writeSheet(
  columns: readonly string[],
  pages: AsyncIterable<Row[]>,
): AsyncGenerator<string> {
  // The names stay in sight.
  yield `${HEAD}<worksheet xmlns="${NAMESPACES.sheet}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><sheetData>${writeRow(columns)}`
  for await (const page of pages) {
    yield page.map((row) => writeRow(columns.map((column) => row[column]))).join('')
  }
  yield '</sheetData></worksheet>'
}

function writeRow(values: readonly unknown[]): string {
  return `<row>${values.map(writeCell).join('')}</row>`
}

/** An inline string is never run as a formula. */
function writeCell(value: unknown): string {
  if (value === null || value === undefined || value === '') return '<c/>'
  if (typeof value === 'number') return `<c><v>${value}</v></c>`
  if (typeof value === 'boolean') return `<c t="b"><v>${Number(value)}</v></c>`
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return `<c t="inlineStr"><is><t xml:space="preserve">${escapeText(text)}</t></is></c>`
}

/** Characters that XML cannot hold, and halves of others. */
// oxlint-disable-next-line no-control-regex -- these are the ones
const FORBIDDEN = /[\0-\x08\x0B\x0C\x0E-\x1F\uFFFE\uFFFF]/g

function escapeText(text: string): string {
  return (
    text
      .toWellFormed()
      .replaceAll(FORBIDDEN, '\uFFFD')
      // Excel reads `_x0041_` as a character by its number.
      .replaceAll(/_(?=x[\da-f]{4}_)/gi, '_x005F_')
      .replaceAll('&', '&amp;')
      .replaceAll('<', '&lt;')
      .replaceAll('>', '&gt;')
      .replaceAll('\r', '&#13;')
  )
}

function contentTypes(sheets: number[]): string {
  const parts = sheets.map(
    (at) =>
      `<Override PartName="/xl/worksheets/sheet${at}.xml" ContentType="${CONTENT}.worksheet+xml"/>`,
  )
  return `<Types xmlns="${NAMESPACES.types}"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/xl/workbook.xml" ContentType="${CONTENT}.sheet.main+xml"/>${parts.join('')}</Types>`
}

function workbook(sheets: number[]): string {
  const named = sheets.map(
    (at) => `<sheet name="Screen${at === 1 ? '' : ` ${at}`}" sheetId="${at}" r:id="rId${at}"/>`,
  )
  return `<workbook xmlns="${NAMESPACES.sheet}" xmlns:r="${NAMESPACES.relation}"><sheets>${named.join('')}</sheets></workbook>`
}

function relations(all: { id: string; type: string; at: string }[]): string {
  const each = all.map(
    ({ id, type, at }) =>
      `<Relationship Id="${id}" Type="${NAMESPACES.relation}/${type}" Target="${at}"/>`,
  )
  return `<Relationships xmlns="${NAMESPACES.relations}">${each.join('')}</Relationships>`
}
