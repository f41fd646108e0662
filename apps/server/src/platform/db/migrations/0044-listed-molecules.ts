/** Molecules that a user lists for a target: those to make, and those not to suggest again. */
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table listed_molecules (
      id bigint generated always as identity,
      user_id uuid not null references users (id) on delete cascade,
      target_id uuid not null references targets (id) on delete cascade,
      list text not null check (list in ('make', 'excluded')),
      smiles text not null,
      created_at timestamptz not null,
      primary key (target_id, list, smiles)
    )`.execute(db)
  await sql`create index listed_molecules_of_user on listed_molecules (user_id)`.execute(db)
}
