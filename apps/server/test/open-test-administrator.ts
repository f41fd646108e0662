/** A signed-in administrator for tests of any feature. */
import { randomUUID } from 'node:crypto'
import { hashPassword } from '#server/auth/admin/passwords.ts'
import type { Database } from '#server/platform/db/schema.ts'
import { inTransaction } from '#server/platform/db/transaction.ts'
import { mintToken } from '#server/auth/admin/credentials.ts'

export type TestAdministrator = {
  id: string
  email: string
  token: string
  /** For `app.inject`. */
  headers: { authorization: string }
}

export const TEST_PASSWORD = 'correct horse battery staple'
const passwordHash = hashPassword(TEST_PASSWORD)

export async function openTestAdministrator(
  db: Database,
  now = new Date(),
): Promise<TestAdministrator> {
  const email = `${randomUUID()}@lab.example`
  const password_hash = await passwordHash
  return inTransaction(db, async (trx) => {
    const { id } = await trx
      .insertInto('administrators')
      .values({ email, password_hash, created_at: now })
      .returning('id')
      .executeTakeFirstOrThrow()
    const { value: token } = await mintToken(trx, id, now)
    return { id, email, token, headers: { authorization: `Bearer ${token}` } }
  })
}
