/** Screens that also use the structure: a run per screen, blocks of compounds placed on one ligand, and their poses. */
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table structure_runs (
    order_id uuid primary key references orders on delete cascade,
    user_id uuid not null references users on delete cascade,
    status text not null check (status in ('QUEUED', 'RUNNING', 'DONE', 'FAILED')),
    total integer not null,
    done integer not null default 0,
    weights jsonb not null,
    message text,
    request_id text not null
  )`.execute(db)
  await sql`create table structure_blocks (
    order_id uuid not null references structure_runs on delete cascade,
    place integer not null,
    block integer not null,
    job_id uuid not null unique,
    user_id uuid not null,
    reference text not null,
    status text not null check (status in ('WAITING', 'DONE', 'FAILED', 'CANCELLED')),
    turn integer not null default 0,
    first_row integer not null,
    rows integer not null,
    usable integer not null,
    placed integer not null default 0,
    pose_sum double precision not null default 0,
    similarity_sum double precision not null default 0,
    results bytea,
    poses bytea,
    primary key (order_id, place, block)
  )`.execute(db)
  await sql`create index structure_blocks_waiting on structure_blocks (turn) where status = 'WAITING'`.execute(
    db,
  )
}
