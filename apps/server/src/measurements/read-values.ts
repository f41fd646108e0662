/** The measured values of an import: its text, or rows sent by a program. Each is a value as pK, or has a reason. */
import type { MeasurementImport } from '@pkdex/contract'
import {
  commaOf,
  type MeasuredValue,
  readLines,
  type ReadLines,
  readValue,
  type ValueLine,
} from '@pkdex/intake'

export type MeasuredLine = {
  line: number
  /** As written in the import. */
  text: string
  /** Name in the list, or SMILES if the line has no name. */
  compound: string
  /** Identifies the molecule: SMILES, or one of the user's names. */
  molecule: string
  measured: MeasuredValue
}

type Rejected = { line: number; text: string; reason: string }
export type MeasuredLines = { lines: MeasuredLine[]; rejected: Rejected[]; hasHeader: boolean }

/** `pasted`: what its text says. */
export function readImport(
  { values, type, unit }: MeasurementImport,
  pasted: (ReadLines & { hasHeader: boolean }) | null,
): MeasuredLines {
  const rows = (values ?? []).map((row, at): ValueLine => ({
    line: at + 1,
    text: `${row.compound} ${row.value}`,
    compound: row.compound.trim(),
    name: '',
    value: String(row.value),
    unit: row.unit === 'p' ? `p${row.type ?? type}` : (row.unit ?? ''),
    type: row.unit === 'p' ? '' : (row.type ?? ''),
    relation: '',
  }))
  const comma = commaOf(rows.map(({ value }) => value))
  const read = readLines(rows, { otherwise: { type, unit }, fromHeading: {}, comma })
  return {
    lines: [...read.lines, ...(pasted?.lines ?? [])].map((one) => ({
      ...one,
      compound: one.name || one.compound,
      molecule: one.compound,
    })),
    rejected: [...(pasted?.rejected ?? []), ...read.rejected],
    hasHeader: pasted?.hasHeader ?? false,
  }
}

/** A value on its own, whose cell may state type and unit. */
export function readOneValue(
  text: string,
  { type, unit }: Pick<MeasurementImport, 'type' | 'unit'>,
) {
  const scale = unit === undefined ? undefined : { unit, factor: 1 }
  return readValue({ text, comma: commaOf([text]) }, { type, scale })
}
