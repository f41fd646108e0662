/**
 * Reads the syntax of CIF (Hall, Allen & Brown 1991; the subset that mmCIF uses): the rows of the first data block,
 * category by category, in one pass over the text and without keeping categories that are not requested.
 */

/** A row of a category: the value of an item, or '' where it is absent, unknown (`?`) or not applicable (`.`). */
export type CifRow = { lineNumber: number; get: (item: string) => string }

/**
 * Receives each row of a category, with the category's items in lower case; returns false if the rest of the file need
 * not be read.
 */
export type CifReader = (row: CifRow, items: ReadonlyMap<string, number>) => boolean

/** `readers` by category in lower case, without its leading underscore: `atom_site`. */
export function readCif(text: string, readers: ReadonlyMap<string, CifReader>): void {
  const tokens = new Tokens(text)
  let blocks = 0
  tokens.next()
  while (tokens.kind !== 'end') {
    if (tokens.isWord('loop_')) {
      tokens.next()
      if (!readLoop(tokens, readers)) return
    } else if (tokens.kind === 'tag') {
      if (!readItems(tokens, readers)) return
    } else {
      if (tokens.isWord('data_')) blocks++
      if (blocks > 1) return
      tokens.next()
    }
  }
}

function readLoop(tokens: Tokens, readers: ReadonlyMap<string, CifReader>): boolean {
  const items = new Map<string, number>()
  let category = ''
  while (tokens.kind === 'tag') {
    const [name, item] = splitTag(tokens.text)
    category = name
    if (!items.has(item)) items.set(item, items.size)
    tokens.next()
  }
  const reader = readers.get(category)
  const row = new Row(items)
  while (tokens.kind === 'value') {
    row.lineNumber = tokens.lineNumber
    const columns = Math.max(1, items.size)
    for (let at = 0; at < columns; at++) {
      if (tokens.kind !== 'value') return true
      row.values[at] = tokens.value
      tokens.next()
    }
    if (reader !== undefined && !reader(row, items)) return false
  }
  return true
}

/** Items written one by one are a category of one row. */
function readItems(tokens: Tokens, readers: ReadonlyMap<string, CifReader>): boolean {
  const [category] = splitTag(tokens.text)
  const items = new Map<string, number>()
  const row = new Row(items)
  row.lineNumber = tokens.lineNumber
  while (tokens.kind === 'tag') {
    const [name, item] = splitTag(tokens.text)
    if (name !== category) break
    const kind: string = tokens.next()
    if (kind !== 'value') continue
    row.values[items.size] = tokens.value
    items.set(item, items.size)
    tokens.next()
  }
  const reader = readers.get(category)
  return reader === undefined || items.size === 0 || reader(row, items)
}

/** `_atom_site.Cartn_x` is the item cartn_x of the category atom_site. */
function splitTag(tag: string): [category: string, item: string] {
  const lower = tag.toLowerCase()
  const point = lower.indexOf('.')
  return point < 0 ? [lower.slice(1), ''] : [lower.slice(1, point), lower.slice(point + 1)]
}

class Row implements CifRow {
  readonly values: string[] = []
  lineNumber = 0
  readonly #items: ReadonlyMap<string, number>

  constructor(items: ReadonlyMap<string, number>) {
    this.#items = items
  }

  readonly get = (item: string): string => {
    const at = this.#items.get(item)
    return at === undefined ? '' : (this.values[at] ?? '')
  }
}

const tab = 9
const newline = 10
const carriageReturn = 13
const blank = 32
const doubleQuote = 34
const hash = 35
const singleQuote = 39
const semicolon = 59
const underscore = 95

/** Reads one token after the other; skips comments and blanks. */
class Tokens {
  kind: 'tag' | 'word' | 'value' | 'end' = 'end'
  /** As written, without quotes. */
  text = ''
  /** The text, or '' for an unquoted `.` or `?`. */
  value = ''
  lineNumber = 1
  #at = 0
  readonly #source: string

  constructor(source: string) {
    this.#source = source
  }

  /** Whether this is the reserved word, or for `data_` one that begins with it. */
  isWord(word: string): boolean {
    if (this.kind !== 'word') return false
    const lower = this.text.toLowerCase()
    return word === 'data_' ? lower.startsWith(word) : lower === word
  }

  /** Advances, and returns the type of the next token. */
  next(): Tokens['kind'] {
    this.#skipBlanks()
    const source = this.#source
    const start = this.#at
    if (start >= source.length) return this.#take('end', '', '')
    const code = source.charCodeAt(start)
    if (code === semicolon && this.#isAtLineStart(start)) return this.#takeTextField(start)
    if (code === singleQuote || code === doubleQuote) return this.#takeQuoted(start, code)
    return this.#takeWord(start)
  }

  #takeWord(start: number): Tokens['kind'] {
    const source = this.#source
    let end = start + 1
    while (end < source.length && !isBlank(source.charCodeAt(end))) end++
    this.#at = end
    const text = source.slice(start, end)
    if (source.charCodeAt(start) === underscore) return this.#take('tag', text, text)
    if (reserved.test(text)) return this.#take('word', text, text)
    return this.#take('value', text, text === '.' || text === '?' ? '' : text)
  }

  #take(kind: Tokens['kind'], text: string, value: string): Tokens['kind'] {
    this.kind = kind
    this.text = text
    this.value = value
    return kind
  }

  #skipBlanks(): void {
    const source = this.#source
    while (this.#at < source.length) {
      const code = source.charCodeAt(this.#at)
      if (code === hash) this.#at = lineEnd(source, this.#at)
      else if (!isBlank(code)) return
      else {
        if (code === newline) this.lineNumber++
        this.#at++
      }
    }
  }

  #isAtLineStart(at: number): boolean {
    return at === 0 || this.#source.charCodeAt(at - 1) === newline
  }

  /** From a semicolon at the start of a line to the next one. */
  #takeTextField(start: number): Tokens['kind'] {
    const close = this.#source.indexOf('\n;', start)
    const end = close < 0 ? this.#source.length : close
    const text = this.#source.slice(start + 1, end)
    for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) this.lineNumber++
    if (close >= 0) this.lineNumber++
    this.#at = close < 0 ? end : end + 2
    return this.#take('value', text, text)
  }

  /** A quote ends before a blank; an unterminated value is the rest of its line. */
  #takeQuoted(start: number, quote: number): Tokens['kind'] {
    const source = this.#source
    const end = lineEnd(source, start)
    let close = start + 1
    while (
      close < end &&
      !(source.charCodeAt(close) === quote && isBlank(source.charCodeAt(close + 1)))
    ) {
      close++
    }
    const text = source.slice(start + 1, close).trimEnd()
    this.#at = Math.min(end, close + 1)
    return this.#take('value', text, text)
  }
}

const reserved = /^(loop_|stop_|global_|data_.*|save_.*)$/i

/** The end of the text counts as a blank. */
function isBlank(code: number): boolean {
  return (
    code === blank || code === newline || code === tab || code === carriageReturn || code !== code
  )
}

function lineEnd(source: string, from: number): number {
  const end = source.indexOf('\n', from)
  return end < 0 ? source.length : end
}
