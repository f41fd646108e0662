/** Every failure the API can answer with, the one place where a code meets an HTTP status, and the one error body. */
import { z } from 'zod'

export const errorStatus = {
  invalid_request: 400,
  not_signed_in: 401,
  out_of_credits: 402,
  forbidden: 403,
  not_found: 404,
  conflict: 409,
  file_too_large: 413,
  wrong_file_type: 415,
  file_unreadable: 422,
  too_many_requests: 429,
  internal: 500,
  unavailable: 503,
} as const

export type ErrorCode = keyof typeof errorStatus

/** `detail` and `message` hold the same sentence, written for the person on the screen. */
export const ErrorBody = z.object({
  detail: z.string(),
  message: z.string(),
  code: z.string(),
  request_id: z.string().optional(),
})
export type ErrorBody = z.infer<typeof ErrorBody>
