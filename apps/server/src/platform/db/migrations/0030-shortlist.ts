/** Compounds that their user has starred. */
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table compounds add column is_starred boolean not null default false`.execute(db)
  await sql`create index compounds_starred on compounds (user_id, seq) where is_starred`.execute(db)
}
