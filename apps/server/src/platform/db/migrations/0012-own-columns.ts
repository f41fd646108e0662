/** Compounds store the user's own columns. */
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table compounds add column own jsonb`.execute(db)
}
