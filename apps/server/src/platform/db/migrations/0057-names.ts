/** Notes on screens, and names of make lists. */
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table orders add note text not null default ''`.execute(db)
  await sql`alter table targets add make_list_name text`.execute(db)
}
