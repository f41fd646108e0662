/** The tables of users, keys, files, predictions and credits. */
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const people = [
  `create table users (
    id uuid primary key default gen_random_uuid(),
    issuer text,
    subject text,
    email text not null,
    name text not null default '',
    google_id text,
    credits numeric(15, 3) not null check (credits >= 0),
    is_active boolean not null default true,
    created_at timestamptz not null,
    check ((issuer is null) = (subject is null))
  )`,
  `create unique index users_identity on users (issuer, subject)`,
  `create index users_email on users (lower(email))`,
  // Two users may come to share an address over time, but two invitations to one address are a mistake.
  `create unique index users_invited_email on users (lower(email)) where subject is null`,
  `create unique index users_invited_google_id on users (google_id) where subject is null`,
  `create table administrators (
    id uuid primary key default gen_random_uuid(),
    email text not null,
    password_hash text not null,
    created_at timestamptz not null
  )`,
  `create unique index administrators_email on administrators (lower(email))`,
]

const keys = [
  `create table keys (
    id uuid primary key default gen_random_uuid(),
    user_id uuid not null references users on delete cascade,
    kind text not null check (kind in ('session', 'programmatic')),
    prefix text not null,
    hash bytea not null unique,
    created_at timestamptz not null,
    last_used_at timestamptz not null,
    idle_expires_at timestamptz,
    expires_at timestamptz,
    closes_at timestamptz,
    revoked_at timestamptz
  )`,
  `create index keys_user on keys (user_id)`,
  `create table key_pages (
    key_id uuid not null references keys on delete cascade,
    page_id text not null,
    claimed_at timestamptz not null,
    closed_at timestamptz,
    primary key (key_id, page_id)
  )`,
  `create table used_nonces (nonce text primary key, expires_at timestamptz not null)`,
  `create index used_nonces_expiry on used_nonces (expires_at)`,
  `create table sign_in_failures (bucket text not null, failed_at timestamptz not null)`,
  `create index sign_in_failures_bucket on sign_in_failures (bucket, failed_at)`,
  `create table server_secrets (name text primary key, value text not null)`,
]

// One key instead of two, because key checks dominate the cost of adding thousands of compounds. It also ensures
// that an item belongs to the owner of its file.
const ofFile = 'foreign key (file_id, user_id) references files (id, user_id) on delete cascade'

const files = [
  `create table files (
    id uuid primary key default gen_random_uuid(),
    user_id uuid not null references users on delete cascade,
    file_type text not null check (file_type in ('protein_pdb', 'drug_smiles')),
    filename text not null,
    sha256 bytea not null,
    size_bytes integer not null,
    content bytea not null,
    uploaded_at timestamptz not null,
    unique (id, user_id)
  )`,
  `create unique index files_same on files (user_id, file_type, filename, sha256)`,
  `create table targets (
    seq bigint generated always as identity,
    id uuid primary key default gen_random_uuid(),
    user_id uuid not null,
    file_id uuid not null,
    name text not null,
    chain text not null,
    segments jsonb not null,
    report jsonb not null,
    content_hash bytea not null,
    created_at timestamptz not null,
    unique (user_id, name),
    ${ofFile}
  )`,
  `create index targets_list on targets (user_id, seq)`,
  `create index targets_file on targets (file_id)`,
  `create table compounds (
    seq bigint generated always as identity,
    id uuid primary key default gen_random_uuid(),
    user_id uuid not null,
    file_id uuid not null,
    name text not null,
    smiles text not null,
    standard_smiles text not null,
    report jsonb not null,
    content_hash bytea not null,
    created_at timestamptz not null,
    unique (user_id, name),
    ${ofFile}
  )`,
  `create index compounds_list on compounds (user_id, seq)`,
  `create index compounds_file on compounds (file_id)`,
]

const predictions = [
  `create table tasks (
    id uuid primary key default gen_random_uuid(),
    user_id uuid not null references users on delete cascade,
    target_id uuid not null references targets on delete cascade,
    compound_id uuid not null references compounds on delete cascade,
    target_chain text not null,
    status text not null check (status in ('PENDING', 'STARTED', 'SUCCESS', 'FAILURE')),
    result jsonb,
    message text,
    model_version text,
    credits_charged numeric(15, 3) not null check (credits_charged >= 0),
    created_at timestamptz not null,
    started_at timestamptz,
    finished_at timestamptz
  )`,
  `create index tasks_pair on tasks (user_id, target_id, compound_id)`,
  `create index tasks_target on tasks (target_id)`,
  `create index tasks_compound on tasks (compound_id)`,
  `create index tasks_open on tasks (status) where status in ('PENDING', 'STARTED')`,
  `create table previews (
    content_hash bytea not null,
    kind text not null check (kind in ('protein', 'molecule')),
    theme text not null check (theme in ('light', 'dark')),
    media_type text not null,
    alt text not null,
    body bytea not null,
    created_at timestamptz not null,
    primary key (content_hash, kind, theme)
  )`,
]

const ledger = [
  // Rows outlive their user, so there is no foreign key.
  `create table ledger (
    id bigint generated always as identity primary key,
    user_id uuid not null,
    delta numeric(15, 3) not null,
    balance_after numeric(15, 3) not null check (balance_after >= 0),
    reason text not null
      check (reason in ('first sign-in', 'prediction', 'refund', 'administrator')),
    task_id uuid,
    actor text not null,
    created_at timestamptz not null
  )`,
  `create index ledger_user on ledger (user_id, id)`,
  // At most one charge and one refund per task.
  `create unique index ledger_once on ledger (task_id, reason)`,
  `create function refuse_change() returns trigger language plpgsql as $$
    begin
      raise exception 'the ledger is append-only: % refused', tg_op;
    end
  $$`,
  `create trigger ledger_append_only before update or delete or truncate on ledger
    for each statement execute function refuse_change()`,
]

const statements = [...people, ...keys, ...files, ...predictions, ...ledger]
