/** A table of measured values: what each column contains, what its values become, and the lines to import. */
import {
  type Comma,
  commaOf,
  hasDecimalComma,
  headingKind,
  linesOf,
  looksLikePk,
  readLines,
  type ReadLines,
  refuseUnit,
  splitValues,
  type Table,
  type ValueColumns,
  withPoint,
  writeCell,
} from '@pkdex/intake'
import type { Kind } from './measured-kind.tsx'

export type ValueSheet = Pick<Table, 'heading' | 'rows' | 'lines' | 'overfull'> &
  Partial<Pick<Table, 'titles' | 'delimiter'>>

/** Type and unit as stated in the heading of the value column; what the heading does not state is unchanged. */
export function kindOf(heading: string, otherwise: Kind): Kind {
  const { type, scale } = headingKind(heading)
  return { type: type ?? otherwise.type, unit: scale?.unit ?? otherwise.unit }
}

/** Whether type and unit say all that a heading says: not for 10^-7 M, log10, or a unit that is not read. */
function isWhole(heading: string): boolean {
  const { scale, isNegated, unread } = headingKind(heading)
  return (scale?.factor ?? 1) === 1 && isNegated !== true && unread === undefined
}

/** Whether the user chose another type or unit than the heading says. */
function isOverruled(title: string, { type, unit }: Kind): boolean {
  const fromHeading = headingKind(title)
  if (!isWhole(title)) return false
  return (fromHeading.type ?? type) !== type || (fromHeading.scale?.unit ?? unit) !== unit
}

function refusedUnit(heading: string): string | null {
  const { unread } = headingKind(heading)
  return unread === undefined ? null : refuseUnit(unread)
}

/** `kind`: for values that state none. `comma`: as answered; null: as the column says. */
export type Choice = { columns: ValueColumns; kind: Kind; comma: Comma | null }

export type ValueLines = ReadLines & {
  text: string
  count: number
  skipped: number
  comma: Comma
  /** No value states a unit, and all are between 3 and 12. */
  isLikePk: boolean
  /** Why the unit in the heading is not read. */
  unread: string | null
}

/**
 * Tab-separated lines under a heading with type and unit, so that lines returned for correction keep both.
 * Rows without a compound or a value are skipped.
 */
export function toValueLines(
  table: ValueSheet,
  { columns, kind, comma: answered }: Choice,
): ValueLines {
  const title = columns.value === null ? '' : (table.heading[columns.value] ?? '')
  const all = linesOf(table, columns)
  const given = all.filter(({ compound, value }) => compound !== '' && value !== '')
  const comma = answered ?? decideComma(table, given, title)
  const lines =
    comma === 'asked'
      ? given
      : given.map((line) => ({ ...line, value: withPoint(line.value, comma) }))
  const fromHeading = isOverruled(title, kind) ? {} : headingKind(title)
  const spoken = headingKind(title).scale !== undefined
  const sense = comma === 'asked' ? comma : 'thousands'
  const read = readLines(lines, { otherwise: kind, fromHeading, comma: sense })
  const optional = (['name', 'unit', 'type', 'relation'] as const).filter(
    (role) => columns[role] !== null,
  )
  const heading = [
    'SMILES',
    isWhole(title) ? headingOf(kind, columns.unit !== null) : writeCell(title),
    ...optional.map(capital),
  ]
  const unit = isWhole(title) ? unitOf(kind) : ''
  const stated = lines.map((line) => ({ ...line, unit: line.unit || unit }))
  const texts = stated.map((line) =>
    [line.compound, line.value, ...optional.map((role) => line[role])].map(writeCell).join('\t'),
  )
  return {
    ...read,
    text: [heading.join('\t'), ...texts].join('\n'),
    count: lines.length,
    skipped: table.rows.length - lines.length,
    comma,
    isLikePk: !spoken && isPkLike(read),
    unread: columns.unit === null ? refusedUnit(title) : null,
  }
}

/** The same for pasted lines, which are sent as they are. */
export function readPlainLines(text: string, kind: Kind): ReadLines & { isLikePk: boolean } {
  try {
    const { lines, fromHeading, comma, problem } = splitValues(text)
    if (problem !== null) return { lines: [], rejected: [], isLikePk: false }
    const read = readLines(lines, { otherwise: kind, fromHeading, comma })
    return { ...read, isLikePk: lines.length > 1 && isPkLike(read) }
  } catch {
    return { lines: [], rejected: [], isLikePk: false }
  }
}

function isPkLike({ lines }: ReadLines): boolean {
  return lines.every(({ measured }) => !measured.value.startsWith('p')) && looksLikePk(lines)
}

function decideComma(
  { rows, delimiter }: ValueSheet,
  lines: { value: string }[],
  title: string,
): Comma {
  return commaOf(
    lines.map(({ value }) => value),
    {
      isUsual: delimiter === ';',
      isSeen: hasDecimalComma(rows),
      isLog: headingKind(title).scale?.unit === 'p',
    },
  )
}

function capital(word: string): string {
  return word.slice(0, 1).toUpperCase() + word.slice(1)
}

/** `hasUnits`: each line has its own, so the heading has none. */
function headingOf({ type, unit }: Kind, hasUnits: boolean): string {
  if (hasUnits) return type
  return unit === 'p' ? `p${type}` : `${type} ${unit}`
}

function unitOf({ type, unit }: Kind): string {
  return unit === 'p' ? `p${type}` : unit
}
