/** Notes in the ledger, idempotent administrator requests, and indexes for counts per day. */
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  `alter table ledger add column note text not null default ''`,
  // Kept forever: a list imported again after a year must not add credits again.
  `create table administrator_requests (
    key text primary key,
    request_hash bytea not null,
    administrator text not null,
    at timestamptz not null,
    answer jsonb not null
  )`,
  `create index tasks_created on tasks (created_at)`,
  `create index screens_created on screens (created_at)`,
]
