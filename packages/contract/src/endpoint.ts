/** The shape of one API call: the server implements it, the client calls it, the OpenAPI document lists it. */
import type { z } from 'zod'
import type { ErrorCode } from './errors.ts'

/** `none`: anybody. `user`: an API key in the `API-Key` header. `admin`: a bearer token or `X-API-Key`. */
export type Auth = 'none' | 'user' | 'admin'

export type Endpoint<
  Body extends z.ZodType = z.ZodType,
  Answer extends z.ZodType = z.ZodType,
  Query extends z.ZodType = z.ZodType,
> = {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Path parameters as `:name`. */
  path: string
  auth: Auth
  /** One sentence for the API documentation. */
  summary: string
  query: Query
  /** `z.undefined()` for calls without a body; multipart calls describe their parts and are read as a stream. */
  body: Body
  multipart?: boolean
  /** Largest body, where lists need more room than other calls. */
  bodyBytesMax?: number
  /** The body may come as a form, too. */
  form?: boolean
  /** Headers that a caller may send beside the credentials, and what each does. */
  headers?: Record<string, string>
  /** Headers that the answer carries beside those of every answer, and what each says. */
  answerHeaders?: Record<string, string>
  /** Codes beside those that every call of its kind can answer, for the documentation. */
  errors?: ErrorCode[]
  answer: Answer
  /** What the answer is sent as, where that is not JSON alone. */
  mediaTypes?: string[]
}

export function endpoint<
  Body extends z.ZodType,
  Answer extends z.ZodType,
  Query extends z.ZodType = z.ZodObject,
>(definition: Endpoint<Body, Answer, Query>): Endpoint<Body, Answer, Query> {
  return definition
}
