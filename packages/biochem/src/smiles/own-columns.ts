/** The user's own columns of a compound file. They are stored and only ever read as text. */
import { clipText } from '../sentences.ts'

/** The name of a column, and the compound's cell. */
export type OwnCell = [column: string, value: string]

/** Limits: further columns and longer cells are cut. */
const ownColumnLimits = { columns: 20, cellCharacters: 200, nameCharacters: 80 } as const

/** A line with a molecule, its name, the maximum number of cells, and some that are cut. */
export const TABLE_LINE_CHARACTERS = 20_000

/** Empty cells are omitted. */
export function keepOwnCells(cells: OwnCell[]): OwnCell[] {
  const names: string[] = []
  return cells.slice(0, ownColumnLimits.columns).flatMap(([column, cell]): OwnCell[] => {
    const name = freeName(tidy(column, ownColumnLimits.nameCharacters), names)
    names.push(name)
    const value = tidy(cell, ownColumnLimits.cellCharacters)
    return value === '' ? [] : [[name, value]]
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
