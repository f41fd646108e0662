/** An administrator changes their own password. Guesses are limited as for a sign-in, so a stolen session does not help. */
import { recordAction } from '#server/audit/service.ts'
import type { Administrator } from '#server/auth/administrator.ts'
import { bucketsOf } from '#server/auth/failed-sign-ins.ts'
import type { Database } from '#server/platform/db/schema.ts'
import { inTransaction } from '#server/platform/db/transaction.ts'
import { AppError } from '#server/platform/errors.ts'
import { hashPassword, isPassword } from './passwords.ts'
import { countAttempt, forgetAttempt, holdAccount } from './service.ts'

type Change = { current: string; next: string; address: string; now: Date }

/** Ends the administrator's other sessions, not this one. */
export async function changeOwnPassword(
  db: Database,
  { id, email, session }: Administrator,
  { current, next, address, now }: Change,
): Promise<void> {
  const buckets = bucketsOf('administrator', email.toLowerCase(), address)
  await countAttempt(db, buckets, now)
  const { password_hash: before } = await db
    .selectFrom('administrators')
    .select('password_hash')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  const done = { administrator: email, subject: `administrator ${email}`, now }
  if (!(await isPassword(current, before))) {
    await inTransaction(db, (trx) =>
      recordAction(trx, { ...done, action: 'fail to change own password', after: { address } }),
    )
    throw wrongPassword()
  }
  const password_hash = await hashPassword(next)
  await inTransaction(db, async (trx) => {
    // The password may have been replaced during the check.
    const held = await holdAccount(trx, id)
    if (held?.password_hash !== before) throw wrongPassword()
    await forgetAttempt(trx, buckets, now)
    await trx.updateTable('administrators').set({ password_hash }).where('id', '=', id).execute()
    await trx
      .deleteFrom('administrator_keys')
      .where('administrator_id', '=', id)
      .where('session_id', '<>', session.id)
      .execute()
    await recordAction(trx, { ...done, action: 'change own password' })
  })
}

function wrongPassword(): AppError {
  return new AppError('invalid_request', 'The current password is wrong.')
}
