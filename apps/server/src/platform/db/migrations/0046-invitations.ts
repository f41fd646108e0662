/** One-time links for signing in as a user created by an administrator. */
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table invitations (
    user_id uuid primary key references users (id) on delete cascade,
    code_hash bytea not null unique,
    expires_at timestamptz not null
  )`.execute(db)
}
