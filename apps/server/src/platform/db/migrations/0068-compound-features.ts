/**
 * Features of compounds, which screens read instead of computing them. A table of their own, because list queries read
 * whole rows of `compounds`. Older compounds have none until their properties are computed again.
 */
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table compound_features (
    compound_id uuid primary key references compounds (id) on delete cascade,
    features bytea not null
  )`.execute(db)
}
