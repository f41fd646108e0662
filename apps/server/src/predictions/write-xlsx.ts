/** Streams rows as a minimal workbook: numbers stay numbers, and text stays text whatever it begins with. */
import { Readable } from 'node:stream'
import { cellsOf } from '#server/platform/db/encode-rows.ts'
import { zipStream } from '#server/platform/http/zip-stream.ts'

type Row = Record<string, unknown>

export type Table = {
  columns: readonly string[]
  /** Number of rows that `pages` will yield. */
  count: number
  /** Rows from the first index up to, but not including, the second. */
  pages: (from: number, to: number) => AsyncIterable<Row[]>
  mtime: Date
  /** A PNG of each row, shown in a first column; only for rows that fit into one sheet. */
  pictures?: (Buffer | null)[]
}

/** Excel's maximum rows per sheet, minus the heading row. */
const SHEET_ROWS_MAX = 1_048_575

const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const NAMESPACES = {
  sheet: 'http://schemas.openxmlformats.org/spreadsheetml/2006/main',
  relation: 'http://schemas.openxmlformats.org/officeDocument/2006/relationships',
  relations: 'http://schemas.openxmlformats.org/package/2006/relationships',
  types: 'http://schemas.openxmlformats.org/package/2006/content-types',
  drawing: 'http://schemas.openxmlformats.org/drawingml/2006/spreadsheetDrawing',
  picture: 'http://schemas.openxmlformats.org/drawingml/2006/main',
}
export const XLSX_TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
const CONTENT = 'application/vnd.openxmlformats-officedocument.spreadsheetml'

export function writeXlsx({ columns, count, pages, mtime, pictures }: Table): Readable {
  const sheets = Array.from({ length: Math.ceil(count / SHEET_ROWS_MAX) || 1 }, (_, at) => at + 1)
  const part = (name: string, xml: string) => ({
    name,
    open: () => Readable.from([`${HEAD}${xml}`], { objectMode: false }),
  })
  const sheetRelations = sheets.map((at) => ({
    id: `rId${at}`,
    type: 'worksheet',
    at: `worksheets/sheet${at}.xml`,
  }))
  const shape = { columns: pictures ? ['Structure', ...columns] : columns, isDrawn: !!pictures }
  const entries = [
    part('[Content_Types].xml', contentTypes(sheets, shape.isDrawn)),
    part('_rels/.rels', relations([{ id: 'rId1', type: 'officeDocument', at: 'xl/workbook.xml' }])),
    part('xl/workbook.xml', workbook(sheets)),
    part('xl/_rels/workbook.xml.rels', relations(sheetRelations)),
    ...sheets.map((at) => {
      const [from, to] = [(at - 1) * SHEET_ROWS_MAX, Math.min(at * SHEET_ROWS_MAX, count)]
      return {
        name: `xl/worksheets/sheet${at}.xml`,
        open: () =>
          Readable.from(writeSheet(shape, to - from, pages(from, to)), { objectMode: false }),
      }
    }),
    ...(pictures === undefined ? [] : drawingParts(pictures, part)),
  ]
  return zipStream(entries, mtime, async () => undefined)
}

type Shape = { columns: readonly string[]; isDrawn: boolean }

async function* writeSheet(
  { columns, isDrawn }: Shape,
  count: number,
  pages: AsyncIterable<Row[]>,
): AsyncGenerator<string> {
  const format = isDrawn ? `<sheetFormatPr defaultRowHeight="${ROW_PT}" customHeight="1"/>` : ''
  const head = isDrawn ? ' ht="16" customHeight="1"' : ''
  // The heading row is frozen.
  yield `${HEAD}<worksheet xmlns="${NAMESPACES.sheet}" xmlns:r="${NAMESPACES.relation}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>${format}<cols>${columns.map(writeWidth).join('')}</cols><sheetData>${writeRow(columns, head)}`
  for await (const page of pages) {
    yield page.map((row) => writeRow(cellsOf(row, columns))).join('')
  }
  yield `</sheetData><autoFilter ref="A1:${lettersOf(columns.length)}${count + 1}"/>${isDrawn ? '<drawing r:id="rId1"/>' : ''}</worksheet>`
}

type Part = (name: string, xml: string) => { name: string; open: () => Readable }

