/** One user can sign in with several providers: `issuer` and `subject` leave `users` for a table of their own. */
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table identities (
    id uuid primary key default gen_random_uuid(),
    user_id uuid not null references users (id) on delete cascade,
    issuer text not null,
    subject text not null,
    email text not null,
    is_email_trusted boolean not null,
    created_at timestamptz not null,
    removed_at timestamptz
  )`.execute(db)
  await sql`insert into identities (user_id, issuer, subject, email, is_email_trusted, created_at)
    select id, issuer, subject, email, false, created_at from users where subject is not null`.execute(
    db,
  )
  await sql`create unique index identities_person on identities (issuer, subject) where removed_at is null`.execute(
    db,
  )
  await sql`create unique index identities_user on identities (user_id, issuer, subject)`.execute(
    db,
  )
  await sql`create unique index identities_issuer on identities (user_id, issuer) where removed_at is null`.execute(
    db,
  )
  await sql`create index identities_email on identities (lower(email)) where is_email_trusted and removed_at is null`.execute(
    db,
  )
  await sql`alter table users add column has_signed_in boolean not null default false`.execute(db)
  await sql`update users set has_signed_in = true where subject is not null`.execute(db)
  // Takes the indexes along that mention them.
  await sql`alter table users drop column issuer, drop column subject`.execute(db)
  await sql`create unique index users_invited_email on users (lower(email)) where not has_signed_in`.execute(
    db,
  )
  await sql`create unique index users_invited_google_id on users (google_id) where not has_signed_in`.execute(
    db,
  )
}
