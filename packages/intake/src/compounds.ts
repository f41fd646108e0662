/** The compounds of a sheet: which column is the SMILES and which the name, and what each row says. */
import { columnOf, isSmilesLike, isWholeSmiles } from './columns.ts'
import { onlyInchi } from './foreign.ts'
import type { Sheet, Table } from './table.ts'
import { moreCells } from './value.ts'

export type CompoundRow = {
  /** The line of the file, from 1. */
  line: number
  /** The row as it is shown. */
  text: string
  /** With its extension, `|…|`; empty for a record of an SD file. */
  smiles: string
  name: string
  /** The cells of all other columns. */
  own: [column: string, cell: string][]
  /** Of all columns. */
  cells: string[]
  /** The molecule of a record of an SD file. */
  block?: string
  /** Why the row has no molecule, or null. */
  reason: string | null
}

/** Rows without any text are skipped. Throws an error with a message for the user. */
export function compoundRows(
  sheet: Sheet,
  { smiles, name } = chooseCompoundColumns(sheet),
): CompoundRow[] {
  if (smiles === null) throw new Error(refuseColumns(sheet))
  const others = sheet.heading.flatMap((title, at) =>
    at === smiles || at === name || isUnusedName(sheet, at) ? [] : [{ title, at }],
  )
  const instead = otherNames(sheet, { smiles, name })
  return sheet.rows.flatMap((row, at): CompoundRow[] => {
    const record = sheet.records[at]
    if (record === undefined && row.every((cell) => cell === '')) return []
    const title = name === null ? '' : (row[name] ?? '')
    const molecule =
      record === undefined ? readMolecule(row[smiles] ?? '', title) : ofRecord(record)
    const isOverfull = hasTooMany(sheet, at)
    return [
      {
        line: sheet.lines[at] ?? at + 1,
        text: row.filter((cell) => cell !== '').join(' '),
        cells: row,
        own: others.map((column) => [column.title, row[column.at] ?? '']),
        ...molecule,
        name: title || (molecule.name ?? instead.map((one) => row[one]).find(Boolean) ?? ''),
        ...(isOverfull && { reason: moreCells }),
      },
    ]
  })
}

/** Whether a row has more cells than the heading. After a tab, they are columns without a name. */
export function hasTooMany({ overfull, delimiter }: Partial<Table>, at: number): boolean {
  return delimiter !== '\t' && overfull?.has(at) === true
}

/** The columns that name a row whose name is empty, the best first. */
function otherNames(sheet: Sheet, { smiles, name }: CompoundColumns): number[] {
  if (name === null || sheet.kind === 'list') return []
  if (sheet.rows.every((row) => row[name] !== '')) return []
  return rolesOf(sheet)
    .filter(
      ({ role, at, confidence }) =>
        role === 'name' && confidence >= NAME_CONFIDENCE_MIN && at !== smiles && at !== name,
    )
    .map(({ at }) => at)
}

export function refuseColumns({ heading, rows }: Pick<Sheet, 'heading' | 'rows'>): string {
  const known = rows.length === 0 ? 'It is empty.' : `Its columns are ${heading.join(', ')}.`
  return onlyInchi(rows) ?? `The table has no SMILES column. ${known}`
}

type Molecule = Pick<CompoundRow, 'smiles' | 'reason'> &
  Partial<Pick<CompoundRow, 'block' | 'name'>>

function ofRecord({ block, reason }: { block: string; reason: string | null }): Molecule {
  return { smiles: '', block, reason }
}

/** A SMILES, its extension, and a name if the row has no other. */
function readMolecule(cell: string, name: string): Molecule {
  const text = cell.trim()
  const smiles = /^\S*/.exec(text)?.[0] ?? ''
  const behind = text.slice(smiles.length).trim()
  const extension = /^\|[^|]*\|/.exec(behind)?.[0] ?? ''
  const rest = behind.slice(extension.length).trim()
  const extended = extension === '' ? smiles : `${smiles} ${extension}`
  const reason = smiles === '' ? 'This row has no SMILES.' : otherNotation(smiles)
  if (rest === '' || rest === name || reason !== null) return { smiles: extended, reason }
  if (name === '') return { smiles: extended, name: rest, reason }
  return { smiles: extended, reason: `“${rest.slice(0, 40)}” after the SMILES is not read.` }
}

