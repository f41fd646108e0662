/** The columns of a compound table: SMILES, and the names of the compounds. */
import { columnOf, isSmilesLike } from './columns.ts'
import { splitText, type Table, toTable } from './table.ts'

/** Null for lines of `SMILES name`. Throws an error with a message for the user. */
export function readCompoundTable(text: string): Table | null {
  const split = splitText(text)
  if (split === null) return null
  const table = toTable(split.records)
  const { smiles, name } = chooseCompoundColumns(table)
  // A list whose names contain commas is not a table.
  return smiles !== null || (table.hasHeading && name !== null) ? table : null
}

/** How many rows are examined. */
const SAMPLED_ROWS = 200
const NAME_CONFIDENCE_MIN = 0.2

export type CompoundColumns = { smiles: number | null; name: number | null }

/** By headings and contents; an empty column is neither. */
export function chooseCompoundColumns({
  heading,
  rows,
}: Pick<Table, 'heading' | 'rows'>): CompoundColumns {
  const sample = rows.slice(0, SAMPLED_ROWS)
  const columns = heading.map((title, at) =>
    columnOf(
      title,
      sample.map((row) => row[at] ?? ''),
    ),
  )
  const best = (role: 'smiles' | 'name', least: number) => {
    const found = columns
      .map((column, at) => ({ ...column, at }))
      .filter((one) => one.role === role && one.confidence >= least)
    return found.toSorted((a, b) => b.confidence - a.confidence || a.at - b.at)[0]?.at ?? null
  }
  const smiles = best('smiles', 0) ?? fullestColumn(heading, sample)
  const name =
    best('name', NAME_CONFIDENCE_MIN) ?? identifyingColumn({ heading, rows: sample }, smiles)
  return { smiles, name }
}

/** The column with the most letters in cells that look like SMILES, as element symbols do too. */
function fullestColumn(heading: string[], rows: string[][]): number | null {
  const letters = heading.map((_, column) =>
    rows
      .map((row) => row[column] ?? '')
      .filter((cell) => isSmilesLike(cell))
      .reduce((sum, cell) => sum + cell.length, 0),
  )
  const most = Math.max(0, ...letters)
  return most === 0 ? null : letters.indexOf(most)
}

const IDENTIFIED_SHARE = 0.95
const ROWS_TO_IDENTIFY_MIN = 3

/** The first column of texts that are nearly complete and all different. */
function identifyingColumn(
  { heading, rows }: Pick<Table, 'heading' | 'rows'>,
  smiles: number | null,
): number | null {
  if (rows.length < ROWS_TO_IDENTIFY_MIN) return null
  const found = heading.findIndex((_, column) => {
    const cells = rows.map((row) => row[column] ?? '').filter((cell) => cell !== '')
    const isFull = cells.length >= IDENTIFIED_SHARE * rows.length
    const isText = cells.every((cell) => Number.isNaN(Number(cell)) && !cell.startsWith('InChI='))
    return column !== smiles && isFull && isText && new Set(cells).size === cells.length
  })
  return found === -1 ? null : found
}
