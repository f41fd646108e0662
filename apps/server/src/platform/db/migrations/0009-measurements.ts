/** Measured values of users, each with the model's prediction of the pair. */
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  `create table measurements (
    id uuid primary key default gen_random_uuid(),
    user_id uuid not null references users on delete cascade,
    target_id uuid not null references targets on delete cascade,
    compound text not null,
    smiles text not null,
    type text not null check (type in ('Kd', 'Ki', 'IC50')),
    value text not null,
    pk double precision not null,
    bound text check (bound in ('upper', 'lower')),
    fingerprint bytea not null,
    is_predicted boolean not null default false,
    model_version text,
    chain text,
    predicted double precision,
    half_width double precision,
    created_at timestamptz not null,
    unique (target_id, smiles)
  )`,
  `create index measurements_list on measurements (user_id, created_at desc, id)`,
  `create index measurements_to_predict on measurements (created_at) where not is_predicted`,
  // Another chain is another protein: its predictions are computed again.
  `create function measurements_follow_chain() returns trigger language plpgsql as $$
  begin
    update measurements set is_predicted = false where target_id = new.id;
    return null;
  end $$`,
  `create trigger measurements_follow_chain after update of chain on targets
    for each row when (old.chain is distinct from new.chain)
    execute function measurements_follow_chain()`,
]
