/** Adds the user's own columns to the pairs of a screen, as they are in the library when the file is written. */
import { openOwnTable } from '#server/files/service.ts'
import { sql } from 'kysely'
import type { Database } from '#server/platform/db/schema.ts'
import {
  fileHeading,
  profileColumns,
  runColumns,
  type ScreenRow,
  screenRowColumns,
  structureColumns,
} from '@pkdex/contract'
import { standardOf, withStandard } from './standard-smiles.ts'

/** A row with all its columns, by column name. */
export type WideRow = Record<string, unknown>

/** The table of a screen, with its rows before the user's columns are added. */
export type NarrowTable = {
  screen: { id: string }
  /** The screen, and its follow-ups in the table. */
  orders: string[]
  columns: readonly string[]
  pages: (from: number, to: number) => AsyncIterable<ScreenRow[]>
}

export type WideTable = {
  columns: string[]
  pages: (from: number, to: number) => AsyncGenerator<WideRow[]>
}

export async function widenTable(
  db: Database,
  userId: string,
  { pages: narrow, ...of }: NarrowTable,
): Promise<WideTable> {
  const { columns, widen } = await openWidening(db, userId, of)
  return { columns, pages: (from, to) => widen(narrow(from, to)) }
}

type Widening = {
  columns: string[]
  widen: (pages: AsyncIterable<ScreenRow[]>) => AsyncGenerator<WideRow[]>
}

export async function openWidening(
  db: Database,
  userId: string,
  { screen, orders, columns: fields }: Omit<NarrowTable, 'pages'>,
): Promise<Widening> {
  const columns = [...fields, ...runColumns]
  const own = await openOwnTable(db, { userId, names: await readNames(db, orders) })
  const shown = new Map(own.columns.map((name) => [name, freeName(name, own.columns)]))
  return {
    columns: [...columns.map(fileHeading), ...shown.values()],
    async *widen(pages) {
      for await (const page of pages) {
        const cells = await own.read(page.map(({ compound: name, smiles }) => ({ name, smiles })))
        yield page.map((row) => {
          const added = rename(cells.get(row.compound), shown)
          const ours = underHeadings({ ...row, ...flatStructure(row), screen: screen.id })
          return withStandard({ ...ours, ...added }, standardOf(row))
        })
      }
    },
  }
}

async function readNames(db: Database, orders: string[]): Promise<string[]> {
  const { rows } = await sql<{ names: string[] | null }>`
    select array_agg(distinct order_rows.name) as names
    from orders join order_rows on order_number = number where orders.id = any(${orders}::uuid[])`.execute(
    db,
  )
  return rows[0]?.names ?? []
}

function flatStructure({ structure_adjusted: adjusted }: ScreenRow): WideRow {
  if (adjusted === undefined || adjusted === null) return {}
  const { value, lower, upper } = adjusted
  return { structure_adjusted_kd: value, structure_lower: lower, structure_upper: upper }
}

/** Renames a column of the user's that has the same name as one of ours. */
function freeName(name: string, own: string[]): string {
  let free = name
  while (isOurs(free) || (free !== name && own.includes(free))) free = `${free} (input)`
  return free
}

function isOurs(name: string): boolean {
  const ours = [...screenRowColumns, ...structureColumns, ...profileColumns, ...runColumns]
  return ours.some((field) => field === name || fileHeading(field) === name)
}

function underHeadings(row: WideRow): WideRow {
  return Object.fromEntries(
    Object.entries(row).map(([field, value]) => [fileHeading(field), inCell(value)]),
  )
}

/** A list becomes one cell. */
function inCell(value: unknown): unknown {
  return Array.isArray(value) ? value.join('; ') : value
}

function rename(cells: Record<string, string> = {}, shown: Map<string, string>): WideRow {
  return Object.fromEntries(
    Object.entries(cells).map(([name, value]) => [shown.get(name) ?? name, value]),
  )
}
