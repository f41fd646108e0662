/**
 * The HTTP client, made once for users (api.ts) and once for administrators (admin-api.ts). Requests and responses are
 * checked against the contract, so a server that deviates causes an error here.
 */
import { type Endpoint, ErrorBody, TOTAL_COUNT_HEADER } from '@pkdex/contract'
import type { z } from 'zod'

/** The API's origin without a trailing slash, from VITE_API_BASE at build time; empty for the page's own origin. */
export const API_BASE: string = import.meta.env['VITE_API_BASE'] ?? ''

/** The server refused, or did not respond at all (`status` 0). */
export class ApiError extends Error {
  readonly status: number
  /** A code of the contract's `errorStatus`, `unreachable`, or `unknown`. */
  readonly code: string
  /** The server's message for the user, if there is one. */
  readonly serverMessage: string | null

  constructor(status: number, code: string, message: string, serverMessage: string | null = null) {
    super(message)
    this.name = 'ApiError'
    this.status = status
    this.code = code
    this.serverMessage = serverMessage
  }
}

type SendOptions<Body extends z.ZodType, Query extends z.ZodType> = {
  params?: Record<string, string>
  query?: z.input<Query>
  body?: z.input<Body>
  signal?: AbortSignal
  /** The request outlives the page. */
  keepalive?: boolean
}

/** What the server says about a refused request. */
export type Refusal = {
  status: number
  statusText: string
  text: string
  code: string
  /** A sentence for the user, if the body has one. */
  sentence: string | null
}

export type Called = Pick<Endpoint, 'method' | 'path' | 'headers' | 'isComputed'>

type ClientSettings<Own> = {
  headersOf: (own: Own, endpoint: Called) => Headers
  errorOf: (refusal: Refusal, own: Own) => ApiError
}

/** `Own`: the options of a request that decide its headers. */
export function createClient<Own extends object>({ headersOf, errorOf }: ClientSettings<Own>) {
  /** The response before its body is read, for event streams and files. */
  async function open<Body extends z.ZodType, Query extends z.ZodType>(
    endpoint: Pick<Endpoint<Body, z.ZodType, Query>, 'path' | keyof Called>,
    options: SendOptions<Body, Query> & Own = {} as Own,
  ): Promise<Response> {
    const { params, query, body, signal, keepalive = false } = options
    const { method, path } = endpoint
    const headers = headersOf(options, endpoint)
    if (body !== undefined) headers.set('Content-Type', 'application/json')
    const response = await send(urlOf(path, params, Object(query)), {
      method,
      headers,
      keepalive,
      body: body === undefined ? null : JSON.stringify(body),
      signal: signal ?? null,
    })
    if (response.ok) return response
    throw errorOf(readRefusal(response, await response.text().catch(() => '')), options)
  }

  /** One page of a list, with the number of rows of the whole list; null if the server does not say. */
  async function callPage<
    Body extends z.ZodType,
    Answer extends z.ZodType,
    Query extends z.ZodType,
  >(
    endpoint: Endpoint<Body, Answer, Query>,
    options: SendOptions<Body, Query> & Own = {} as Own,
  ): Promise<{ answer: z.infer<Answer>; total: number | null }> {
    const response = await open(endpoint, options)
    const total = response.headers.get(TOTAL_COUNT_HEADER)
    const answer = endpoint.answer.parse(parseJson(await response.text().catch(() => '')))
    return { answer, total: total === null ? null : Number(total) }
  }

  async function call<Body extends z.ZodType, Answer extends z.ZodType, Query extends z.ZodType>(
    endpoint: Endpoint<Body, Answer, Query>,
    options: SendOptions<Body, Query> & Own = {} as Own,
  ): Promise<z.infer<Answer>> {
    return (await callPage(endpoint, options)).answer
  }

  return { open, callPage, call }
}

/** Sends a request; if there is no response at all, throws an `ApiError` with status 0. */
export async function send(url: string, request: RequestInit): Promise<Response> {
  try {
    return await fetch(url, request)
  } catch (error) {
    if (request.signal?.aborted === true) throw error
    throw noAnswer()
  }
}

export function noAnswer(): ApiError {
  return new ApiError(0, 'unreachable', 'The server cannot be reached.')
}

export function urlOf(
  path: string,
  params: Record<string, string> = {},
  query: object = {},
): string {
  const filled = path.replace(/:(\w+)/g, (_, name: string) =>
    encodeURIComponent(params[name] ?? ''),
  )
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries<unknown>({ ...query })) {
    if (value !== undefined) search.set(name, `${value as string}`)
  }
  return `${API_BASE}${filled}${search.size > 0 ? `?${search}` : ''}`
}

export function readRefusal(
  { status, statusText }: { status: number; statusText: string },
  text: string,
): Refusal {
  const body = ErrorBody.partial().safeParse(parseJson(text))
  const { detail, message, code = 'unknown' } = body.success ? body.data : {}
  return { status, statusText, text, code, sentence: message || detail || null }
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
