/**
 * Nonces tie an ID token to a page of ours and to one use. Handing one out writes nothing, so nobody can
 * fill the database by asking; only a nonce that was used is remembered, until it would have expired.
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Database, Trx } from '#server/platform/db/schema.ts'
import { readSecret } from '#server/auth/server-secrets.ts'

export type Nonces = {
  mint(now: Date): string
  /** Ours, and not too old. Says nothing about earlier uses. */
  isValid(nonce: string, now: Date): boolean
}

/** A sign-in page may stand open for a day. */
const NONCE_MS = 24 * 3_600_000

export async function openNonces(db: Database): Promise<Nonces> {
  const secret = await readSecret(db, 'nonces', () => randomBytes(32).toString('base64url'))
  const sign = (text: string) => createHmac('sha256', secret).update(text).digest('base64url')
  return {
    mint(now) {
      const text = `${randomBytes(16).toString('base64url')}.${now.getTime() + NONCE_MS}`
      return `${text}.${sign(text)}`
    },
    isValid(nonce, now) {
      const [random, expiry, signature = '', ...more] = nonce.split('.')
      // One spelling only: a spent nonce would be fresh again with something written behind it.
      const isOurs = more.length === 0 && isEqual(signature, sign(`${random}.${expiry}`))
      return isOurs && Number(expiry) > now.getTime()
    },
  }
}

/** False where the nonce was used before. In the transaction of the sign-in: both happen, or neither. */
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
