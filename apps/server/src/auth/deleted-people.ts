/**
 * Remembers the credits left by deleted accounts, by a keyed hash of issuer and subject, so that initial credits
 * are given once per person and the database names no deleted user.
 */
import { createHmac, randomBytes } from 'node:crypto'
import type { Trx } from '#server/platform/db/schema.ts'
import { readSecret } from './server-secrets.ts'

type Person = { issuer: string; subject: string }

/**
 * Runs in the transaction that deletes the account, before its identities are. Its credits wait for the oldest of them.
 */
export async function rememberCredits(trx: Trx, userId: string, credits: number) {
  const people = await trx
    .selectFrom('identities')
    .select(['issuer', 'subject'])
    .where('user_id', '=', userId)
    .where('removed_at', 'is', null)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  for (const [place, person] of people.entries()) {
    await setCreditsLeft(trx, person, place === 0 ? credits : 0)
  }
}

/** What a new account of this person gets. */
export async function setCreditsLeft(trx: Trx, person: Person, credits: number) {
  await trx
    .insertInto('deleted_people')
    .values({ identity_hash: await hashOf(trx, person), credits })
    .onConflict((conflict) => conflict.column('identity_hash').doUpdateSet({ credits }))
    .execute()
}

/** Undefined if this person has never deleted an account. */
export async function findCreditsLeft(trx: Trx, person: Person): Promise<number | undefined> {
  const identity_hash = await hashOf(trx, person)
  const found = await trx
    .selectFrom('deleted_people')
    .select('credits')
    .where('identity_hash', '=', identity_hash)
    .executeTakeFirst()
  return found?.credits
}

async function hashOf(trx: Trx, { issuer, subject }: Person): Promise<Buffer> {
  const key = await readSecret(trx, 'deleted people', () => randomBytes(32).toString('base64url'))
  return createHmac('sha256', key)
    .update(JSON.stringify([issuer, subject]))
    .digest()
}
