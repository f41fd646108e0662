/** The one error type that services throw on purpose. Anything else that is thrown is a bug: 500, logged. */
import type { ErrorCode } from '@pkdex/contract'

export class AppError extends Error {
  override name = 'AppError'
  readonly code: ErrorCode
  /** With `too_many_requests` and `unavailable`: when another try has a chance. */
  readonly retryAfterSeconds: number | undefined

  constructor(
    code: ErrorCode,
    message: string,
    options?: ErrorOptions & { retryAfterSeconds?: number },
  ) {
    super(message, options)
    this.code = code
    this.retryAfterSeconds = options?.retryAfterSeconds
  }
}
