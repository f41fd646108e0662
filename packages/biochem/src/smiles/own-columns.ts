/**
 * The user's own columns of a compound file: what stands behind SMILES and name in a table whose heading
 * names its columns, tab by tab. They are carried along and never read as anything but text.
 */
import { clipText } from '../sentences.ts'

/** The name of a column, and what a compound has in it. */
export type OwnCell = [column: string, value: string]

/** What is kept of a compound: further columns and longer cells are cut. */
const ownColumnLimits = { columns: 20, cellCharacters: 200, nameCharacters: 80 } as const

/** A line with a molecule, its name and as many cells as are kept, and with some that are cut. */
export const TABLE_LINE_CHARACTERS = 20_000

/** Null where the heading is not that of a table with more than SMILES and name. Every column has a name of its own. */
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

/** Empty cells are not there. */
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

/** One line without what no database keeps: control characters and halves of surrogate pairs. */
function tidy(text: string, most: number): string {
  const line = text
    .toWellFormed()
    .replaceAll(/\p{Cc}+/gu, ' ')
    .trim()
  return clipText(line, most)
}
