/** The two error types that are thrown on purpose. Anything else that is thrown is a bug. */
import type { ErrorCode } from '@pkdex/contract'

/** A request that cannot be granted; services throw it. */
export class AppError extends Error {
  override name = 'AppError'
  readonly code: ErrorCode
  /** With `too_many_requests` and `unavailable`: after this time another try can succeed. */
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

/** One sentence for the person who runs the program: what is wrong, and what to do. */
export class OperatorError extends Error {
  override name = 'OperatorError'
  /** Whether starting again may help without intervention. */
  readonly mayPass: boolean

  constructor(
    message: string,
    { mayPass = false, ...options }: ErrorOptions & { mayPass?: boolean } = {},
  ) {
    super(message, options)
    this.mayPass = mayPass
  }
}
