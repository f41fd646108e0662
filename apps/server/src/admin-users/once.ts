/** What an administrator asks for under a key is done once, in one transaction with its answer; asked for again, the answer comes again. */
import { createHash } from 'node:crypto'
import type { AdminActionContext } from '#server/audit/service.ts'
import type { Database, Trx } from '#server/platform/db/schema.ts'
import { holdLock, inTransaction } from '#server/platform/db/transaction.ts'
import { AppError } from '#server/platform/errors.ts'

type Order<T> = AdminActionContext & {
  /** Null: as often as it is asked for. */
  key: string | null
  /** What was asked for, as it is compared with what was asked for before. */
  request: unknown
  /** Null where nothing was changed: then there is nothing to keep. */
  work: (trx: Trx) => Promise<T | null>
}

/** The answer and when it was given first. */
export type Earlier = { at: Date; answer: Record<string, unknown> }

const KEY_CHARACTERS_MAX = 200

/** The earlier answer where there is one, otherwise what `work` answers. */
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
      const row = { key, request_hash: hashOf(request), administrator, at: now, answer }
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
  if (row.request_hash.equals(hashOf(request))) return row
  throw new AppError('conflict', 'This Idempotency-Key has been used for something else.')
}

/** Keys of two administrators never meet; null where none was sent. */
export function ownKey(administratorId: string, header: string | undefined): string | null {
  if (header === undefined || header === '') return null
  if (header.length > KEY_CHARACTERS_MAX) {
    throw new AppError(
      'invalid_request',
      `The Idempotency-Key is longer than ${KEY_CHARACTERS_MAX} characters.`,
    )
  }
  return `${administratorId} ${header}`
}

export function hashOf(request: unknown): Buffer {
  return createHash('sha256').update(JSON.stringify(request)).digest()
}
