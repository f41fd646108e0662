/** Credits left by deleted accounts, so that signing up again gives no new initial credits. */
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table deleted_people (
    identity_hash bytea primary key,
    credits numeric not null check (credits >= 0)
  )`.execute(db)
}
