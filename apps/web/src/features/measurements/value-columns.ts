/** A table of measured values: what each column contains, and the lines to import. */
import {
  isNameHeading,
  isSmilesHeading,
  isTypeHeading,
  isUnitHeading,
  isValueHeading,
  readKind,
} from '@pkdex/contract'
import type { Kind } from './measured-kind.tsx'

export type ValueSheet = { heading: string[]; rows: string[][] }

/** Columns as indices; `compound` contains SMILES or names of the user's compounds. */
export type ValueColumns = {
  compound: number
  name: number | null
  value: number
  unit: number | null
  type: number | null
}

/** How many rows are examined to guess what a column contains. */
const SAMPLED_ROWS = 200

/** Guesses by heading first, then by content; `molecule` is the column recognised as SMILES. */
export function guessValueColumns({ heading, rows }: ValueSheet, molecule: number): ValueColumns {
  const sample = rows.slice(0, SAMPLED_ROWS)
  const shareOf = (column: number, isIt: (cell: string) => boolean) =>
    sample.filter((row) => isIt(row[column] ?? '')).length / Math.max(sample.length, 1)
  const taken = new Set<number>()
  const find = (isIt: (title: string, column: number) => boolean) => {
    const at = heading.findIndex((title, column) => !taken.has(column) && isIt(title, column))
    if (at !== -1) taken.add(at)
    return at === -1 ? null : at
  }
  const holdsNumbers = (column: number) => shareOf(column, isNumber) > 0
  const smiles = find((title) => isSmilesHeading(title))
  const value =
    find((title, column) => isValueHeading(title) && holdsNumbers(column)) ??
    find((title, column) => isKindHeading(title) && holdsNumbers(column)) ??
    // When skipped lines are being corrected, possibly none is a number yet.
    find((title) => isValueHeading(title)) ??
    fullest(heading, (column) => (taken.has(column) ? 0 : shareOf(column, isNumber)))
  taken.add(value)
  const unit = find(isUnitHeading) ?? find((_, column) => shareOf(column, isUnit) > 0.5)
  const type = find(isTypeHeading) ?? find((_, column) => shareOf(column, isType) > 0.5)
  const name = find((title) => isNameHeading(title))
  if (smiles !== null) return { compound: smiles, name, value, unit, type }
  const compound = taken.has(molecule) ? (name ?? 0) : molecule
  return { compound, name: compound === name ? null : name, value, unit, type }
}

function fullest(heading: string[], shareOf: (column: number) => number): number {
  const shares = heading.map((_, column) => shareOf(column))
  return Math.max(0, shares.indexOf(Math.max(...shares)))
}

function isKindHeading(title: string): boolean {
  const { type, unit } = readKind(title)
  return type !== undefined || unit !== undefined
}

function isNumber(cell: string): boolean {
  return /^[<>≤≥~=≈\s]*[\d.,]+(?:e[+-]?\d+)?(?:\s*[a-zµμ]{1,2})?$/iu.test(cell)
}

function isUnit(cell: string): boolean {
  return readKind(cell).unit !== undefined && !/\d/.test(cell.replace(/ic50/i, ''))
}

function isType(cell: string): boolean {
  return /^p?(?:kd|ki|ic50)$/i.test(cell)
}

/** Type and unit as stated in the heading of the value column; what the heading does not state is unchanged. */
export function kindOf(heading: string, otherwise: Kind): Kind {
  return { ...otherwise, ...readKind(heading) }
}

export type ValueLines = { text: string; count: number; skipped: number }

/**
 * Tab-separated lines under a heading with type and unit, so that lines returned for correction keep both.
 * Rows without a compound or a value are skipped.
 */
export function toValueLines(
  { rows }: ValueSheet,
  { compound, name, value, unit, type }: ValueColumns,
  kind: Kind,
): ValueLines {
  const optional = [
    { title: 'Name', column: name },
    { title: 'Unit', column: unit },
    { title: 'Type', column: type },
  ].filter(({ column }) => column !== null)
  const lines = rows.flatMap((row) => {
    const [molecule, measured] = [toCell(row[compound]), toCell(row[value])]
    if (molecule === '' || measured === '') return []
    return [[molecule, measured, ...optional.map((one) => toCell(row[one.column ?? 0]))].join('\t')]
  })
  const first = ['SMILES', headingOf(kind), ...optional.map(({ title }) => title)].join('\t')
  return {
    text: [first, ...lines].join('\n'),
    count: lines.length,
    skipped: rows.length - lines.length,
  }
}

function headingOf({ type, unit }: Kind): string {
  return unit === 'p' ? `p${type}` : `${type} ${unit}`
}

/** Puts a cell on one line, without tabs; a cell with a quote is quoted, because it could start a quoted cell. */
function toCell(text = ''): string {
  const plain = text.replaceAll(/\s+/g, ' ').trim()
  return plain.includes('"') ? `"${plain.replaceAll('"', '""')}"` : plain
}
