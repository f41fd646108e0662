/**
 * Keys of structures without stereochemistry, which the model ignores: a pair is paid for by this key. `flatten-keys.ts`
 * then computes those of earlier data.
 */
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table compounds add column flat_key bytea`.execute(db)
  await sql`alter table order_rows add column flat_key bytea`.execute(db)
  await sql`create index order_rows_flat on order_rows (order_number, flat_key)`.execute(db)
  // Dropped once the earlier data are done.
  await sql`create table flat_keys (compound_key bytea primary key, smiles text not null, flat_key bytea)`.execute(
    db,
  )
}
