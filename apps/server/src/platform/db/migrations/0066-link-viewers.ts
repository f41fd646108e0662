/** Who opened a screen that is shared by link: the owner sees them, and they find it again. */
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table link_viewers (
    share_id uuid not null references shares (id) on delete cascade,
    user_id uuid not null references users (id) on delete cascade,
    opened_at timestamptz not null,
    primary key (share_id, user_id)
  )`.execute(db)
  await sql`create index link_viewers_user on link_viewers (user_id)`.execute(db)
}
