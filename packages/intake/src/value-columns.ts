/** Which columns of a table have the measured values, their units, types and relations. */
import { type Column, columnOf } from './columns.ts'
import { has, RATE, speak, wordsOf } from './heading.ts'
import { plain, readScale, readType, type Scale } from './kinds.ts'
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
  /** Why the column of values may hold something else: `may be a rate constant`. */
  doubt: string | null
  /** Columns of results that are not Kd, Ki or IC50. */
  notTaken: number[]
}

/** Type and unit of a column as its heading says them. */
export function headingKind(heading: string): Column {
  const column = columnOf(heading, ['-1'])
  return column.role === 'value' ? column : { role: 'other', confidence: 0 }
}

type Headed = Pick<Table, 'heading' | 'rows'> & Partial<Pick<Table, 'titles'>>

export function chooseValueColumns(table: Headed): ChosenColumns {
  const columns = rolesOf(table)
  const taken = new Set<number>()
  const smiles = bestOf('smiles', columns)
  const named = bestOf('name', columns)
  for (const at of [smiles, named]) if (at !== null) taken.add(at)
  for (const [at, { role }] of columns.entries()) if (companionRoles.has(role)) taken.add(at)
  const { value, rivals } = chooseValue(table, { columns, taken })
  if (value !== null) taken.add(value)
  const rest = table.heading.findIndex((_, at) => !taken.has(at))
  const others = companionsOf(table, value, columns)
  const doubt = value === null ? null : doubtOf(table, columns[value], { value, ...others })
  return {
    columns: {
      compound: smiles ?? named ?? Math.max(0, rest),
      name: smiles === null ? null : named,
      value,
      ...others,
    },
    rivals,
    doubt,
    notTaken: columns.flatMap(({ role }, at) => (role === 'other result' ? [at] : [])),
  }
}

/** Why a column may hold something else than it is taken for, or null. */
function doubtOf(
  table: Headed,
  column: Column | undefined,
  { value, unit, type }: { value: number; unit: number | null; type: number | null },
): string | null {
  const isStated = unit !== null || isStatedInCells(table, value)
  const isOpen = column?.doubt === RATE ? !isStated : type === null
  if (column?.doubt !== undefined && isOpen) return column.doubt
  const stated = column?.scale?.unit
  const otherType = contradiction(table, type, column?.type, (cell) => readType(cell)?.type)
  if (otherType !== null) return otherType
  if (stated === undefined) return isStated ? null : unitAbove(table)
  return contradiction(table, unit, stated, (cell) => readScale(cell)?.unit)
}

/** A unit in a line above the heading, which may be that of the values. */
function unitAbove({ titles = [] }: Headed): string | null {
  const found = titles.map(({ text }) => speak(text).scale?.unit).find((unit) => unit !== undefined)
  return found === undefined ? null : `has no unit, but a line above it says ${found}`
}

/** A unit or type in a column of its own (`at`) that is not the one in the heading. */
function contradiction<Word extends string>(
  { heading, rows }: Headed,
  at: number | null,
  stated: Word | undefined,
  read: (cell: string) => Word | undefined,
): string | null {
  if (at === null || stated === undefined) return null
  const other = rows
    .map((row) => read(row[at] ?? ''))
    .find((one) => one !== undefined && one !== stated)
  const name = stated === 'p' ? 'pK' : stated
  return other === undefined ? null : `says ${name}, but “${heading[at]}” says ${other}`
}

const companionRoles = new Set(['unit', 'type', 'relation'])

/** The role of each column. Beside other rates, a `kd` without a unit is one too. */
function rolesOf({ heading, rows }: Headed): Column[] {
  const columns = heading.map((title, at) =>
    columnOf(
      title,
      rows.map((row) => row[at] ?? ''),
    ),
  )
  // Our own results, whose predictions are no measured values.
  const isOwn = heading.includes('Model version') && heading.includes('pKd (sequence)')
  const isBesideRates = heading.some((title) => has(wordsOf(title), /^(?:ka|kon|k_on|kass|ka1)$/))
  return columns.map((column, at) => {
    const isOther =
      (column.doubt === RATE && isBesideRates) ||
      (isOwn && /^pKd(?: \(sequence\))?$/.test(heading[at] ?? ''))
    return isOther ? { role: 'other result', confidence: 0.9 } : column
  })
}

function bestOf(role: Column['role'], columns: Column[]): number | null {
  const found = columns.reduce((top, column, at) => {
    const isBetter = top === -1 || column.confidence > (columns[top]?.confidence ?? 0)
    return column.role === role && isBetter ? at : top
  }, -1)
  return found === -1 ? null : found
}

/** Whether the cells have letters, which are read or refused one by one. */
function isStatedInCells({ rows }: Headed, value: number): boolean {
  const cells = rows.map((row) => row[value] ?? '').filter((cell) => cell !== '')
  return cells.length > 0 && cells.every((cell) => /[a-zµμ]/iu.test(cell))
}

/** The columns of unit, type and relation that belong to a column of values: not those of another type. */
export function companionsOf(
  table: Headed,
  value: number | null,
  columns = rolesOf(table),
): Pick<ValueColumns, 'unit' | 'type' | 'relation'> {
  const wordsAt = table.heading.map(wordsOf)
  const own = wordsAt[value ?? -1] ?? []
  const typesOf = (words: string[]) => words.filter((word) => readType(word) !== null)
  const types = typesOf(own)
  const best = (role: Column['role']) => {
    const found = columns.flatMap((column, at) => {
      const words = wordsAt[at] ?? []
      const isOther = types.length > 0 && typesOf(words).some((word) => !types.includes(word))
      const shared = words.filter((word) => own.includes(word)).length
      const distance = value === null ? at : at > value ? at - value : 1000 + value - at
      return column.role === role && at !== value && !isOther
        ? [{ at, shared, distance, confidence: column.confidence }]
        : []
    })
    const order = found.toSorted(
      (a, b) => b.shared - a.shared || b.confidence - a.confidence || a.distance - b.distance,
    )
    return order[0]?.at ?? null
  }
  return { unit: best('unit'), type: best('type'), relation: best('relation') }
}

type Known = { columns: Column[]; taken: Set<number> }

function chooseValue(table: Headed, { columns, taken }: Known) {
  const hasUnits = columns.some(({ role }) => role === 'unit')
  const all = columns
    .map((column, at) => ({ ...column, at }))
    .filter(({ role, at }) => role === 'value' && !taken.has(at))
    .map((one) => ({
      ...one,
      confidence: one.confidence + (hasUnits && one.scale === undefined ? 0.4 : 0),
    }))
    .toSorted((a, b) => b.confidence - a.confidence || a.at - b.at)
  const certain = all.filter(({ doubt }) => doubt === undefined)
  const candidates = certain.length > 0 ? certain : all
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
  { rows, heading }: Headed,
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
