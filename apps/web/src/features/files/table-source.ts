/** Compounds in a text or a file: the table it contains, and the sheets of a workbook. */
import {
  decodeText,
  foreignBytes,
  foreignText,
  isSdf,
  isSmilesLike,
  onlyInchi,
  openWorkbook,
  readCompoundTable,
  toTable,
} from '@pkdex/intake'
import { gunzipSync, strFromU8, unzipSync } from 'fflate'
import { type Columns, type CompoundTable, guessColumns, takeColumns } from './compound-table.ts'

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
  /** Records of an SD file that are not read. */
  unread: string[]
}

export const noSource: Source = {
  filename: '',
  text: '',
  table: null,
  columns: { smiles: 0, name: null, kept: [] },
  sheets: [],
  sheet: 0,
  problem: null,
  unread: [],
}

/** Larger texts are not shown in a text area. */
const SHOWN_CHARACTERS_MAX = 200_000

export function readText(text: string, filename = ''): Source {
  const source = { ...noSource, filename, text: text.length > SHOWN_CHARACTERS_MAX ? '' : text }
  try {
    const table = readCompoundTable(text)
    const foreign = foreignText(text)
    if (foreign !== null) return { ...source, problem: foreign }
    if (table === null) return { ...source, text }
    const inchi = hasSmiles(table) ? null : onlyInchi(table.rows)
    if (inchi !== null) return { ...source, problem: inchi }
    return { ...source, table, columns: guessColumns(table) }
  } catch (error) {
    return { ...source, problem: reasonOf(error) }
  }
}

type OnReading = (text: string | null) => void

export async function readFile(file: File, onReading: OnReading, sheet = 0): Promise<Source> {
  const filename = file.name.replace(/\.gz$/i, '')
  try {
    const packed = new Uint8Array(await file.arrayBuffer())
    const bytes = packed[0] === 0x1f && packed[1] === 0x8b ? gunzipSync(packed) : packed
    if (strFromU8(bytes.subarray(0, 4), true) === 'PK\u0003\u0004') {
      return readSheet(bytes, { filename, sheet })
    }
    const problem = foreignBytes(bytes)
    if (problem !== null) return { ...noSource, filename, problem }
    const { text } = decodeText(bytes)
    if (!isSdf(text)) return readText(text, filename)
    return await readRecords(text, { filename, onReading }).finally(() => onReading(null))
  } catch (error) {
    return { ...noSource, filename, problem: reasonOf(error) }
  }
}

function readSheet(
  bytes: Uint8Array,
  { filename, sheet }: { filename: string; sheet: number },
): Source {
  const workbook = openWorkbook((filter) => unzipSync(bytes, { filter }), strFromU8)
  const table = toTable(
    workbook
      .readRows(sheet)
      .map((cells, at) => ({ line: at + 1, cells: cells.map((cell) => cell.trim()) })),
  )
  const { sheets } = workbook
  return { ...noSource, filename, table, sheets, sheet, columns: guessColumns(table) }
}

function hasSmiles({ rows }: CompoundTable): boolean {
  return rows.some((row) => row.some((cell) => isSmilesLike(cell) && cell.length > 4))
}

/** The code that reads molecules is loaded when needed. */
async function readRecords(
  text: string,
  { filename, onReading }: { filename: string; onReading: OnReading },
): Promise<Source> {
  onReading('Reading compounds')
  const { readSdf } = await import('./read-sdf.ts')
  const table = await readSdf(text, (done, total) =>
    onReading(`Reading compounds: ${done} of ${total}`),
  )
  const { name } = guessColumns(table)
  // The title is the name, unless no record has one.
  const hasTitles = table.rows.some((row) => row[SDF_TITLE] !== '')
  const columns = takeColumns(table.heading, { smiles: 0, name: hasTitles ? SDF_TITLE : name })
  return { ...noSource, filename, table, columns, unread: table.unread }
}

const SDF_TITLE = 1

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
