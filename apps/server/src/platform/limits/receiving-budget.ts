/**
 * Bytes of files and large requests that this process may be receiving and processing, over all users. The declared
 * size of a request is reserved before its body is read; beyond the budget it is refused.
 */
import { AppError } from '#server/platform/errors.ts'

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
