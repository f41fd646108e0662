/** A signed-in user for tests of any feature. */
import { randomUUID } from 'node:crypto'
import type { Database } from '#server/platform/db/schema.ts'
import { inTransaction } from '#server/platform/db/transaction.ts'
import { noteFirstCredits } from '#server/credits/service.ts'
import { mintKey } from '#server/auth/keys.ts'

export type TestSession = {
  userId: string
  email: string
  key: string
  /** For `app.inject`. */
  headers: { 'api-key': string }
}

/** Creates a user like an administrator would, without a Google account unless its id is given. */
export function addTestPerson(
  db: Database,
  email: string,
  { googleId = null, credits = 5 }: { googleId?: string | null; credits?: number } = {},
) {
  const account = { google_id: googleId, issuer: null, subject: null }
  return db
    .insertInto('users')
    .values({ ...account, email, name: '', credits, created_at: new Date() })
    .returningAll()
    .executeTakeFirstOrThrow()
}

export async function openTestSession(
  db: Database,
  { credits = 100, now = new Date() } = {},
): Promise<TestSession> {
  const email = `${randomUUID()}@example.org`
  return inTransaction(db, async (trx) => {
    const { id: userId } = await trx
      .insertInto('users')
      .values({ issuer: 'test', subject: email, email, name: 'Test', credits, created_at: now })
      .returning('id')
      .executeTakeFirstOrThrow()
    await noteFirstCredits(trx, { userId, credits, reason: 'first sign-in', actor: 'server' })
    const key = await mintKey(trx, { userId, kind: 'session', now })
    return { userId, email, key, headers: { 'api-key': key } }
  })
}
