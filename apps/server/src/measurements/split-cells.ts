/** Splits a line of a table into its cells, in one pass whatever its content. */

export type Separator = '\t' | ';' | ',' | ' '

/** A longer cell is not a number. */
export const VALUE_CHARACTERS_MAX = 60

/** A cell in quotes may contain the separator; a quote in it is doubled. */
export function splitCells(line: string, separator: Separator): string[] {
  if (separator === ' ') return splitWords(line)
  const cells: string[] = []
  // After one unclosed quote, no further cell is tried as quoted, so that the line is never searched twice.
  for (let [at, mayBeQuoted] = [0, true]; at <= line.length;) {
    const quoted = mayBeQuoted ? readQuoted(line, at, separator) : null
    if (quoted === 'unclosed') mayBeQuoted = false
    if (quoted !== null && quoted !== 'unclosed') {
      cells.push(quoted.cell)
      at = quoted.end + 1
      continue
    }
    const found = line.indexOf(separator, at)
    const end = found === -1 ? line.length : found
    cells.push(line.slice(at, end).trim())
    at = end + 1
  }
  return cells
}

/** Reads a quoted cell at `from`, if there is one: its closing quote is followed by a separator or the line's end. */
function readQuoted(
  line: string,
  from: number,
  separator: Separator,
): { cell: string; end: number } | 'unclosed' | null {
  const start = skipSpaces(line, from, separator)
  if (line[start] !== '"') return null
  let close = line.indexOf('"', start + 1)
  while (close !== -1 && line[close + 1] === '"') close = line.indexOf('"', close + 2)
  if (close === -1) return 'unclosed'
  const end = skipSpaces(line, close + 1, separator)
  if (end < line.length && line[end] !== separator) return null
  return {
    cell: line
      .slice(start + 1, close)
      .replaceAll('""', '"')
      .trim(),
    end,
  }
}

function skipSpaces(line: string, from: number, separator: Separator): number {
  let at = from
  while (at < line.length && line[at] !== separator && line[at]?.trim() === '') at += 1
  return at
}

/** The value is the last number, with the text after it; the text before it is the compound, which may have spaces. */
function splitWords(line: string): string[] {
  const words = [...line.matchAll(/\S+/g)]
  const at = words.findLastIndex(([word]) => isNumberWithUnit(word))
  const isSigned = /^[<>≤≥~=]+$/u.test(words[at - 1]?.[0] ?? '')
  const first = isSigned ? at - 1 : at
  const value = words[first]
  if (first < 1 || value === undefined) return [line]
  return [line.slice(0, value.index).trim(), line.slice(value.index).trim()]
}

function isNumberWithUnit(word: string): boolean {
  return (
    word.length <= VALUE_CHARACTERS_MAX && /^[<>≤≥~=]*[\d.,]+(e[+-]?\d+)?[a-zµμ]*$/iu.test(word)
  )
}
