/** Any number of measured values per compound and target: replicates are stored one by one and combined when read. */
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  `alter table measurements drop constraint measurements_target_id_smiles_key`,
  `create index measurements_of_target on measurements (target_id, smiles)`,
  // All values with the target's sequence return, whichever deleted target they come from.
  `create or replace function measurements_join_target() returns trigger language plpgsql as $$
  begin
    update measurements set target_id = new.id, sequence_key = null
    where user_id = new.user_id and target_id is null
      and sequence_key = sequence_key(new.segments, new.chain);
    return null;
  end $$`,
]
