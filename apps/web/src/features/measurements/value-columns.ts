/** A table of measured values: the lines to import, from the columns that the user selected. */
import { couldBePk, readKind, unreadUnitOf, type ValueColumns } from '@pkdex/contract'
import type { Kind } from './measured-kind.tsx'

export type ValueSheet = { heading: string[]; rows: string[][] }

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
  { compound, name, value, unit, type, relation }: ValueColumns,
  kind: Kind,
): ValueLines {
  if (value === null) return { text: '', count: 0, skipped: 0 }
  const optional = [
    { title: 'Name', column: name },
    { title: 'Unit', column: unit },
    { title: 'Type', column: type },
    { title: 'Relation', column: relation },
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

/** What the user has to decide before these columns can be imported; null if nothing. */
export function questionOf(
  { heading, rows }: ValueSheet,
  { value, unit }: ValueColumns,
  isKindChosen: boolean,
): string | null {
  if (value === null) return 'Which column contains the values?'
  const unread = unit === null ? unreadUnitOf(heading[value] ?? '') : null
  if (unread !== null) {
    return `“${unread}” is not a unit that is read: convert the column to nM or µM.`
  }
  const isStated = unit !== null || readKind(heading[value] ?? '').unit !== undefined
  if (isStated || isKindChosen) return null
  return couldBePk(rows.map((row) => row[value] ?? ''))
    ? 'All values are between 3 and 12: are they pK or a concentration? Select the unit.'
    : null
}