const notations: readonly (readonly [pattern: RegExp, reason: string])[] = [
  [/^"?InChI=/i, 'This is an InChI; convert it to a SMILES first.'],
  [/^[A-Z]{14}-[A-Z]{10}-[A-Z]$/, 'This is an InChIKey, which does not contain the structure.'],
  [/^[^\s,;]+[,;]/, 'This looks like a table row. Put a space or tab between SMILES and name.'],
  [/^"/, 'This looks like a table row. Remove the quotation marks.'],
]

function otherNotation(word: string): string | null {
  if (isSmilesLike(word)) return null
  return notations.find(([pattern]) => pattern.test(word.slice(0, 200)))?.[1] ?? null
}

/** Our own tables have an empty second column if the compounds have no names. */
function isUnusedName({ heading, rows }: Pick<Sheet, 'heading' | 'rows'>, at: number): boolean {
  return at === 1 && isOwnHeading(heading) && rows.every((row) => (row[1] ?? '') === '')
}

/** `SMILES`, and `Name` or nothing, as the upload page sends tables and the API describes them. */
function isOwnHeading([first, second]: string[]): boolean {
  return first === 'SMILES' && (second === 'Name' || second === 'Column 2')
}

/** How many rows are examined. */
const SAMPLED_ROWS = 200
const NAME_CONFIDENCE_MIN = 0.2

type ColumnSource = Pick<Sheet, 'heading' | 'rows'> & Partial<Pick<Sheet, 'kind'>>

export type CompoundColumns = { smiles: number | null; name: number | null }

/** By headings and contents; an empty column is neither. */
export function chooseCompoundColumns(sheet: ColumnSource): CompoundColumns {
  const { heading, rows, kind } = sheet
  if (kind === 'list') return { smiles: 0, name: 1 }
  if (isUnusedName(sheet, 1)) return { smiles: 0, name: null }
  if (kind === 'records' || isOwnHeading(heading)) {
    if (rows.some((row) => row[1] !== '')) return { smiles: 0, name: 1 }
  }
  const sample = rows.slice(0, SAMPLED_ROWS)
  const columns = rolesOf(sheet)
  const best = (role: 'smiles' | 'name', least: number, other: number | null = null) =>
    columns.find(
      (column) => column.role === role && column.confidence >= least && column.at !== other,
    )?.at ?? null
  const fallback = onlyInchi(sample) === null ? fullestColumn(heading, sample) : null
  const smiles = kind === 'records' ? 0 : (best('smiles', 0) ?? fallback)
  const name =
    best('name', NAME_CONFIDENCE_MIN, smiles) ??
    identifyingColumn({ heading, rows: sample }, smiles) ??
    columnBeside({ heading, rows: sample }, smiles)
  return { smiles, name }
}

/** The most certain first. */
function rolesOf({ heading, rows }: Pick<Sheet, 'heading' | 'rows'>) {
  const sample = rows.slice(0, SAMPLED_ROWS)
  return heading
    .map((title, at) => ({
      ...columnOf(
        title,
        sample.map((row) => row[at] ?? ''),
      ),
      at,
    }))
    .toSorted((a, b) => b.confidence - a.confidence || a.at - b.at)
}

/** Of the columns with mostly SMILES, the one with the most letters, as element symbols are SMILES too. */
function fullestColumn(heading: string[], rows: string[][]): number | null {
  const letters = heading.map((_, column) => {
    const cells = rows.map((row) => row[column] ?? '').filter((cell) => cell !== '')
    const like = cells.filter((cell) => isWholeSmiles(cell))
    return like.length < cells.length / 2 ? 0 : like.join('').length
  })
  const most = Math.max(0, ...letters)
  return most === 0 ? null : letters.indexOf(most)
}

const IDENTIFIED_SHARE = 0.95
const ROWS_TO_IDENTIFY_MIN = 3

/** The first column of texts that are nearly complete and all different. */
function identifyingColumn(
  { heading, rows }: Pick<Sheet, 'heading' | 'rows'>,
  smiles: number | null,
): number | null {
  if (rows.length < ROWS_TO_IDENTIFY_MIN) return null
  const found = heading.findIndex((_, column) => {
    const cells = rows.map((row) => row[column] ?? '').filter((cell) => cell !== '')
    const isFull = cells.length >= IDENTIFIED_SHARE * rows.length
    const isText = cells.every((cell) => Number.isNaN(Number(cell)) && !cell.startsWith('InChI='))
    return column !== smiles && isFull && isText && new Set(cells).size === cells.length
  })
  return found === -1 ? null : found
}

/** Without a heading: the texts after the SMILES, or before it. */
function columnBeside(
  { heading, rows }: Pick<Sheet, 'heading' | 'rows'>,
  smiles: number | null,
): number | null {
  if (smiles === null) return null
  const isTexts = (at: number) => {
    const texts = rows.map((row) => row[at] ?? '').filter((cell) => Number.isNaN(Number(cell)))
    return heading[at] === `Column ${at + 1}` && texts.length > rows.length / 2
  }
  return [smiles + 1, smiles - 1].find(isTexts) ?? null
}
