/**
 * Reads the cells of a sheet of an Excel workbook (.xlsx) as text, hidden sheets are left out if
 * another is visible. The caller unpacks the file. Only the XML of workbooks is supported, in one pass over its text.
 */

import { type CellFormat, readFormat, showNumber } from './cell-format.ts'

export type Workbook = {
  /** Names in Excel's order. */
  sheets: string[]
  /** Throws an error whose message says what is wrong. */
  readRows: (sheet: number) => string[][]
}

/** Maximum size of all parts when unpacked. */
const PARTS_BYTES_MAX = 64 * 1024 * 1024

/** Larger gaps between rows are removed. */
const GAP_ROWS_MAX = 1000

/** Columns of a sheet in Excel: A to XFD. */
const COLUMNS_MAX = 16_384

type Filter = (part: { name: string; originalSize: number }) => boolean

/** Throws an error whose message says what is wrong. */
export function openWorkbook<Part>(
  unzip: (filter: Filter) => Record<string, Part>,
  decode: (part: Part) => string,
): Workbook {
  const parts = new Map(Object.entries(unpack(unzip)))
  const read = (name: string) => {
    const part = parts.get(name)
    return part === undefined ? '' : decode(part)
  }
  const sheets = listSheets([...parts.keys()], read)
  if (sheets.length === 0) throw new Error(NOT_A_WORKBOOK)
  return {
    sheets: sheets.map(({ name }) => name),
    readRows: (at) => {
      const sheet = sheets[at]
      if (sheet === undefined) throw new Error(`The workbook has no sheet ${at + 1}.`)
      const texts = readSharedTexts(read('xl/sharedStrings.xml'))
      return readRows(read(sheet.part), { texts, ...readFormats(read) })
    },
  }
}

const NOT_A_WORKBOOK =
  'This is not an Excel workbook (.xlsx) but another zip archive, or it is too large.'

function unpack<Part>(unzip: (filter: Filter) => Record<string, Part>): Record<string, Part> {
  let size = 0
  try {
    return unzip(({ name, originalSize }) => {
      const isPart = /^xl\/(?!media|theme|drawings|charts).*\.(?:xml|rels)$/.test(name)
      if (!isPart || size + originalSize > PARTS_BYTES_MAX) return false
      size += originalSize
      return true
    })
  } catch (error) {
    throw new Error(NOT_A_WORKBOOK, { cause: error })
  }
}

/** By the list of sheets; without one, by the part names. */
function listSheets(names: string[], read: (name: string) => string) {
  const targets = new Map(
    tagsOf(read('xl/_rels/workbook.xml.rels'), 'Relationship').map((one) => [
      one.get('Id'),
      `xl/${(one.get('Target') ?? '').replace(/^\/?(?:xl\/)?/, '')}`,
    ]),
  )
  const listed = tagsOf(read('xl/workbook.xml'), 'sheet').flatMap((one) => {
    const part = targets.get(one.get('r:id'))
    const isHidden = /hidden/i.test(one.get('state') ?? '')
    return part !== undefined && names.includes(part)
      ? [{ name: one.get('name') ?? part, part, isHidden }]
      : []
  })
  const visible = listed.filter(({ isHidden }) => !isHidden)
  if (listed.length > 0) return visible.length > 0 ? visible : listed
  return names
    .filter((name) => /^xl\/worksheets\/[^/]+\.xml$/.test(name))
    .toSorted((a, b) => a.localeCompare(b, 'en', { numeric: true }))
    .map((part, place) => ({ name: `Sheet ${place + 1}`, part }))
}

/** What a cell refers to by number: shared texts, and the formats of its numbers. */
type References = { texts: string[]; formats: CellFormat[]; startsIn1904: boolean }

function readFormats(read: (name: string) => string): Omit<References, 'texts'> {
  const xml = read('xl/styles.xml')
  const custom = new Map(
    tagsOf(xml, 'numFmt').map((one) => [one.get('numFmtId'), one.get('formatCode') ?? '']),
  )
  const styles = tagsOf(xml.slice(Math.max(0, xml.indexOf('<cellXfs'))), 'xf')
  const [properties] = tagsOf(read('xl/workbook.xml'), 'workbookPr')
  return {
    formats: styles.map((style) => {
      const id = style.get('numFmtId')
      return readFormat(Number(id), custom.get(id))
    }),
    startsIn1904: /^(?:1|true)$/.test(properties?.get('date1904') ?? ''),
  }
}

