/** The user's own columns beside the pairs of a screen, as their library has them when the table is written. */
import { openOwnTable } from '#server/files/service.ts'
import type { Database } from '#server/platform/db/schema.ts'
import { fileHeading, profileColumns, type ScreenRow, structureColumns } from '@pkdex/contract'
import { rowColumnsWithOwn } from './results.ts'
import type { ScreenTable } from './screen-table.ts'

/** A row of a table with all its columns, by their names. */
export type WideRow = Record<string, unknown>

/** What is widened: a screen's table, and its rows as they are without the user's columns. */
export type NarrowTable = {
  screen: { id: string }
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
  { screen, table, columns: fields, pages: narrow }: NarrowTable,
): Promise<WideTable> {
  const names = new Set(table.rows.map(({ name }) => name))
  const { columns, widen } = await openWidening(db, userId, { screen, names, columns: fields })
  return { columns, pages: (places) => widen(narrow(places)) }
}

type Narrow = Pick<NarrowTable, 'screen' | 'columns'> & { names: ReadonlySet<string> }

type Widening = {
  columns: string[]
  widen: (pages: AsyncIterable<ScreenRow[]>) => AsyncGenerator<WideRow[]>
}

/** `names`: of all compounds of the table. */
export async function openWidening(
  db: Database,
  userId: string,
  { screen, names, columns: fields }: Narrow,
): Promise<Widening> {
  const columns = [...fields, 'model_version', 'screen']
  const own = await openOwnTable(db, { userId, names: [...names] })
  const shown = new Map(own.columns.map((name) => [name, freeName(name, own.columns)]))
  return {
    columns: [...columns.map(fileHeading), ...shown.values()],
    async *widen(pages) {
      for await (const page of pages) {
        const cells = await own.read(page.map(({ compound: name, smiles }) => ({ name, smiles })))
        yield page.map((row) => ({
          ...underHeadings({ ...row, ...flatStructure(row), screen: screen.id }),
          ...rename(cells.get(row.compound), shown),
        }))
      }
    },
  }
}

function flatStructure({ structure_adjusted: adjusted }: ScreenRow): WideRow {
  if (adjusted === undefined || adjusted === null) return {}
  const { value, lower, upper } = adjusted
  return { structure_adjusted_kd: value, structure_lower: lower, structure_upper: upper }
}

/** A column of the user's that is called like one of ours. */
function freeName(name: string, own: string[]): string {
  let free = name
  while (isOurs(free) || (free !== name && own.includes(free))) free = `${free} (input)`
  return free
}

function isOurs(name: string): boolean {
  const ours = [...rowColumnsWithOwn, ...structureColumns, ...profileColumns]
  return [...ours, 'own_values_start', 'model_version', 'screen'].some(
    (field) => field === name || fileHeading(field) === name,
  )
}

function underHeadings(row: WideRow): WideRow {
  return Object.fromEntries(
    Object.entries(row).map(([field, value]) => [fileHeading(field), inCell(value)]),
  )
}

/** A list is one cell. */
function inCell(value: unknown): unknown {
  return Array.isArray(value) ? value.join('; ') : value
}

function rename(cells: Record<string, string> = {}, shown: Map<string, string>): WideRow {
  return Object.fromEntries(
    Object.entries(cells).map(([name, value]) => [shown.get(name) ?? name, value]),
  )
}
