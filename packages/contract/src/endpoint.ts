/** The shape of one endpoint: the server implements it, the client calls it, the OpenAPI document lists it. */
import { z } from 'zod'
import type { ErrorCode } from './errors.ts'

/** `none`: public. `user`: an API key in the `API-Key` header. `admin`: a bearer token or `X-API-Key`. */
export type Auth = 'none' | 'user' | 'admin'

/** What a header does, and its pattern unless any text is accepted. */
export type DescribedHeader = string | { description: string; pattern: RegExp }

export type Endpoint<
  Body extends z.ZodType = z.ZodType,
  Answer extends z.ZodType = z.ZodType,
  Query extends z.ZodType = z.ZodType,
> = {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Path parameters as `:name`. */
  path: string
  /** Earlier paths, at which it is still served. */
  earlierPaths?: string[]
  auth: Auth
  /** For other methods than GET: the answer follows from the request alone, and nothing changes. */
  isComputed?: boolean
  /** One sentence for the API documentation. */
  summary: string
  query: Query
  /** `z.undefined()` for requests without a body; multipart requests describe their parts and are read as a stream. */
  body: Body
  multipart?: boolean
  /** Maximum body size, if lists need more room than usual. */
  bodyBytesMax?: number
  /** The body may also be a form, with any additional fields that an OAuth 2 client sends. */
  form?: boolean
  /** For endpoints whose clients send back everything they have read; elsewhere unknown fields are refused. */
  ignoresUnknownFields?: boolean
  /** Optional request headers besides the credentials, and what each does. */
  headers?: Record<string, DescribedHeader>
  /** Response headers besides those of every response, and what each contains. */
  answerHeaders?: Record<string, string>
  /** Error codes besides those common to all endpoints of this kind, for the documentation. */
  errors?: ErrorCode[]
  answer: Answer
  /** Media type of the response, if not only JSON. */
  mediaTypes?: string[]
}

/** Without `query` or `body`, an endpoint accepts none. */
export function endpoint<
  Answer extends z.ZodType,
  Body extends z.ZodType = z.ZodUndefined,
  Query extends z.ZodType = z.ZodObject<Record<never, never>>,
>(
  definition: Omit<Endpoint<Body, Answer, Query>, 'query' | 'body'> & {
    query?: Query
    body?: Body
  },
): Endpoint<Body, Answer, Query> {
  const { form = false, ignoresUnknownFields = form } = definition
  const query = definition.query ?? (z.object({}) as unknown as Query)
  const body = definition.body ?? (z.undefined() as unknown as Body)
  return {
    ...definition,
    query: refuseUnknown(query),
    body: ignoresUnknownFields ? body : refuseUnknown(body),
  }
}

/** A misspelt field would silently change what is requested and charged. */
function refuseUnknown<Shape extends z.ZodType>(shape: Shape): Shape {
  return shape instanceof z.ZodObject ? (shape.strict() as unknown as Shape) : shape
}
