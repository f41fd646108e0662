/** Runs of poses also compare compounds with others of the screen; runs and blocks from before do not. */
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table structure_runs add anchors jsonb not null default '[]'`.execute(db)
  await sql`alter table structure_blocks add difference_sum double precision`.execute(db)
}