function readRows(xml: string, references: References): string[][] {
  const rows: string[][] = []
  const merged: string[] = []
  let cell: Cell | null = null
  for (const token of tokensOf(xml)) {
    if (starts(token, 'mergeCell')) merged.push(token.attributes().get('ref') ?? '')
    if (starts(token, 'row')) addRow(rows, token)
    const row = rows.at(-1)
    if (row === undefined) continue
    if (starts(token, 'c')) cell = openCell(token.attributes(), row.length)
    cell?.add(token)
    if (cell === null || !ends(token, 'c')) continue
    while (row.length < cell.place) row.push('')
    row[cell.place] = cell.value(references)
    cell = null
  }
  for (const range of merged) fillDown(rows, range)
  return rows
}

/** A cell merged over several rows, `B2:B4`, is in each of them. */
function fillDown(rows: string[][], range: string): void {
  const [, letters, from, others, to] =
    /^([A-Z]{1,3})(\d{1,7}):([A-Z]{1,3})(\d{1,7})$/.exec(range) ?? []
  if (letters === undefined || letters !== others) return
  const place = columnOf(letters)
  const text = rows[Number(from) - 1]?.[place] ?? ''
  for (const row of rows.slice(Number(from), Number(to))) {
    while (row.length < place) row.push('')
    if (text !== '') row[place] = text
  }
}

/** Excel writes no element for an empty row, but its position counts. */
function addRow(rows: string[][], row: Token): void {
  const missing = Number(row.attributes().get('r') ?? 0) - 1 - rows.length
  const isGap = missing > 0 && missing <= GAP_ROWS_MAX
  rows.push(...Array.from({ length: isGap ? missing + 1 : 1 }, () => []))
}

type Cell = {
  place: number
  add: (token: Token) => void
  value: (references: References) => string
}

function openCell(attributes: Map<string, string>, next: number): Cell {
  const letters = /^[A-Z]{1,3}/.exec(attributes.get('r') ?? '')?.[0]
  const type = attributes.get('t')
  const [value, inline, formula] = [collectText('v'), collectText('t'), collectText('f')]
  return {
    place: letters === undefined ? next : Math.min(columnOf(letters), COLUMNS_MAX - 1),
    add: (token) => {
      value.add(token)
      inline.add(token)
      formula.add(token)
    },
    value: ({ texts, formats, startsIn1904 }) => {
      if (type === 's') return texts[Number(value.text())] ?? ''
      if (type === 'inlineStr') return asWritten(inline.text())
      if (type === 'str') return asWritten(value.text())
      if (type === 'e') return ''
      // A program wrote the formula and did not calculate it.
      if (value.text() === '') return formula.text() === '' ? '' : `=${formula.text()}`
      if (type === 'b') return value.text() === '0' ? 'FALSE' : 'TRUE'
      if (type === 'd') return value.text()
      const format = formats[Number(attributes.get('s'))]
      return showNumber(value.text(), format, startsIn1904)
    },
  }
}

/** A is 0, Z 25, AA 26. */
function columnOf(letters: string): number {
  return letters.split('').reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1
}

/** Shared texts, which cells refer to by number. */
function readSharedTexts(xml: string): string[] {
  const texts: string[] = []
  let item = collectText('t')
  for (const token of tokensOf(xml)) {
    if (starts(token, 'si')) item = collectText('t')
    item.add(token)
    if (ends(token, 'si')) texts.push(asWritten(item.text()))
  }
  return texts
}

/** `_x000D_` is the character with this number (ECMA-376, ST_Xstring). */
function asWritten(text: string): string {
  return text.replaceAll(/_x([\dA-Fa-f]{4})_/g, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  )
}

