/** Calls of an administrator, as whoever is named to it; failures worded as the specification words them. */
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

/** What an administrator's calls bring. */
export type AdminCredentials = { token: string | null; apiKey: string | null; email: string | null }

/** In whose name calls are made. `onRefused` hears of each call that was answered 401. */
type Caller = { readCredentials: () => AdminCredentials; onRefused: () => void }

export const noCredentials: AdminCredentials = { token: null, apiKey: null, email: null }

let caller: Caller = { readCredentials: () => noCredentials, onRefused: () => undefined }

/** Call once, before the first call. */
export function callAsAdmin(next: Caller): void {
  caller = next
}

/** A proxy's error page may be long. */
const TEXT_LENGTH_MAX = 300

type AdminOptions<Body extends z.ZodType, Query extends z.ZodType> = SendOptions<Body, Query> & {
  /** Instead of the caller's own; a refusal of these is the business of whoever passes them. */
  credentials?: AdminCredentials
  /** Under one key the server does what is asked for once. */
  orderKey?: string | undefined
}

/** `total` is the number of rows of which the answer is one page; null where the server does not tell. */
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

/** The same, with the number of all rows beside the answer. */
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

/** The granted answer before its body is read, for answers that are streams. */
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

/** The sentence for a failed call, whatever it failed of. */
export function adminReason(error: unknown): string {
  return error instanceof ApiError
    ? error.message
    : 'The server answered in a form that this page does not know.'
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
