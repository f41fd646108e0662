/** Measured values are predicted by orders like all others; each value has the id of the order it is waiting for. */
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  // Null for a value without a prediction: not ordered yet.
  `alter table measurements add column order_id uuid references orders on delete set null`,
  `create index measurements_of_order on measurements (order_id) where order_id is not null`,
  `drop index measurements_to_predict`,
  `create index measurements_to_order on measurements (target_id)
    where not is_predicted and order_id is null`,
  `create or replace function measurements_follow_chain() returns trigger language plpgsql as $$
  begin
    update measurements set is_predicted = false, order_id = null where target_id = new.id;
    return null;
  end $$`,
  `create or replace function measurements_leave_target() returns trigger language plpgsql as $$
  begin
    update measurements
    set target_id = null, sequence_key = sequence_key(old.segments, old.chain), is_predicted = false,
      order_id = null
    where target_id = old.id;
    return old;
  end $$`,
]
