/** A pasted or imported table of compounds: its columns, and the lines to upload. */
import { chooseCompoundColumns, hasTooMany, moreCells, type Sheet, writeCell } from '@pkdex/intake'

export type CompoundTable = Pick<Sheet, 'heading' | 'rows' | 'lines' | 'kind'> &
  Partial<Pick<Sheet, 'overfull' | 'delimiter'>>

/** Indices of columns; null if there are none. `kept` columns are stored with the compounds. */
export type Columns = { smiles: number | null; name: number | null; kept: number[] }

/** Maximum number of columns that the server stores per table. */
export const KEPT_COLUMNS_MAX = 20

/** By headings and contents. */
export function guessColumns(table: CompoundTable): Columns {
  return takeColumns(table.heading, chooseCompoundColumns(table))
}

/** All other columns are kept, up to the limit. */
export function takeColumns(heading: string[], { smiles, name }: Omit<Columns, 'kept'>): Columns {
  const others = heading.map((_, column) => column).filter((one) => one !== smiles && one !== name)
  return { smiles, name, kept: others.slice(0, KEPT_COLUMNS_MAX) }
}

export type CompoundLines = { text: string; count: number; skipped: number }

/**
 * A tab-separated table of SMILES, name and kept columns, whose second heading is empty if there are no names. Rows without a
 * SMILES become empty lines. `#line` before a row gives the server its line number in the file.
 */
export function toLines(table: CompoundTable, columns: Columns): CompoundLines {
  const { heading, rows } = table
  const { smiles, name, kept } = columns
  const lines = rows.map((row, at) => {
    const molecule = smiles === null ? '' : writeCell(row[smiles] ?? '')
    if (molecule === '' || hasTooMany(table, at)) return ''
    const title = name === null ? '' : writeCell(row[name] ?? '')
    return [molecule, title, ...kept.map((one) => writeCell(row[one] ?? ''))].join('\t')
  })
  const first = ['SMILES', name === null ? '' : 'Name']
  const titles = kept.map((one) => writeCell(heading[one] ?? ''))
  const numbered = numberLines(lines, table.lines)
  const text = [[...first, ...titles].join('\t'), ...numbered].join('\n')
  const count = lines.filter((line) => line !== '').length
  const filled = rows.filter((row) => row.some((cell) => cell !== '')).length
  return { text, count, skipped: filled - count - refusedRows(table).length }
}

/** Rows that are not read, with the reason. */
export function refusedRows(table: CompoundTable): string[] {
  return table.lines.flatMap((line, at) =>
    hasTooMany(table, at) ? [`Line ${line}: ${moreCells}`] : [],
  )
}

/** The server gives 2 to the first line after the heading. */
function numberLines(lines: string[], numbers: number[]): string[] {
  let expected = 2
  return lines.flatMap((line, at) => {
    const number = numbers[at] ?? expected
    const isNext = number === expected
    expected = number + 1
    return isNext ? [line] : [`#line ${number}`, line]
  })
}

/** Counts the lines of a plain list, without blank lines and comments. */
export function countLines(text: string): number {
  return text.split(/\r\n|\n|\r/).filter((line) => /^\s*[^\s#]/.test(line)).length
}
