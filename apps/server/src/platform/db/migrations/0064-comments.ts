/**
 * Comments on screens, counted in the order so that lists of screens cost nothing more; and what is new to a user: one row
 * per user and screen, deleted when the user looks.
 */
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table comments (
    id bigint generated always as identity primary key,
    order_id uuid not null references orders (id) on delete cascade,
    author_id uuid references users (id) on delete set null,
    "row" integer,
    place integer,
    text text not null,
    created_at timestamptz not null,
    edited_at timestamptz,
    check (place is null or "row" is not null)
  )`.execute(db)
  await sql`create index comments_order on comments (order_id, id)`.execute(db)
  await sql`create index comments_author on comments (author_id)`.execute(db)
  await sql`alter table orders add column comments integer not null default 0,
    add column commented_at timestamptz`.execute(db)
  await sql`create table news (
    user_id uuid not null references users (id) on delete cascade,
    order_id uuid not null references orders (id) on delete cascade,
    comments_from bigint,
    has_finished boolean not null default false,
    primary key (user_id, order_id)
  )`.execute(db)
  await sql`create index news_order on news (order_id)`.execute(db)
}
