/** Screens, stored as blocks of cells, and their two ledger reasons. */
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  `create table screens (
    id uuid primary key default gen_random_uuid(),
    user_id uuid not null references users on delete cascade,
    idempotency_key text,
    request_hash bytea not null,
    status text not null check (status in ('QUEUED', 'RUNNING', 'DONE', 'CANCELLED', 'FAILED')),
    total integer not null,
    done integer not null check (done between 0 and total),
    known integer not null,
    compounds integer not null,
    paid integer not null,
    credits_per_pair numeric(15, 3) not null check (credits_per_pair >= 0),
    credits_charged numeric(15, 3) not null check (credits_charged >= 0),
    model_version text not null,
    message text,
    created_at timestamptz not null,
    started_at timestamptz,
    finished_at timestamptz,
    unique (user_id, idempotency_key)
  )`,
  `create index screens_list on screens (user_id, created_at desc, id)`,
  `create index screens_open on screens (status) where status in ('QUEUED', 'RUNNING')`,
  `create table screen_targets (
    screen_id uuid not null references screens on delete cascade,
    place integer not null,
    name text not null,
    chain text not null,
    segments jsonb not null,
    key bytea not null,
    primary key (screen_id, place)
  )`,
  `create index screen_targets_key on screen_targets (key)`,
  // Cells do not compress; the rows are compressed already.
  `create table screen_blocks (
    screen_id uuid not null references screens on delete cascade,
    block integer not null,
    job_id uuid not null,
    user_id uuid not null,
    status text not null check (status in ('WAITING', 'DONE', 'FAILED', 'CANCELLED')),
    first_row integer not null,
    rows integer not null,
    usable integer not null,
    paid integer not null,
    predicted integer not null default 0,
    turn integer not null,
    done_after integer,
    compounds bytea not null,
    compound_keys bytea not null,
    cells bytea,
    primary key (screen_id, block)
  )`,
  `alter table screen_blocks alter compounds set storage external`,
  `alter table screen_blocks alter compound_keys set storage external`,
  `alter table screen_blocks alter cells set storage external`,
  `create unique index screen_blocks_job on screen_blocks (job_id)`,
  `create index screen_blocks_waiting on screen_blocks (turn) where status = 'WAITING'`,
  `alter table ledger drop constraint ledger_reason_check`,
  `alter table ledger add constraint ledger_reason_check check (reason in
    ('first sign-in', 'prediction', 'refund', 'administrator', 'screen', 'screen refund'))`,
]
