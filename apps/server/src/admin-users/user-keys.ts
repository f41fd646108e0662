/** A user's API keys: created, listed by prefix, and revoked. The key itself is returned once. */
import { messages } from '@pkdex/contract'
import { recordAction } from '#server/audit/service.ts'
import { mintKey, revokeKey } from '#server/auth/keys.ts'
import type { Database, Trx } from '#server/platform/db/schema.ts'
import { inTransaction } from '#server/platform/db/transaction.ts'
import { AppError } from '#server/platform/errors.ts'
import { hashKey } from '#server/auth/caller.ts'
import type { AdminUserContext } from './store.ts'
import { lockUser } from './store.ts'

export async function createUserKey(
  db: Database,
  { administrator, userId, now }: AdminUserContext,
): Promise<{ key: string; prefix: string }> {
  return inTransaction(db, async (trx) => {
    const user = await lockUser(trx, userId)
    if (user === undefined) throw new AppError('not_found', messages.admin.userNotFound)
    if (!user.is_active) {
      throw new AppError('conflict', 'This user is inactive, so a key would not work.')
    }
    const key = await mintKey(trx, { userId, kind: 'programmatic', now })
    const { id, prefix } = await trx
      .selectFrom('keys')
      .select(['id', 'prefix'])
      .where('hash', '=', hashKey(key))
      .executeTakeFirstOrThrow()
    await recordAction(trx, {
      administrator,
      action: 'create API key',
      subject: `user ${userId}`,
      after: { key_id: id, prefix },
      now,
    })
    return { key, prefix }
  })
}

export async function revokeUserKey(
  db: Database,
  { administrator, userId, now }: AdminUserContext,
  keyId: string,
): Promise<void> {
  await inTransaction(db, async (trx) => {
    const prefix = await revokeKey(trx, { userId, keyId, now })
    if (prefix === undefined) throw new AppError('not_found', 'API key not found.')
    await recordAction(trx, {
      administrator,
      action: 'revoke API key',
      subject: `user ${userId}`,
      before: { key_id: keyId, prefix },
      now,
    })
  })
}

/** Ends sessions and the keys that an administrator created. */
export function revokeKeys(trx: Trx, userId: string, now: Date): Promise<void> {
  return revokeKeysOf(trx, [userId], now)
}

export async function revokeKeysOf(trx: Trx, userIds: string[], now: Date): Promise<void> {
  await trx
    .updateTable('keys')
    .set({ revoked_at: now })
    .where('user_id', 'in', userIds)
    .where('revoked_at', 'is', null)
    .execute()
}
