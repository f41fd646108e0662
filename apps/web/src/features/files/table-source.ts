/** Compounds in a text or a file: the table it contains, and the sheets of a workbook. */
import { openWorkbook } from '@pkdex/contract'
import { strFromU8, unzipSync } from 'fflate'
import { readFileText } from '#web/lib/read-file-text.ts'
import {
  type Columns,
  type CompoundTable,
  guessColumns,
  readTable,
  takeColumns,
  toTable,
} from './compound-table.ts'

/** The text or file, as it was understood. */
export type Source = {
  filename: string
  /** Text shown in the text area; empty if the source cannot be shown as text. */
  text: string
  table: CompoundTable | null
  columns: Columns
  /** The names of a workbook's sheets, one of which is read. */
  sheets: string[]
  sheet: number
  problem: string | null
}

export const noSource: Source = {
  filename: '',
  text: '',
  table: null,
  columns: { smiles: 0, name: null, kept: [] },
  sheets: [],
  sheet: 0,
  problem: null,
}

/** Larger texts are not shown in a text area. */
const SHOWN_CHARACTERS_MAX = 200_000

export function readText(text: string, filename = ''): Source {
  const source = { ...noSource, filename, text: text.length > SHOWN_CHARACTERS_MAX ? '' : text }
  try {
    const table = readTable(text)
    if (table === null) return { ...source, text }
    return { ...source, table, columns: guessColumns(table) }
  } catch (error) {
    return { ...source, problem: `The table cannot be read: ${reasonOf(error)}` }
  }
}

type OnReading = (text: string | null) => void

export async function readFile(file: File, onReading: OnReading, sheet = 0): Promise<Source> {
  const { name: filename } = file
  if (/\.(?:sdf?|mol)$/i.test(filename)) {
    return readRecords(file, onReading).finally(() => onReading(null))
  }
  if (!/\.xlsx$/i.test(filename)) return readText(await readFileText(file), filename)
  try {
    const bytes = new Uint8Array(await file.arrayBuffer())
    const workbook = openWorkbook((filter) => unzipSync(bytes, { filter }), strFromU8)
    const table = toTable(workbook.readRows(sheet))
    const { sheets } = workbook
    return { ...noSource, filename, table, sheets, sheet, columns: guessColumns(table) }
  } catch (error) {
    return { ...noSource, filename, problem: reasonOf(error) }
  }
}

/** The code that reads molecules is loaded when needed. */
async function readRecords(file: File, onReading: OnReading): Promise<Source> {
  const { name: filename } = file
  onReading('Reading compounds')
  try {
    const { readSdf } = await import('./read-sdf.ts')
    const table = await readSdf(await readFileText(file), (done, total) =>
      onReading(`Reading compounds: ${done} of ${total}`),
    )
    const { name } = guessColumns(table)
    // The title is the name, unless no record has one.
    const hasTitles = table.rows.some((row) => row[SDF_TITLE] !== '')
    const columns = takeColumns(table.heading, { smiles: 0, name: hasTitles ? SDF_TITLE : name })
    return { ...noSource, filename, table, columns }
  } catch (error) {
    return { ...noSource, filename, problem: reasonOf(error) }
  }
}

const SDF_TITLE = 1

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
