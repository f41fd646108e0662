/** Tags on screens and make lists. */
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table orders add tags text[] not null default '{}'`.execute(db)
  await sql`alter table targets add make_list_tags text[] not null default '{}'`.execute(db)
}
