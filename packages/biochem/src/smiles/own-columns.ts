/**
 * The user's own columns of a compound file: cells after SMILES and name in a table with a header line, separated by
 * tabs. They are stored and only ever read as text.
 */
import { clipText } from '../sentences.ts'

/** The name of a column, and the compound's cell. */
export type OwnCell = [column: string, value: string]

/** Limits: further columns and longer cells are cut. */
const ownColumnLimits = { columns: 20, cellCharacters: 200, nameCharacters: 80 } as const

/** A line with a molecule, its name, the maximum number of cells, and some that are cut. */
export const TABLE_LINE_CHARACTERS = 20_000

/** Null if the header has nothing beyond SMILES and name. Column names are unique. */
export function nameOwnColumns(heading: string): string[] | null {
  const [first = '', , ...further] = heading.split('\t')
  if (further.length === 0 || !/smi/i.test(first)) return null
  const names: string[] = []
  for (const [at, text] of further.slice(0, ownColumnLimits.columns).entries()) {
    const name = tidy(text, ownColumnLimits.nameCharacters) || `Column ${at + 3}`
    names.push(freeName(name, names))
  }
  return names
}

/** Empty cells are omitted. */
export function readOwnCells(columns: string[], cells: string[]): OwnCell[] {
  return columns.flatMap((column, at): OwnCell[] => {
    const value = tidy(cells[at + 2] ?? '', ownColumnLimits.cellCharacters)
    return value === '' ? [] : [[column, value]]
  })
}

function freeName(name: string, taken: string[]): string {
  let free = name
  for (let count = 2; taken.includes(free); count += 1) free = `${name} (${count})`
  return free
}

/** One line without characters that no database stores: control characters and halves of surrogate pairs. */
function tidy(text: string, most: number): string {
  const line = text
    .toWellFormed()
    .replaceAll(/\p{Cc}+/gu, ' ')
    .trim()
  return clipText(line, most)
}
