/** API keys have a name and optionally a daily limit. */
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table keys
    add column name text not null default '',
    add column calls_per_day integer,
    add column calls_on date,
    add column calls_today integer not null default 0`.execute(db)
}
