/** Compounds in a text or a file: the table it contains, and the sheets of a workbook. */
import { readTextTable, type Sheet } from '@pkdex/intake'
import { type Columns, type CompoundTable, guessColumns } from './compound-table.ts'
import { readInWorkers } from './read-in-workers.ts'

/** The text or file, as it was understood. */
export type Source = {
  filename: string
  /** Text shown in the text area; empty if the source cannot be shown as text. */
  text: string
  /** Null for lines of `SMILES name`. */
  table: CompoundTable | null
  columns: Columns
  /** The names of a workbook's sheets, one of which is read. */
  sheets: string[]
  sheet: number
  problem: string | null
  /** Records of an SD file that are not read. */
  unread: string[]
}

export const noSource: Source = {
  filename: '',
  text: '',
  table: null,
  columns: { smiles: null, name: null, kept: [] },
  sheets: [],
  sheet: 0,
  problem: null,
  unread: [],
}

export function readText(text: string): Source {
  try {
    return ofSheet(readTextTable(text), { text })
  } catch (error) {
    return { ...noSource, text, problem: reasonOf(error) }
  }
}

type OnReading = (text: string | null) => void

export async function readFile(
  file: File,
  onReading: OnReading,
  sheetAsked?: number,
): Promise<Source> {
  const filename = file.name.replace(/\.gz$/i, '')
  try {
    const bytes = new Uint8Array(await file.arrayBuffer())
    const { sheet, unread } = await readInWorkers(bytes, sheetAsked, (done, total) =>
      onReading(`Reading compounds: ${done} of ${total}`),
    ).finally(() => onReading(null))
    return { ...ofSheet(sheet, { filename, text: sheet.text }), unread }
  } catch (error) {
    return { ...noSource, filename, problem: reasonOf(error) }
  }
}

function ofSheet(sheet: Sheet, source: Partial<Source>): Source {
  const { sheets, sheet: place } = sheet
  const table = sheet.kind === 'list' ? null : sheet
  return { ...noSource, ...source, table, columns: guessColumns(sheet), sheets, sheet: place }
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
