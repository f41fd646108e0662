/** Limits the number of waiting predictions, so that accepted ones finish in reasonable time. Requests beyond it are refused with Retry-After and not charged. */
import { sql } from 'kysely'
import { AppError } from '#server/platform/errors.ts'
import type { Trx } from '#server/platform/db/schema.ts'

export type WaitingMax = { perUser: number; inAll: number }

const RETRY_AFTER_SECONDS = 10

/**
 * In the caller's transaction, under the lock of the user's requests: the limit per user is exact, while users who
 * send requests at the same moment may exceed the total limit by one each.
 */
export async function expectRoomInQueue(
  trx: Trx,
  userId: string,
  { perUser, inAll }: WaitingMax,
): Promise<void> {
  const { rows } = await sql<{ total: number; own: number }>`
    select count(*) as total, count(*) filter (where user_id = ${userId}) as own
    from orders where kind = 'single' and status in ('QUEUED', 'RUNNING')`.execute(trx)
  const { total = 0, own = 0 } = rows[0] ?? {}
  if (own >= perUser) {
    throw tooMany(
      `You already have ${perUser.toLocaleString('en')} predictions waiting, the maximum per user.`,
    )
  }
  if (total >= inAll) throw tooMany('The queue is full.')
}

function tooMany(reason: string): AppError {
  return new AppError('unavailable', `${reason} Try again in a few minutes.`, {
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  })
}
