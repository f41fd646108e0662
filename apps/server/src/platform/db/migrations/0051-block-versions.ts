/** Stores which model predicted each block: a screen that waited during an upgrade may be predicted by several. */
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table blocks add model_version text`.execute(db)
  await sql`update blocks set model_version = orders.model_version
    from orders where orders.id = blocks.order_id`.execute(db)
  await sql`alter table blocks alter model_version set not null`.execute(db)
}
