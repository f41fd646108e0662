/**
 * Measured values belong to a chain's sequence, not to the file it was read from: they survive the deletion of
 * their target, and return with the next target of this user whose chain has the same sequence.
 */
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  `alter table measurements alter column target_id drop not null`,
  `alter table measurements drop constraint measurements_target_id_fkey`,
  `alter table measurements add constraint measurements_target_id_fkey
    foreign key (target_id) references targets on delete set null`,
  // SHA-256 of the segments of the deleted target's chain; null as long as the target exists.
  `alter table measurements add column sequence_key bytea`,
  `create index measurements_without_target on measurements (user_id, sequence_key)
    where target_id is null`,
  `create function sequence_key(segments jsonb, chain text) returns bytea language sql immutable as $$
    select sha256(convert_to(string_agg(segment, '/' order by place), 'UTF8'))
    from jsonb_array_elements_text(segments -> chain) with ordinality as cut (segment, place)
  $$`,
  `create function measurements_leave_target() returns trigger language plpgsql as $$
  begin
    update measurements
    set target_id = null, sequence_key = sequence_key(old.segments, old.chain), is_predicted = false
    where target_id = old.id;
    return old;
  end $$`,
  `create trigger measurements_leave_target before delete on targets
    for each row execute function measurements_leave_target()`,
  // If two deleted targets leave a value of the same compound, the newer value returns.
  `create function measurements_join_target() returns trigger language plpgsql as $$
  begin
    update measurements set target_id = new.id, sequence_key = null
    where id in (
      select distinct on (smiles) id from measurements
      where user_id = new.user_id and target_id is null
        and sequence_key = sequence_key(new.segments, new.chain)
      order by smiles, created_at desc
    );
    return null;
  end $$`,
  `create trigger measurements_join_target after insert on targets
    for each row execute function measurements_join_target()`,
]
