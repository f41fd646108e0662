/** Which columns of a table have the measured values, their units, types and relations. */
import { type Column, columnOf } from './columns.ts'
import { plain, type Scale } from './kinds.ts'
import { leadingNumber } from './marks.ts'
import type { Table } from './table.ts'
import { readValue } from './value.ts'

/** Columns as indices; `compound` contains SMILES or names. */
export type ValueColumns = {
  compound: number
  name: number | null
  value: number | null
  unit: number | null
  type: number | null
  relation: number | null
}

export type ChosenColumns = {
  columns: ValueColumns
  /** Columns that could be the value as well. */
  rivals: number[]
}

/** Type and unit of a column as its heading says them. */
export function headingKind(heading: string): Column {
  const column = columnOf(heading, ['-1'])
  return column.role === 'value' ? column : { role: 'other', confidence: 0 }
}

export function chooseValueColumns({
  heading,
  rows,
}: Pick<Table, 'heading' | 'rows'>): ChosenColumns {
  const columns = heading.map((title, at) =>
    columnOf(
      title,
      rows.map((row) => row[at] ?? ''),
    ),
  )
  const taken = new Set<number>()
  const best = (isIt: (column: Column) => boolean): number | null => {
    const found = columns.reduce((top, column, at) => {
      const isBetter = top === -1 || column.confidence > (columns[top]?.confidence ?? 0)
      return !taken.has(at) && isIt(column) && isBetter ? at : top
    }, -1)
    if (found !== -1) taken.add(found)
    return found === -1 ? null : found
  }
  const smiles = best(({ role }) => role === 'smiles')
  const [unit, type, relation] = [
    best(({ role }) => role === 'unit'),
    best(({ role }) => role === 'type'),
    best(({ role }) => role === 'relation'),
  ]
  const named = best(({ role }) => role === 'name')
  const { value, rivals } = chooseValue({ heading, rows }, { columns, taken, unit })
  if (value !== null) taken.add(value)
  const rest = heading.findIndex((_, at) => !taken.has(at))
  const compound = smiles ?? named ?? Math.max(0, rest)
  return {
    columns: { compound, name: smiles === null ? null : named, value, unit, type, relation },
    rivals,
  }
}

type Known = { columns: Column[]; taken: Set<number>; unit: number | null }

function chooseValue(table: Pick<Table, 'heading' | 'rows'>, { columns, taken, unit }: Known) {
  const candidates = columns
    .map((column, at) => ({ ...column, at }))
    .filter(({ role, at }) => role === 'value' && !taken.has(at))
    .map((one) => ({
      ...one,
      confidence: one.confidence + (unit !== null && one.scale === undefined ? 0.4 : 0),
    }))
    .toSorted((a, b) => b.confidence - a.confidence || a.at - b.at)
  const [top, ...others] = candidates
  if (top === undefined) return { value: onlyNumbers(table, columns, taken), rivals: [] }
  const near = others.filter(({ confidence }) => confidence > top.confidence - 0.35)
  const linear = [top, ...near].find(({ scale }) => scale?.unit !== 'p') ?? top
  const best = [top, ...near].every((one) => one === linear || isSameQuantity(table, linear, one))
    ? linear
    : top
  return {
    value: best.at,
    rivals: [top, ...near]
      .filter((one) => one !== best && !isSameQuantity(table, best, one))
      .map(({ at }) => at),
  }
}

/** Whether two columns state the same values, as a concentration and as a pK. */
function isSameQuantity(
  { rows }: Pick<Table, 'rows'>,
  one: Column & { at: number },
  other: Column & { at: number },
): boolean {
  if ((one.scale?.unit === 'p') === (other.scale?.unit === 'p')) return false
  const nM: Scale = { unit: 'nM', factor: 1 }
  const pkOf = (text: string, { scale, isNegated }: Column) => {
    const read = readValue(
      { text, comma: 'thousands' },
      { type: 'Kd', scale: scale ?? nM, isNegated },
    )
    return read.ok ? read.measured.pk : null
  }
  const pairs = rows.slice(0, 200).flatMap((row) => {
    const [a, b] = [pkOf(row[one.at] ?? '', one), pkOf(row[other.at] ?? '', other)]
    return a === null || b === null ? [] : [Math.abs(a - b)]
  })
  return pairs.length > 0 && pairs.every((difference) => difference < 0.06)
}

/** The only column of numbers that nothing else is known of; null if there are none or several. */
function onlyNumbers(
  { rows, heading }: Pick<Table, 'heading' | 'rows'>,
  columns: Column[],
  taken: Set<number>,
): number | null {
  const isHeadless = heading.every((title, at) => title === `Column ${at + 1}`)
  const found = columns.flatMap(({ role }, at) => {
    const cells = rows.map((row) => row[at] ?? '').filter((cell) => cell !== '')
    const numbers = cells.filter(
      (cell) => leadingNumber(plain(cell).replace(/^[\s<>≤≥~=≈]*/u, '')) !== '',
    )
    return role === 'other' &&
      !taken.has(at) &&
      cells.length > 0 &&
      numbers.length > cells.length / 2
      ? [at]
      : []
  })
  return isHeadless && found.length === 1 ? (found[0] ?? null) : null
}
