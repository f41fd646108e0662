/** Molecules predicted for a series belong to its screen; a make list keeps the number each molecule was added with. */
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table orders add screen_id uuid references orders (id) on delete cascade`.execute(
    db,
  )
  await sql`create index orders_screen on orders (screen_id) where screen_id is not null`.execute(
    db,
  )
  await sql`alter table listed_molecules
    add predicted double precision, add lower double precision, add upper double precision`.execute(
    db,
  )
}
