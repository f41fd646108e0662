/** The measured values of an import: its text, or rows sent by a program. Each is a value as pK, or has a reason. */
import type { MeasurementImport } from '@pkdex/contract'
import {
  commaOf,
  type MeasuredValue,
  type Otherwise,
  readLines,
  type ReadLines,
  readValue,
  splitValues,
  type ValueLine,
} from '@pkdex/intake'
import { AppError } from '#server/platform/errors.ts'

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

export function readImport({ text, values, type, unit }: MeasurementImport): MeasuredLines {
  const otherwise = { type, unit }
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
  const read = [readLines(rows, { otherwise, said: {}, comma })]
  const split = text === undefined ? null : attempt(() => splitValues(text))
  if (split !== null) read.push(readText(split, otherwise))
  return {
    lines: read
      .flatMap(({ lines }) => lines)
      .map((one) => ({ ...one, compound: one.name || one.compound, molecule: one.compound })),
    rejected: [...(split?.above ?? []), ...read.flatMap(({ rejected }) => rejected)],
    hasHeader: split?.hasHeader ?? false,
  }
}

/** Without a column of values, every line is refused. */
function readText(split: ReturnType<typeof splitValues>, otherwise: Otherwise): ReadLines {
  const { problem: reason, lines } = split
  if (reason === null) return readLines(lines, { otherwise, ...split })
  return { lines: [], rejected: lines.map(({ line, text }) => ({ line, text, reason })) }
}

function attempt<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw new AppError('invalid_request', error instanceof Error ? error.message : String(error))
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
