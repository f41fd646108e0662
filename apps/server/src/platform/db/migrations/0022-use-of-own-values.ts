/** Whether a target's predictions use the user's own values; null: unless they make predictions worse. */
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table targets add column use_own_values boolean`.execute(db)
}
