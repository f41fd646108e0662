/** The user's own columns beside the pairs of a screen, as their library has them when the table is written. */
import { openOwnTable } from '#server/files/service.ts'
import type { Database } from '#server/platform/db/schema.ts'
import type { ScreenRow } from '@pkdex/contract'
import { rowColumnsWithOwn, type ScreenTable } from './results.ts'

/** A row of a table with all its columns, by their names. */
export type WideRow = Record<string, unknown>

/** What is widened: a screen's table, and its rows as they are without the user's columns. */
export type NarrowTable = {
  table: ScreenTable
  columns: readonly string[]
  pages: (places: number[]) => AsyncIterable<ScreenRow[]>
}

export type WideTable = {
  columns: string[]
  pages: (places: number[]) => AsyncGenerator<WideRow[]>
}

export async function widenTable(
  db: Database,
  userId: string,
  { table, columns, pages: narrow }: NarrowTable,
): Promise<WideTable> {
  const names = [...new Set(table.rows.map(({ name }) => name))]
  const own = await openOwnTable(db, { userId, names })
  const shown = new Map(own.columns.map((name) => [name, freeName(name, own.columns)]))
  return {
    columns: [...columns, ...shown.values()],
    async *pages(places) {
      for await (const page of narrow(places)) {
        const cells = await own.read(page.map(({ compound: name, smiles }) => ({ name, smiles })))
        yield page.map((row) => ({ ...row, ...rename(cells.get(row.compound), shown) }))
      }
    },
  }
}

/** A column of the user's that is called like one of ours. */
function freeName(name: string, own: string[]): string {
  let free = name
  while (isOurs(free) || (free !== name && own.includes(free))) free = `own ${free}`
  return free
}

function isOurs(name: string): boolean {
  return rowColumnsWithOwn.some((column) => column === name)
}

function rename(cells: Record<string, string> = {}, shown: Map<string, string>): WideRow {
  return Object.fromEntries(
    Object.entries(cells).map(([name, value]) => [shown.get(name) ?? name, value]),
  )
}
