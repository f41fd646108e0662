/** Properties and alerts of compounds, packed; and each user's own alert patterns. */
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  // Null until computed: for earlier compounds, when they are first requested.
  await sql`alter table compounds add column properties bytea`.execute(db)
  await sql`alter table users add column alert_patterns jsonb not null default '[]'`.execute(db)
}
