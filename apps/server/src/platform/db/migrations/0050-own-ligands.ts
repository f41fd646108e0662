/** Users' own reference ligands for their targets, and copies of them in the runs that use them. */
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table own_ligands (
    target_id uuid primary key references targets (id) on delete cascade,
    user_id uuid not null references users (id) on delete cascade,
    molfile text not null,
    smiles text not null,
    heavy_atoms integer not null,
    ligand_of text,
    created_at timestamptz not null
  )`.execute(db)
  await sql`create index own_ligands_of_user on own_ligands (user_id)`.execute(db)
  await sql`alter table structure_runs add own_ligands jsonb not null default '{}'`.execute(db)
}
