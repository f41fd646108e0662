/** Compounds in a text or a file: the table it contains, and the sheets of a workbook. */
import { readTable, readTextTable, type Sheet } from '@pkdex/intake'
import { type Columns, type CompoundTable, guessColumns } from './compound-table.ts'

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

/** Larger texts are not shown in a text area. */
const SHOWN_CHARACTERS_MAX = 200_000

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
    const sheet = readTable(new Uint8Array(await file.arrayBuffer()), { sheet: sheetAsked })
    if (sheet.kind !== 'records') {
      const isShown = sheet.kind === 'list' || sheet.text.length <= SHOWN_CHARACTERS_MAX
      return ofSheet(sheet, { filename, text: isShown ? sheet.text : '' })
    }
    const read = await readRecords(sheet, onReading).finally(() => onReading(null))
    return { ...ofSheet(read.sheet, { filename }), unread: read.unread }
  } catch (error) {
    return { ...noSource, filename, problem: reasonOf(error) }
  }
}

function ofSheet(sheet: Sheet, source: Partial<Source>): Source {
  const { sheets, sheet: place } = sheet
  const table = sheet.kind === 'list' ? null : sheet
  return { ...noSource, ...source, table, columns: guessColumns(sheet), sheets, sheet: place }
}

/** The code that reads molecules is loaded when needed. */
async function readRecords(sheet: Sheet, onReading: OnReading) {
  onReading('Reading compounds')
  const { readSdf } = await import('./read-sdf.ts')
  return readSdf(sheet, (done, total) => onReading(`Reading compounds: ${done} of ${total}`))
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
