/** Requests of an administrator, with the given credentials; failures use the texts of the specification. */
import {
  ADMIN_EMAIL_HEADER,
  ADMIN_KEY_HEADER,
  type Endpoint,
  ErrorBody,
  messages,
  TOTAL_COUNT_HEADER,
} from '@pkdex/contract'
import type { z } from 'zod'
import { ApiError, parseJson, sendCall, type SendOptions } from './api.ts'

/** The headers of an administrator's request. */
export type AdminCredentials = { token: string | null; apiKey: string | null; email: string | null }

/** The credentials for requests. `onRefused` is called for each 401. */
type Caller = { readCredentials: () => AdminCredentials; onRefused: () => void }

export const noCredentials: AdminCredentials = { token: null, apiKey: null, email: null }

let caller: Caller = { readCredentials: () => noCredentials, onRefused: () => undefined }

/** Call once, before the first request. */
export function callAsAdmin(next: Caller): void {
  caller = next
}

/** A proxy's error page may be long. */
const TEXT_LENGTH_MAX = 300

type AdminOptions<Body extends z.ZodType, Query extends z.ZodType> = SendOptions<Body, Query> & {
  /** Used instead of the stored credentials; the caller handles a refusal of these. */
  credentials?: AdminCredentials
  /** Idempotency key: the server executes the request once per key. */
  orderKey?: string | undefined
}

/** `total`: number of rows in the whole list, of which the response is one page; null if the server does not say. */
type AdminPage<T> = { answer: T; total: number | null }

export async function callAdmin<
  Body extends z.ZodType,
  Answer extends z.ZodType,
  Query extends z.ZodType,
>(
  endpoint: Endpoint<Body, Answer, Query>,
  options: AdminOptions<Body, Query> = {},
): Promise<z.infer<Answer>> {
  const response = await openAdmin(endpoint, options)
  return endpoint.answer.parse(parseJson(await response.text()))
}

/** The same, with the total number of rows. */
export async function callAdminPage<
  Body extends z.ZodType,
  Answer extends z.ZodType,
  Query extends z.ZodType,
>(
  endpoint: Endpoint<Body, Answer, Query>,
  options: AdminOptions<Body, Query> = {},
): Promise<AdminPage<z.infer<Answer>>> {
  const response = await openAdmin(endpoint, options)
  const total = response.headers.get(TOTAL_COUNT_HEADER)
  return {
    answer: endpoint.answer.parse(parseJson(await response.text())),
    total: total === null ? null : Number(total),
  }
}

/** The response before its body is read, for streams. */
export async function openAdmin<Body extends z.ZodType, Query extends z.ZodType>(
  endpoint: Pick<Endpoint<Body, z.ZodType, Query>, 'method' | 'path'>,
  options: AdminOptions<Body, Query> = {},
): Promise<Response> {
  const { credentials, orderKey, ...request } = options
  const headers = adminHeaders(credentials ?? caller.readCredentials())
  if (orderKey !== undefined) headers.set('Idempotency-Key', orderKey)
  const response = await sendCall(endpoint, headers, request)
  if (response.ok) return response
  const refusal = adminRefusal(response, await response.text())
  if (response.status === 401 && credentials === undefined) caller.onRefused()
  throw refusal
}

/** The message for a failed request, whatever the cause. */
export function adminReason(error: unknown): string {
  return error instanceof ApiError
    ? error.message
    : 'Unexpected response from the server. Reload the page.'
}

function adminHeaders({ token, apiKey, email }: AdminCredentials): Headers {
  const headers = new Headers()
  if (token !== null) headers.set('Authorization', `Bearer ${token}`)
  if (apiKey !== null) headers.set(ADMIN_KEY_HEADER, apiKey)
  if (email !== null) headers.set(ADMIN_EMAIL_HEADER, email)
  return headers
}

function adminRefusal({ status, statusText }: Response, text: string): ApiError {
  const body = ErrorBody.partial().safeParse(parseJson(text))
  const detail = (body.success && (body.data.detail || body.data.message)) || null
  const code = (body.success ? body.data.code : undefined) ?? 'unknown'
  const message =
    detail === null
      ? messages.admin.apiErrorWithStatus(status, text.slice(0, TEXT_LENGTH_MAX) || statusText)
      : messages.admin.apiError(detail)
  return new ApiError(status, code, message, detail)
}
