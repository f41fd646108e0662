/** Database access for the user's own columns of compounds. */
import type { OwnCell } from '@pkdex/biochem'
import { sql } from 'kysely'
import type { Database, Trx } from '#server/platform/db/schema.ts'
import { type Named, PORTION } from './store.ts'

/** Existing compounds get the columns of the latest table that has any. */
export async function replaceOwnCells(
  trx: Trx,
  userId: string,
  compounds: { name: string; own: OwnCell[] }[],
): Promise<void> {
  for (let from = 0; from < compounds.length; from += PORTION) {
    const portion = JSON.stringify(compounds.slice(from, from + PORTION))
    await sql`
      update compounds set own = c -> 'own'
      from jsonb_array_elements(${portion}::jsonb) as list (c)
      where user_id = ${userId} and name = c ->> 'name' and own is distinct from c -> 'own'`.execute(
      trx,
    )
  }
}

/** The values of the user's own columns, for the named compounds that are still the same molecules. */
export async function readOwnCells(
  db: Database,
  { userId, names }: Named,
): Promise<{ name: string; smiles: string; own: OwnCell[] }[]> {
  const rows = await db
    .selectFrom('compounds')
    .select(['name', 'smiles', 'own'])
    .where('user_id', '=', userId)
    .where('name', '=', sql<string>`any(${names})`)
    .where('own', 'is not', null)
    .execute()
  return rows.map(({ own, ...compound }) => ({ ...compound, own: own ?? [] }))
}

/** The columns that any of the named compounds has, in the order in which their tables were uploaded. */
export async function readOwnColumns(db: Database, { userId, names }: Named): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select cell ->> 0 as name
    from compounds, jsonb_array_elements(own) with ordinality as cells (cell, place)
    where user_id = ${userId} and name = any(${names}) and own is not null
    group by cell ->> 0
    order by max(place), min(seq), 1
    limit ${OWN_COLUMNS_MAX}`.execute(db)
  return rows.map(({ name }) => name)
}

/** A screen may combine many tables with different columns; the result must stay readable in a spreadsheet. */
const OWN_COLUMNS_MAX = 100
