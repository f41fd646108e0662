/** Makes the first administrator, at the very first start only. */
import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { insertAdministrator } from '#server/admin-auth/administrators.ts'
import type { Config } from '#server/config.ts'
import type { Database } from '#server/db/schema.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { hashPassword } from './passwords.ts'

/** `password` is null where the operator chose it; otherwise this is the only time anybody sees it. */
export type FirstAdministrator = { email: string; password: string | null }

/** Null where there is an administrator already. */
export async function makeFirstAdministrator(
  db: Database,
  { email, password }: Config['administrator'],
  now: Date,
): Promise<FirstAdministrator | null> {
  const generated = password === undefined ? randomBytes(15).toString('base64url') : null
  return inTransaction(db, async (trx) => {
    // Several processes may start at once on an empty database.
    await sql`lock table administrators in exclusive mode`.execute(trx)
    const known = await trx.selectFrom('administrators').select('id').limit(1).executeTakeFirst()
    if (known !== undefined) return null
    const password_hash = await hashPassword(password ?? generated ?? '')
    await insertAdministrator(trx, { email, now }, password_hash)
    return { email, password: generated }
  })
}
