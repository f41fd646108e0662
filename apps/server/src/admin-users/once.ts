/**
 * Runs an administrator's idempotent request once, in one transaction with storing its response; a repeated
 * request returns the stored response.
 */
import type { AdminActionContext } from '#server/audit/service.ts'
import type { Database, Trx } from '#server/platform/db/schema.ts'
import { holdLock, inTransaction } from '#server/platform/db/transaction.ts'
import { expectSameRequest, hashRequest } from '#server/platform/http/idempotency.ts'

type Order<T> = AdminActionContext & {
  /** Null: not idempotent. */
  key: string | null
  /** The request, to be compared with the earlier one. */
  request: unknown
  /** Returns null if nothing was changed; then nothing is stored. */
  work: (trx: Trx) => Promise<T | null>
}

/** The response, and when it was first given. */
export type Earlier = { at: Date; answer: Record<string, unknown> }

/** The earlier response if there is one, otherwise the result of `work`. */
export function doOnce<T extends Record<string, unknown>>(
  db: Database,
  { key, request, administrator, now, work }: Order<T>,
): Promise<{ done: T | null } | { earlier: Earlier }> {
  return inTransaction(db, async (trx) => {
    if (key === null) return { done: await work(trx) }
    await holdLock(trx, 'administratorRequests', key)
    const earlier = await findEarlier(trx, { key, request })
    if (earlier !== null) return { earlier }
    const done = await work(trx)
    if (done !== null) {
      const answer = JSON.stringify(done)
      const row = { key, request_hash: hashRequest(request), administrator, at: now, answer }
      await trx.insertInto('administrator_requests').values(row).execute()
    }
    return { done }
  })
}

export async function findEarlier(
  db: Database,
  { key, request }: { key: string; request: unknown },
): Promise<Earlier | null> {
  const row = await db
    .selectFrom('administrator_requests')
    .select(['at', 'answer', 'request_hash'])
    .where('key', '=', key)
    .executeTakeFirst()
  if (row === undefined) return null
  expectSameRequest(row.request_hash, request)
  return row
}

/** Keys of different administrators never collide. */
export function ownKey(administratorId: string, key: string | null): string | null {
  return key === null ? null : `${administratorId} ${key}`
}
