/**
 * Keeps files and large requests from filling memory: a byte budget per process, and a few requests in progress per
 * user.
 */
import PQueue from 'p-queue'
import { AppError } from '#server/platform/errors.ts'

/**
 * Limits a user to a few requests of a kind in progress; further ones wait with their body unread. If `gone` aborts, a
 * waiting request leaves the queue and a running one frees its slot; both fail with its reason.
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
 * Bytes of files and large requests that this process may be receiving and processing, over all users. The declared
 * size of a request is reserved before its body is read; beyond the budget it is refused.
 */
export type ReceivingBudget = {
  /** Throws `unavailable` beyond the budget; otherwise returns a release function, safe to call twice. */
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
          'Too many uploads in progress. Try again in a few seconds.',
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
