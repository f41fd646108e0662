/** Which columns of a table contain measured values, their units, types and relations, and the compounds. */
import { isNameHeading, isSmilesHeading } from './compound-columns.ts'
import { readKind, readType, readUnit, roleOf } from './measured-kind.ts'

/** Indices of columns. `compound` contains SMILES or names; `value` is null if none or several could be the value. */
export type ValueColumns = {
  compound: number
  name: number | null
  value: number | null
  unit: number | null
  type: number | null
  relation: number | null
}

/** How many rows are examined to guess what a column contains. */
const SAMPLED_ROWS = 200

/** Guesses by heading first, then by content; `molecule` is the column recognised as SMILES, if any. */
export function guessValueColumns(
  { heading, rows }: { heading: string[]; rows: string[][] },
  molecule: number | null = null,
): ValueColumns {
  const sample = rows.slice(0, SAMPLED_ROWS)
  const shareOf = (column: number, isIt: (cell: string) => boolean) => {
    const filled = sample.map((row) => row[column]?.trim() ?? '').filter((cell) => cell !== '')
    return filled.filter(isIt).length / Math.max(filled.length, 1)
  }
  const taken = new Set<number>()
  const find = (isIt: (title: string, column: number) => boolean) => {
    const at = heading.findIndex((title, column) => !taken.has(column) && isIt(title, column))
    if (at !== -1) taken.add(at)
    return at === -1 ? null : at
  }
  const smiles = find((title) => isSmilesHeading(title))
  const isPlain = (title: string) => roleOf(title) === null
  const unit =
    find((title) => roleOf(title) === 'unit') ??
    find(
      (title, column) => isPlain(title) && shareOf(column, (cell) => readUnit(cell) !== null) > 0.5,
    )
  const type =
    find((title) => roleOf(title) === 'type') ??
    find(
      (title, column) => isPlain(title) && shareOf(column, (cell) => readType(cell) !== null) > 0.5,
    )
  const relation =
    find((title, column) => roleOf(title) === 'relation' && shareOf(column, isRelation) > 0) ??
    find((title, column) => isPlain(title) && shareOf(column, isRelation) > 0.9)
  const isNumeric = (column: number) => shareOf(column, isNumber) > 0
  const value = valueColumn(heading, (column) => !taken.has(column) && isNumeric(column), {
    hasUnits: unit !== null,
  })
  if (value !== null) taken.add(value)
  const columns = { value, unit, type, relation }
  const name = find((title) => isNameHeading(title))
  if (smiles !== null) return { compound: smiles, name, ...columns }
  const isFree = molecule !== null && !taken.has(molecule)
  const compound = isFree ? molecule : (name ?? (value === 0 ? 1 : 0))
  return { compound, name: compound === name ? null : name, ...columns }
}

/** The column whose heading says most about its values; null if two say as much, or none says anything. */
function valueColumn(
  heading: string[],
  isNumeric: (column: number) => boolean,
  { hasUnits }: { hasUnits: boolean },
): number | null {
  const columns = heading.map((title, column) => ({ title, column }))
  const score = (title: string) => {
    const { unit } = readKind(title)
    if (/pchembl/i.test(title)) return 1.5
    return unit !== undefined || (hasUnits && /value/i.test(title)) ? 2 : 1
  }
  const best = (candidates: { title: string; column: number }[]) => {
    const scored = candidates.map((one) => ({ ...one, score: score(one.title) }))
    const most = Math.max(...scored.map((one) => one.score))
    const [first, second] = scored.filter((one) => one.score === most)
    return second === undefined ? (first?.column ?? null) : null
  }
  const named = columns.filter(({ title }) => roleOf(title) === 'value')
  const full = named.filter(({ column }) => isNumeric(column))
  if (full.length > 0) return best(full)
  // When skipped lines are being corrected, possibly none is a number yet.
  if (named.length > 0) return best(named)
  const withUnit = columns.filter(
    ({ title, column }) =>
      roleOf(title) === null && readKind(title).unit !== undefined && isNumeric(column),
  )
  if (withUnit.length > 0) return best(withUnit)
  const numeric = columns.filter(({ title, column }) => roleOf(title) === null && isNumeric(column))
  return numeric.length === 1 ? (numeric[0]?.column ?? null) : null
}

/** A value with an optional relation and unit. */
function isNumber(cell: string): boolean {
  const plain = cell.replace(/^['"<>≤≥~=≈\s]+/u, '')
  return /^[\d.,][\d.,']*(?: \d{3})*(?:e[+-]?\d+)?(?: ?[a-zµμ]{1,2})?$/iu.test(plain)
}

function isRelation(cell: string): boolean {
  return /^['"]?(?:=|[<>~≤≥≈]{1,2}|[<>]=)['"]?$/u.test(cell)
}

/** Whether values without a unit could as well be pK: all between 3 and 12. */
export function couldBePk(values: string[]): boolean {
  const numbers = values.filter((cell) => cell.trim() !== '').map((cell) => Number(cell.trim()))
  return numbers.length > 0 && numbers.every((number) => number >= 3 && number <= 12)
}
