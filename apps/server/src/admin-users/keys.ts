/** A user's programmatic keys: made, listed by prefix, and revoked. The key itself is answered once. */
import { messages, type UserKey } from '@pkdex/contract'
import type { z } from 'zod'
import { recordAction } from '#server/admin-database/audit.ts'
import { mintKey } from '#server/auth/keys.ts'
import type { Database, Trx } from '#server/db/schema.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { AppError } from '#server/http/app-error.ts'
import { hashKey } from '#server/http/caller.ts'
import type { Deed } from './deed.ts'
import { lockUser } from './store.ts'

export async function createUserKey(
  db: Database,
  { administrator, userId, now }: Deed,
): Promise<{ key: string; prefix: string }> {
  return inTransaction(db, async (trx) => {
    const user = await lockUser(trx, userId)
    if (user === undefined) throw new AppError('not_found', messages.admin.userNotFound)
    if (!user.is_active) {
      throw new AppError('conflict', 'This user is switched off, and a key would not work.')
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

/** Those that still work, newest first. */
export async function listUserKeys(
  db: Database,
  userId: string,
): Promise<z.input<typeof UserKey>[]> {
  const keys = await db
    .selectFrom('keys')
    .select(['id', 'prefix', 'created_at', 'last_used_at'])
    .where('user_id', '=', userId)
    .where('kind', '=', 'programmatic')
    .where('revoked_at', 'is', null)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .execute()
  return keys.map(({ id, prefix, created_at, last_used_at }) => ({
    id,
    prefix,
    created_at: created_at.toISOString(),
    // A new key was last used when it was made, so that its first use is noted.
    last_used_at: last_used_at > created_at ? last_used_at.toISOString() : null,
  }))
}

export async function revokeUserKey(
  db: Database,
  { administrator, userId, now }: Deed,
  keyId: string,
): Promise<void> {
  await inTransaction(db, async (trx) => {
    const revoked = await trx
      .updateTable('keys')
      .set({ revoked_at: now })
      .where('id', '=', keyId)
      .where('user_id', '=', userId)
      .where('kind', '=', 'programmatic')
      .where('revoked_at', 'is', null)
      .returning('prefix')
      .executeTakeFirst()
    if (revoked === undefined) throw new AppError('not_found', 'This user has no such API key.')
    await recordAction(trx, {
      administrator,
      action: 'revoke API key',
      subject: `user ${userId}`,
      before: { key_id: keyId, prefix: revoked.prefix },
      now,
    })
  })
}

/** Sessions end, and what an administrator made with them. */
export async function revokeKeys(trx: Trx, userId: string, now: Date): Promise<void> {
  await trx
    .updateTable('keys')
    .set({ revoked_at: now })
    .where('user_id', '=', userId)
    .where('revoked_at', 'is', null)
    .execute()
}
