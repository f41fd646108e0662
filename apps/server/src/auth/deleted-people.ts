/**
 * Remembers the credits left by deleted accounts, by a keyed hash of issuer and subject, so that initial credits
 * are given once per person and the database names no deleted user.
 */
import { createHmac, randomBytes } from 'node:crypto'
import type { Trx } from '#server/platform/db/schema.ts'
import { readSecret } from './server-secrets.ts'

type Person = { issuer: string | null; subject: string | null }

/** Runs in the transaction that deletes the account. Does nothing if nobody ever signed in to it. */
export async function rememberCredits(trx: Trx, person: Person & { credits: number }) {
  const identity_hash = await hashOf(trx, person)
  if (identity_hash === null) return
  const { credits } = person
  await trx
    .insertInto('deleted_people')
    .values({ identity_hash, credits })
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

async function hashOf(trx: Trx, { issuer, subject }: Person): Promise<Buffer | null> {
  if (issuer === null || subject === null) return null
  const key = await readSecret(trx, 'deleted people', () => randomBytes(32).toString('base64url'))
  return createHmac('sha256', key)
    .update(JSON.stringify([issuer, subject]))
    .digest()
}
