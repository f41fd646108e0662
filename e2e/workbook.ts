/** An Excel workbook, as a spreadsheet program writes it: sheets of text cells. */
import { strToU8, zipSync } from 'fflate'

export function writeWorkbook(sheets: Record<string, string[][]>): Buffer {
  const names = Object.keys(sheets)
  const parts = {
    'xl/workbook.xml': `<workbook xmlns:r="r"><sheets>${names
      .map((name, at) => `<sheet name="${name}" r:id="rId${at + 1}"/>`)
      .join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships>${names
      .map((_, at) => `<Relationship Id="rId${at + 1}" Target="worksheets/sheet${at + 1}.xml"/>`)
      .join('')}</Relationships>`,
    ...Object.fromEntries(
      names.map((name, at) => [`xl/worksheets/sheet${at + 1}.xml`, writeSheet(sheets[name] ?? [])]),
    ),
  }
  const files = Object.entries(parts).map(([path, xml]) => [path, strToU8(xml)] as const)
  return Buffer.from(zipSync(Object.fromEntries(files)))
}

function writeSheet(rows: string[][]): string {
  const lines = rows.map(
    (row, at) => `<row>${row.map((cell, to) => writeCell(cell, at, to)).join('')}</row>`,
  )
  return `<worksheet><sheetData>${lines.join('')}</sheetData></worksheet>`
}

function writeCell(text: string, row: number, column: number): string {
  const place = `${'ABCDEFGH'[column]}${row + 1}`
  const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
  return `<c r="${place}" t="inlineStr"><is><t>${escaped}</t></is></c>`
}
