/**
 * A nonce ties an ID token to one of our pages and to one use. Issuing one writes nothing, so requests cannot fill the
 * database; only used nonces are stored, until they would have expired.
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Database, Trx } from '#server/platform/db/schema.ts'
import { readSecret } from '#server/auth/server-secrets.ts'

/** `purpose`: what a nonce is good for; empty: signing in. It is not part of the text. */
export type Nonces = {
  mint(now: Date, purpose?: string): string
  /** Whether we issued it for this, and it has not expired. Says nothing about earlier uses. */
  isValid(nonce: string, now: Date, purpose?: string): boolean
}

/** A sign-in page may stay open for a day. */
const NONCE_MS = 24 * 3_600_000

export async function openNonces(db: Database): Promise<Nonces> {
  const secret = await readSecret(db, 'nonces', () => randomBytes(32).toString('base64url'))
  const sign = (text: string) => createHmac('sha256', secret).update(text).digest('base64url')
  return {
    mint(now, purpose = '') {
      const text = `${randomBytes(16).toString('base64url')}.${now.getTime() + NONCE_MS}`
      return `${text}.${sign(text + purpose)}`
    },
    isValid(nonce, now, purpose = '') {
      const [random, expiry, signature = '', ...more] = nonce.split('.')
      // Accept only one spelling: otherwise a used nonce with appended text would be accepted again.
      const isOurs = more.length === 0 && isEqual(signature, sign(`${random}.${expiry}${purpose}`))
      return isOurs && Number(expiry) > now.getTime()
    },
  }
}

/** False if the nonce was used before. Runs in the sign-in's transaction, so both happen or neither does. */
export async function spendNonce(trx: Trx, nonce: string, now: Date): Promise<boolean> {
  await trx.deleteFrom('used_nonces').where('expires_at', '<', now).execute()
  const used = await trx
    .insertInto('used_nonces')
    .values({ nonce, expires_at: new Date(now.getTime() + NONCE_MS) })
    .onConflict((conflict) => conflict.doNothing())
    .returning('nonce')
    .executeTakeFirst()
  return used !== undefined
}

function isEqual(one: string, other: string): boolean {
  const [left, right] = [Buffer.from(one), Buffer.from(other)]
  return left.length === right.length && timingSafeEqual(left, right)
}
