/**
 * What keeps uploads from filling the memory: a budget of bytes for the process, and a few calls at work for each user.
 */
import PQueue from 'p-queue'
import { AppError } from '#server/platform/errors.ts'

/**
 * Lets a user have a few calls of a kind at work at the same time; a further one waits, an upload with its body unread.
 * When `gone` is aborted, a call that waits leaves the line and one at work loses its slot; both fail with its reason.
 */
export type UserLimiter = <T>(
  userId: string,
  work: () => Promise<T>,
  gone?: AbortSignal,
) => Promise<T>

export function openUserLimiter(callsPerUser: number): UserLimiter {
  const queues = new Map<string, PQueue>()

  function openQueue(userId: string): PQueue {
    const queue = new PQueue({ concurrency: callsPerUser })
    queues.set(userId, queue)
    queue.once('idle', () => queues.delete(userId))
    return queue
  }

  return (userId, work, gone) =>
    (queues.get(userId) ?? openQueue(userId)).add(work, gone && { signal: gone })
}

/**
 * How many bytes of uploads this process may be receiving and holding at the same time, over all users.
 * The size that a request declares is reserved before its body is read; beyond the budget it is refused.
 */
export type ReceivingBudget = {
  /** Throws `unavailable` beyond the budget; otherwise answers what gives the bytes back; calling it again changes nothing. */
  reserve(bytes: number): () => void
}

const RETRY_AFTER_SECONDS = 5

export function openReceivingBudget(bytesMax: number): ReceivingBudget {
  let reserved = 0
  return {
    reserve(bytes) {
      if (reserved + bytes > bytesMax) {
        throw new AppError(
          'unavailable',
          'Too many uploads are being received at the moment. Please try again in a few seconds.',
          { retryAfterSeconds: RETRY_AFTER_SECONDS },
        )
      }
      reserved += bytes
      let isHeld = true
      return () => {
        if (isHeld) reserved -= bytes
        isHeld = false
      }
    },
  }
}
