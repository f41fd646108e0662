/** Shares are found by email, so only an address that a provider or an administrator vouches for counts. */
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table users add column is_email_proven boolean not null default true`.execute(db)
}
