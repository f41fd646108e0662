/** A pasted or imported table of compounds: its columns, and the lines to upload. */
import { chooseCompoundColumns, isSmilesLike, type Table } from '@pkdex/intake'

export type CompoundTable = Pick<Table, 'heading' | 'rows' | 'lines' | 'hasHeading'>

/** Indices of columns; a table may have no names. `kept` columns are stored with the compounds. */
export type Columns = { smiles: number; name: number | null; kept: number[] }

/** Maximum number of columns that the server stores per table. */
export const KEPT_COLUMNS_MAX = 20

/** By headings and contents. */
export function guessColumns(table: CompoundTable): Columns {
  const { smiles, name } = chooseCompoundColumns(table)
  return takeColumns(table.heading, { smiles: smiles ?? 0, name })
}

/** All other columns are kept, up to the limit. */
export function takeColumns(heading: string[], { smiles, name }: Omit<Columns, 'kept'>): Columns {
  const others = heading.map((_, column) => column).filter((one) => one !== smiles && one !== name)
  return { smiles, name, kept: others.slice(0, KEPT_COLUMNS_MAX) }
}

export type CompoundLines = { text: string; count: number; skipped: number }

/**
 * One line per row: SMILES, then the name. With kept columns, a tab-separated table with a heading.
 * Rows without a SMILES become empty lines. `#line` before a row gives the server its line number
 * in the file.
 */
export function toLines(table: CompoundTable, columns: Columns): CompoundLines {
  const { heading, rows } = table
  const { smiles, name, kept } = columns
  const hasHeading = kept.length > 0 || table.hasHeading
  const lines = rows.map((row) => {
    const molecule = moleculeOf(row[smiles])
    if (molecule === '') return ''
    const title = name === null ? '' : toCell(row[name])
    const cells = kept.map((one) => toCell(row[one]))
    if (hasHeading) return [molecule, title, ...cells].join('\t')
    return title === '' ? molecule : `${molecule} ${title}`
  })
  const first = ['SMILES', 'Name', ...kept.map((one) => toCell(heading[one]))].join('\t')
  const numbered = numberLines(lines, table.lines, hasHeading ? 2 : 1)
  const text = [...(hasHeading ? [first] : []), ...numbered].join('\n')
  const count = lines.filter((line) => line !== '').length
  const filled = rows.filter((row) => row.some((cell) => cell !== '')).length
  return { text, count, skipped: filled - count }
}

/** `next`: the line number that the server would give to the first line. */
function numberLines(lines: string[], numbers: number[], next: number): string[] {
  let expected = next
  return lines.flatMap((line, at) => {
    const number = numbers[at] ?? expected
    const isNext = number === expected
    expected = number + 1
    return isNext ? [line] : [`#line ${number}`, line]
  })
}

/** The SMILES with its extension `|…|`, which the server checks; a text after it is left out. */
function moleculeOf(cell = ''): string {
  const [molecule = ''] = cell.trim().split(/\s/, 1)
  const extension = /^\|[^|]*\|/.exec(cell.trim().slice(molecule.length).trim())?.[0]
  return extension === undefined ? molecule : `${molecule} ${extension}`
}

/** Without tabs and line breaks. */
function toCell(text = ''): string {
  return text.replaceAll(/\s+/g, ' ').trim()
}

/** Moves the SMILES to the beginning of lines that begin with the name. */
export function orderLines(text: string): string {
  return text.replaceAll(/[^\r\n]+/g, (line) => {
    const words = line.trim().split(/\s+/)
    const last = words.at(-1) ?? ''
    const isSwapped = words.length > 1 && !isSmilesLike(words[0] ?? '') && isSmilesLike(last)
    return isSwapped && !line.startsWith('#') ? `${last} ${words.slice(0, -1).join(' ')}` : line
  })
}

/** Counts the lines of a plain list, without blank lines and comments. */
export function countLines(text: string): number {
  return text.split(/\r\n|\n|\r/).filter((line) => /^\s*[^\s#]/.test(line)).length
}
