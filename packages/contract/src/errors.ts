/** Every error code of the API, its HTTP status, and the standard error body. */
import { z } from 'zod'

export const errorStatus = {
  invalid_request: 400,
  not_signed_in: 401,
  out_of_credits: 402,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  conflict: 409,
  file_too_large: 413,
  wrong_file_type: 415,
  file_unreadable: 422,
  too_many_requests: 429,
  internal: 500,
  unavailable: 503,
} as const

export type ErrorCode = keyof typeof errorStatus

/** `detail` and `message` contain the same sentence, written for the user. */
export const ErrorBody = z.object({
  detail: z.string(),
  message: z.string(),
  code: z.string(),
  request_id: z.string().optional(),
})
export type ErrorBody = z.infer<typeof ErrorBody>