/** The joined text of all elements with a name: a formatted text has several runs. Phonetic text (rPh) is excluded. */
function collectText(tag: string) {
  let text = ''
  let [isInside, isPronunciation] = [false, false]
  return {
    add: (token: Token) => {
      if (token.tag === 'rPh') isPronunciation = token.opens && !token.closes
      else if (token.tag === tag) isInside = token.opens && !token.closes
      else if (token.tag === '' && isInside && !isPronunciation) text += token.text
    },
    text: () => text,
  }
}

/** The attributes of all elements with a name. */
function tagsOf(xml: string, tag: string): Map<string, string>[] {
  return [...tokensOf(xml)].filter((token) => starts(token, tag)).map((token) => token.attributes())
}

/** A tag without its namespace prefix, or, with an empty `tag`, the text between two tags. */
type Token = {
  tag: string
  opens: boolean
  closes: boolean
  text: string
  attributes: () => Map<string, string>
}

function starts(token: Token, tag: string): boolean {
  return token.tag === tag && token.opens
}

function ends(token: Token, tag: string): boolean {
  return token.tag === tag && token.closes
}

function* tokensOf(xml: string): Generator<Token> {
  let at = 0
  while (at < xml.length) {
    const start = xml.indexOf('<', at)
    const text = xml.slice(at, start === -1 ? xml.length : start)
    if (text !== '') yield textToken(unescape(text))
    if (start === -1) return
    const skipped = skippedParts.find(({ from }) => xml.startsWith(from, start))
    at = skipped === undefined ? endOfTag(xml, start) : endOf(xml, skipped.to, start)
    if (skipped === undefined) yield tagToken(xml.slice(start + 1, at - 1))
    else if (skipped.from === CDATA) yield textToken(xml.slice(start + CDATA.length, at - 3))
  }
}

const CDATA = '<![CDATA['
const skippedParts = [
  { from: '<!--', to: '-->' },
  { from: CDATA, to: ']]>' },
  { from: '<?', to: '?>' },
  { from: '<!', to: '>' },
]

/** The position after the next `mark`. */
function endOf(xml: string, mark: string, from: number): number {
  const place = xml.indexOf(mark, from)
  if (place === -1) throw new Error('The Excel workbook is damaged.')
  return place + mark.length
}

/** A `>` in quotes does not end a tag. */
function endOfTag(xml: string, start: number): number {
  const marks = /[>"']/g
  marks.lastIndex = start
  for (let mark = marks.exec(xml); mark !== null; mark = marks.exec(xml)) {
    if (mark[0] === '>') return marks.lastIndex
    marks.lastIndex = endOf(xml, mark[0], marks.lastIndex)
  }
  return endOf(xml, '>', xml.length)
}

function textToken(text: string): Token {
  return { tag: '', opens: false, closes: false, text, attributes: () => new Map() }
}

function tagToken(inside: string): Token {
  const isEnd = inside.startsWith('/')
  const [name = ''] = /[^\s/]+/.exec(inside) ?? []
  return {
    tag: name.slice(name.indexOf(':') + 1),
    opens: !isEnd,
    closes: isEnd || inside.endsWith('/'),
    text: '',
    attributes: () => readAttributes(inside.slice(name.length)),
  }
}

/** Not a regular expression, which would retry at every character and take quadratic time. */
function readAttributes(text: string): Map<string, string> {
  const found = new Map<string, string>()
  let at = 0
  for (;;) {
    const equals = text.indexOf('=', at)
    if (equals < 0) return found
    const start = equals + (text[equals + 1] === ' ' ? 2 : 1)
    const quote = text[start]
    if (quote !== '"' && quote !== "'") return found
    const end = text.indexOf(quote, start + 1)
    if (end < 0) return found
    found.set(text.slice(at, equals).trim(), unescape(text.slice(start + 1, end)))
    at = end + 1
  }
}

const entities = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
])

function unescape(text: string): string {
  if (!text.includes('&')) return text
  return text.replaceAll(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]{1,4}));/gi, (all, ...parts) => {
    const [decimal, hexadecimal, name] = parts as (string | undefined)[]
    if (name !== undefined) return entities.get(name) ?? all
    const code = hexadecimal === undefined ? Number(decimal) : Number.parseInt(hexadecimal, 16)
    return code <= 0x10_ff_ff ? String.fromCodePoint(code) : all
  })
}