/** The drawing of the first sheet; each picture is stored once, however many rows show it. */
function drawingParts(pictures: (Buffer | null)[], part: Part) {
  const images = [...new Set(pictures.flatMap((png) => png ?? []))]
  const numbers = new Map(images.map((png, at) => [png, at + 1]))
  const anchors = pictures.map((png, row) => {
    const image = png === null ? undefined : numbers.get(png)
    return image === undefined ? '' : anchor(row + 1, image)
  })
  const drawn = images.map((_, at) => {
    return { id: `rId${at + 1}`, type: 'image', at: `../media/image${at + 1}.png` }
  })
  const ofSheet = [{ id: 'rId1', type: 'drawing', at: '../drawings/drawing1.xml' }]
  return [
    part('xl/worksheets/_rels/sheet1.xml.rels', relations(ofSheet)),
    part(
      'xl/drawings/drawing1.xml',
      `<xdr:wsDr xmlns:xdr="${NAMESPACES.drawing}" xmlns:a="${NAMESPACES.picture}" xmlns:r="${NAMESPACES.relation}">${anchors.join('')}</xdr:wsDr>`,
    ),
    part('xl/drawings/_rels/drawing1.xml.rels', relations(drawn)),
    ...images.map((png, at) => ({
      name: `xl/media/image${at + 1}.png`,
      open: () => Readable.from([png], { objectMode: false }),
    })),
  ]
}

/** Room for a picture of 150 × 80 pixels and a margin. */
const ROW_PT = 66
const EMU_PER_PX = 9525

/** Tied to both corners of its cell, so that it is sorted and filtered with its row. */
function anchor(row: number, image: number): string {
  const corner = (name: string, x: number, y: number) =>
    `<xdr:${name}><xdr:col>0</xdr:col><xdr:colOff>${x * EMU_PER_PX}</xdr:colOff><xdr:row>${row}</xdr:row><xdr:rowOff>${y * EMU_PER_PX}</xdr:rowOff></xdr:${name}>`
  return `<xdr:twoCellAnchor>${corner('from', 4, 4)}${corner('to', 154, 84)}<xdr:pic><xdr:nvPicPr><xdr:cNvPr id="${row + 1}" name="Structure ${row}"/><xdr:cNvPicPr><a:picLocks noChangeAspect="1"/></xdr:cNvPicPr></xdr:nvPicPr><xdr:blipFill><a:blip r:embed="rId${image}"/><a:stretch><a:fillRect/></a:stretch></xdr:blipFill><xdr:spPr><a:prstGeom prst="rect"><a:avLst/></a:prstGeom></xdr:spPr></xdr:pic><xdr:clientData/></xdr:twoCellAnchor>`
}

/** Widths of columns with long text, in characters; others fit their heading and the filter arrow. */
const WIDTHS = new Map([
  ['compound', 24],
  ['smiles', 48],
  ['target', 24],
  ['reason', 48],
  ['Screen', 38],
  ['Structure', 24],
])

function writeWidth(column: string, at: number): string {
  const width = WIDTHS.get(column) ?? Math.min(Math.max(column.length + 4, 10), 40)
  return `<col min="${at + 1}" max="${at + 1}" width="${width}" customWidth="1"/>`
}

/** Column letters A, B, …, Z, AA for the column number, from 1. */
function lettersOf(column: number): string {
  const rest = Math.floor((column - 1) / 26)
  return `${rest > 0 ? lettersOf(rest) : ''}${String.fromCodePoint(65 + ((column - 1) % 26))}`
}

function writeRow(values: readonly unknown[], attributes = ''): string {
  return `<row${attributes}>${values.map(writeCell).join('')}</row>`
}

/** An inline string is never run as a formula. */
function writeCell(value: unknown): string {
  if (value === null || value === undefined || value === '') return '<c/>'
  if (typeof value === 'number') return `<c><v>${value}</v></c>`
  if (typeof value === 'boolean') return `<c t="b"><v>${Number(value)}</v></c>`
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return `<c t="inlineStr"><is><t xml:space="preserve">${escapeText(text)}</t></is></c>`
}

/** Characters that are not allowed in XML, and lone surrogates. */
// oxlint-disable-next-line no-control-regex -- they are what is replaced
const FORBIDDEN = /[\0-\x08\x0B\x0C\x0E-\x1F\uFFFE\uFFFF]/g

function escapeText(text: string): string {
  return (
    text
      .toWellFormed()
      .replaceAll(FORBIDDEN, '\uFFFD')
      // Excel would read a literal `_x0041_` as an escaped character.
      .replaceAll(/_(?=x[\da-f]{4}_)/gi, '_x005F_')
      .replaceAll('&', '&amp;')
      .replaceAll('<', '&lt;')
      .replaceAll('>', '&gt;')
      .replaceAll('\r', '&#13;')
  )
}

const DRAWING_TYPES =
  '<Default Extension="png" ContentType="image/png"/><Override PartName="/xl/drawings/drawing1.xml" ContentType="application/vnd.openxmlformats-officedocument.drawing+xml"/>'

function contentTypes(sheets: number[], isDrawn: boolean): string {
  const parts = sheets.map(
    (at) =>
      `<Override PartName="/xl/worksheets/sheet${at}.xml" ContentType="${CONTENT}.worksheet+xml"/>`,
  )
  return `<Types xmlns="${NAMESPACES.types}"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/xl/workbook.xml" ContentType="${CONTENT}.sheet.main+xml"/>${isDrawn ? DRAWING_TYPES : ''}${parts.join('')}</Types>`
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
