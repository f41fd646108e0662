/** Reads the compound file of a command, plain or gzipped: a workbook, an SD file, a table or lines. */
import { foreignBytes, foreignText, isSdf, openWorkbook, type Table, toTable } from '@pkdex/intake'
import { strFromU8, unzipSync } from 'fflate'
import { decodePackedText } from '#server/files/parsing/service.ts'
import {
  type ColumnChoice,
  type CompoundTable,
  readCompoundTable,
  readTableRows,
} from './compound-table.ts'
import { readSdf } from './read-sdf.ts'
import { OperatorError } from '#server/platform/errors.ts'

type Input = { filename: string; choice: ColumnChoice; sheet?: string | undefined }

export async function readCompounds(
  bytes: Uint8Array,
  { filename, choice, sheet }: Input,
): Promise<CompoundTable> {
  if (isWorkbook(bytes, filename)) {
    return readTableRows(readSheetRows(bytes, filename, sheet), choice)
  }
  if (sheet !== undefined) {
    throw new OperatorError(`${filename} is not a workbook (.xlsx), so --sheet cannot be used.`)
  }
  const text = decodePackedText(bytes)
  const reason = foreignBytes(bytes) ?? (text.ok ? foreignText(text.value) : text.reason)
  if (!text.ok || reason !== null) {
    throw new OperatorError(`${filename} cannot be read: ${reason ?? ''}`)
  }
  if (isSdf(text.value)) return readSdf(text.value)
  return readCompoundTable(text.value, { filename, choice })
}

/** Recognised by name or, through a pipe, by its first bytes: no text begins like a zip archive. */
function isWorkbook(bytes: Uint8Array, filename: string): boolean {
  return /\.xlsx$/i.test(filename) || strFromU8(bytes.subarray(0, 4), true) === 'PK\u0003\u0004'
}

/** The user must select one of several sheets, because the wrong one would be predicted without a warning. */
function readSheetRows(bytes: Uint8Array, filename: string, sheet: string | undefined): Table {
  const workbook = attempt(filename, () =>
    openWorkbook((filter) => unzipSync(bytes, { filter }), strFromU8),
  )
  const { sheets } = workbook
  const known = sheets.map((name) => `"${name}"`).join(', ')
  if (sheet === undefined && sheets.length > 1) {
    throw new OperatorError(
      `${filename} has ${sheets.length} sheets. Choose one with --sheet: ${known}.`,
    )
  }
  const place = sheet === undefined ? 0 : sheets.indexOf(sheet)
  if (place === -1) throw new OperatorError(`${filename} has no sheet "${sheet}". It has ${known}.`)
  const rows = attempt(filename, () => workbook.readRows(place))
  return toTable(
    rows.map((cells, at) => ({ line: at + 1, cells: cells.map((cell) => cell.trim()) })),
  )
}

function attempt<T>(filename: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new OperatorError(`${filename} cannot be read: ${reason}`, { cause: error })
  }
}
