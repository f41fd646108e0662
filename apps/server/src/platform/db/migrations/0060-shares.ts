/** Screens that their owners show to other users, or to everyone who is signed in and has the link. */
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table shares (
    id uuid primary key default gen_random_uuid(),
    owner_id uuid not null references users (id) on delete cascade,
    order_id uuid not null references orders (id) on delete cascade,
    email text,
    exports boolean not null,
    created_at timestamptz not null
  )`.execute(db)
  await sql`create unique index shares_order on shares (order_id, coalesce(email, ''))`.execute(db)
  await sql`create index shares_email on shares (email) where email is not null`.execute(db)
  await sql`create index shares_owner on shares (owner_id)`.execute(db)
}
