/** The column of another tool's scores that the user selected for a target, and which end of it is stronger. */
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table targets add column score_column text,
      add column score_direction text check (score_direction in ('higher', 'lower')),
      add check ((score_column is null) = (score_direction is null))`.execute(db)
}
