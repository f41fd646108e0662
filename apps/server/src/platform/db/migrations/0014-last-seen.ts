/** When a user was last seen, for keys deleted since. */
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table users add column last_seen_at timestamptz`.execute(db)
}
