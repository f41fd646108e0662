/** A one-time link that signs a person in as a user, for people whose email address no provider vouches for. */
import { randomBytes } from 'node:crypto'
import { INVITATION_DAYS, messages } from '@pkdex/contract'
import { recordAction } from '#server/audit/service.ts'
import { hashKey } from '#server/auth/caller.ts'
import type { Database } from '#server/platform/db/schema.ts'
import { inTransaction } from '#server/platform/db/transaction.ts'
import { AppError } from '#server/platform/errors.ts'
import { type AdminUserContext, lockUser } from './store.ts'

const CODE_BYTES = 32
const DAY_MS = 24 * 3_600_000

/** The code itself is returned once; the database keeps its hash. A new link replaces the earlier one. */
export async function createInvitation(
  db: Database,
  { administrator, userId, now }: AdminUserContext,
): Promise<{ code: string; expires_at: string }> {
  const code = randomBytes(CODE_BYTES).toString('base64url')
  const expiry = new Date(now.getTime() + INVITATION_DAYS * DAY_MS)
  const invitation = { code_hash: hashKey(code), expires_at: expiry }
  return inTransaction(db, async (trx) => {
    const user = await lockUser(trx, userId)
    if (user === undefined) throw new AppError('not_found', messages.admin.userNotFound)
    if (user.has_signed_in || user.google_id !== null) {
      throw new AppError('conflict', 'This user can sign in already, or has a Google ID.')
    }
    await trx
      .insertInto('invitations')
      .values({ user_id: userId, ...invitation })
      .onConflict((conflict) => conflict.column('user_id').doUpdateSet(invitation))
      .execute()
    await recordAction(trx, {
      administrator,
      action: 'create invitation link',
      subject: `user ${userId}`,
      after: { expires_at: expiry.toISOString() },
      now,
    })
    return { code, expires_at: expiry.toISOString() }
  })
}
