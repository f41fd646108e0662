/** How many predictions may wait, so that what is promised is kept in good time: beyond that a request is told to come back, and pays nothing. */
import { sql } from 'kysely'
import { AppError } from '#server/platform/errors.ts'
import type { Trx } from '#server/platform/db/schema.ts'

export type WaitingMax = { perUser: number; inAll: number }

const RETRY_AFTER_SECONDS = 10

/**
 * In the caller's transaction, under the lock of the user's requests: the bound on one user is exact, while users who
 * ask in the same moment may go past the other by one each.
 */
export async function expectRoomInQueue(
  trx: Trx,
  userId: string,
  { perUser, inAll }: WaitingMax,
): Promise<void> {
  const { rows } = await sql<{ total: number; own: number }>`
    select count(*) as total, count(*) filter (where user_id = ${userId}) as own
    from tasks where status in ('PENDING', 'STARTED')`.execute(trx)
  const { total = 0, own = 0 } = rows[0] ?? {}
  if (own >= perUser) {
    throw tooMany(
      `You have ${perUser.toLocaleString('en')} predictions waiting, as many as one user can have.`,
    )
  }
  if (total >= inAll) throw tooMany('As many predictions wait as can be done in good time.')
}

function tooMany(reason: string): AppError {
  return new AppError('unavailable', `${reason} Please try again in a moment.`, {
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  })
}
