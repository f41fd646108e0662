/** The cells of the first sheet of an Excel workbook (.xlsx), as text. */
import { strFromU8, unzipSync } from 'fflate'

/** Unpacked, a part of more is not opened. */
const PART_BYTES_MAX = 64 * 1024 * 1024

/** Throws an error whose message tells what is wrong. */
export function readWorkbook(bytes: Uint8Array): string[][] {
  const parts = unpack(bytes)
  const sheet = Object.keys(parts)
    .filter((name) => /^xl\/worksheets\/[^/]+\.xml$/.test(name))
    .toSorted((a, b) => a.localeCompare(b, 'en', { numeric: true }))[0]
  const content = sheet === undefined ? undefined : parts[sheet]
  if (content === undefined) {
    throw new Error('This is no Excel workbook (.xlsx), or it is too large.')
  }
  const texts = sharedTexts(parts['xl/sharedStrings.xml'])
  return [...parseXml(content).getElementsByTagName('row')].map((row) => cellsOf(row, texts))
}

function unpack(bytes: Uint8Array): Record<string, Uint8Array> {
  try {
    return unzipSync(bytes, {
      filter: ({ name, originalSize }) => name.startsWith('xl/') && originalSize <= PART_BYTES_MAX,
    })
  } catch (error) {
    throw new Error('This is no Excel workbook (.xlsx).', { cause: error })
  }
}

function parseXml(bytes: Uint8Array): Document {
  return new DOMParser().parseFromString(strFromU8(bytes), 'application/xml')
}

/** Texts that cells name by their number. */
function sharedTexts(part: Uint8Array | undefined): string[] {
  if (part === undefined) return []
  return [...parseXml(part).getElementsByTagName('si')].map(textOf)
}

/** Runs of one text follow each other; how it is pronounced is no part of it. */
function textOf(item: Element): string {
  return [...item.getElementsByTagName('t')]
    .filter((run) => run.parentElement?.tagName !== 'rPh')
    .map((run) => run.textContent)
    .join('')
}

function cellsOf(row: Element, texts: string[]): string[] {
  const cells: string[] = []
  for (const cell of row.getElementsByTagName('c')) {
    const letters = /^[A-Z]+/.exec(cell.getAttribute('r') ?? '')?.[0]
    const place = letters === undefined ? cells.length : columnOf(letters)
    while (cells.length < place) cells.push('')
    cells[place] = valueOf(cell, texts)
  }
  return cells
}

/** A is 0, Z 25, AA 26. */
function columnOf(letters: string): number {
  return letters.split('').reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1
}

function valueOf(cell: Element, texts: string[]): string {
  const value = cell.getElementsByTagName('v')[0]?.textContent ?? ''
  const type = cell.getAttribute('t')
  if (type === 's') return texts[Number(value)] ?? ''
  if (type === 'inlineStr') return textOf(cell)
  return type === 'e' ? '' : value
}
