/**
 * The accounts at sign-in providers that sign in as a user, by issuer and subject. A removed one is remembered, so that
 * its email does not link it again.
 */
import { sql } from 'kysely'
import type { Database, Trx } from '#server/platform/db/schema.ts'
import type { Identity } from './id-token.ts'

type Person = Pick<Identity, 'issuer' | 'subject'>

/** Locks the user, and remembers what the provider says of the address now. */
export async function findUser(trx: Trx, { issuer, subject, email, isEmailTrusted }: Identity) {
  const person = { issuer, subject }
  const user = await trx
    .selectFrom('users')
    .select(['id', 'is_active'])
    .where('id', '=', (is) =>
      is
        .selectFrom('identities')
        .select('user_id')
        .where((one) => one.and(person))
        .where('removed_at', 'is', null),
    )
    // Waits while an administrator is linking this user to another Google account.
    .forUpdate()
    .executeTakeFirst()
  if (user === undefined) return undefined
  const known = await trx
    .updateTable('identities')
    .set({ email, is_email_trusted: isEmailTrusted })
    .where((one) => one.and({ ...person, user_id: user.id }))
    .where('removed_at', 'is', null)
    .returning('id')
    .executeTakeFirst()
  return known && user
}

/**
 * The user who signs in elsewhere with this address. Both providers must vouch for it: otherwise somebody could wait
 * under the address of another person. Never a second account of the same provider, nor one that was removed.
 */
export async function findByTrustedEmail(trx: Trx, identity: Identity) {
  const { issuer, subject, email, isEmailTrusted } = identity
  if (!isEmailTrusted) return undefined
  const owners = await trx
    .selectFrom('identities')
    .select('user_id')
    .distinct()
    .where('is_email_trusted', '=', true)
    .where('removed_at', 'is', null)
    .where(isEmail(email))
    .where((is) =>
      is.not(
        is.exists(
          is
            .selectFrom('identities as other')
            .select('other.id')
            .whereRef('other.user_id', '=', 'identities.user_id')
            .where('other.issuer', '=', issuer)
            .where((one) => one.or([one('removed_at', 'is', null), one('subject', '=', subject)])),
        ),
      ),
    )
    .limit(2)
    .execute()
  const [owner, another] = owners
  if (owner === undefined || another !== undefined) return undefined
  return trx
    .selectFrom('users')
    .select(['id', 'is_active'])
    .where('id', '=', owner.user_id)
    .forUpdate()
    .executeTakeFirst()
}

/**
 * The first condition uses the index. The second one decides, because some servers lower-case more than A to Z, such as
 * the Kelvin sign to k.
 */
export function isEmail(email: string) {
  return sql<boolean>`lower(email) = lower(${email})
    and lower(email collate "C") = lower(${email}::text collate "C")`
}

/** The user must be locked, and nobody may have this identity. */
export async function addIdentity(trx: Trx, userId: string, identity: Identity, now: Date) {
  const { issuer, subject, email, isEmailTrusted, isGoogle } = identity
  const known = { email, is_email_trusted: isEmailTrusted, created_at: now, removed_at: null }
  await trx
    .insertInto('identities')
    .values({ user_id: userId, issuer, subject, ...known })
    .onConflict((conflict) => conflict.columns(['user_id', 'issuer', 'subject']).doUpdateSet(known))
    .execute()
  // Administrators see and assign Google IDs only.
  const change = { has_signed_in: true, ...(isGoogle && { google_id: subject }) }
  await trx.updateTable('users').set(change).where('id', '=', userId).execute()
}

/** Whether an account of this server has the identity, or an administrator reserved it for one. */
export async function isTaken(trx: Trx, { issuer, subject, isGoogle }: Identity): Promise<boolean> {
  const person: Person = { issuer, subject }
  const found = await trx
    .selectFrom('identities')
    .select('id')
    .where((one) => one.and(person))
    .where('removed_at', 'is', null)
    .executeTakeFirst()
  if (found !== undefined || !isGoogle) return found !== undefined
  const reserved = await trx
    .selectFrom('users')
    .select('id')
    .where('google_id', '=', subject)
    .executeTakeFirst()
  return reserved !== undefined
}

/** Oldest first. */
export function listIdentities(db: Database, userId: string) {
  return db
    .selectFrom('identities')
    .select(['id', 'issuer', 'subject', 'email', 'created_at'])
    .where('user_id', '=', userId)
    .where('removed_at', 'is', null)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
}
