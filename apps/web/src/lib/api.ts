/**
 * The HTTP client, which admin-api.ts extends. It stores no session: `callAs` sets the caller.
 * Requests and responses are checked against the contract, so a server that deviates causes an
 * error here.
 */
import {
  API_KEY_HEADER,
  type Endpoint,
  ErrorBody,
  PAGE_ID_HEADER,
  TOTAL_COUNT_HEADER,
  type UploadAnswer,
  uploadFile,
} from '@pkdex/contract'
import type { z } from 'zod'

/** The API's origin without a trailing slash, from VITE_API_BASE at build time; empty for the page's own origin. */
const API_BASE: string = import.meta.env['VITE_API_BASE'] ?? ''

/** Who sends requests: the session key, and the page's id. */
type Caller = { readKey: () => string | null; readPageId: () => string | null }

let caller: Caller = { readKey: () => null, readPageId: () => null }

/** Call once, before the first request. */
export function callAs(next: Caller): void {
  caller = next
}

/** Whether requests carry a key. */
export function hasKey(): boolean {
  return caller.readKey() !== null
}

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

/** The message for a failed request: the server's, else the given one. */
export function messageOf(error: unknown, otherwise: string): string {
  return (error instanceof ApiError ? error.serverMessage : null) ?? otherwise
}

/** The server's message, else the error's own. */
export function reasonOf(error: Error): string {
  return messageOf(error, error.message)
}

/** Why something could not be loaded. */
export function loadingReason(error: Error): string {
  const unknown = 'Unexpected response from the server.'
  return messageOf(error, isOutOfReach(error) ? error.message : unknown)
}

/** The key is missing or invalid, or its user has no access: 401 and 403. */
export function isRefused(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 401 || error.status === 403)
}

/** The server did not respond, which is neither a refusal nor a server error. */
export function isOutOfReach(error: unknown): boolean {
  return error instanceof ApiError && error.status === 0
}

/** Options of any request, for users and administrators. */
export type SendOptions<Body extends z.ZodType, Query extends z.ZodType> = {
  params?: Record<string, string>
  query?: z.input<Query>
  body?: z.input<Body>
  signal?: AbortSignal
  /** The request outlives the page. */
  keepalive?: boolean
}

type CallOptions<Body extends z.ZodType, Query extends z.ZodType> = SendOptions<Body, Query> & {
  /** Used instead of the stored key. */
  apiKey?: string
  /** False: sent without the page's id (an explicit logout). */
  withPageId?: boolean
  /** Headers that the contract defines for this endpoint. */
  headers?: Record<string, string>
}

export async function call<
  Body extends z.ZodType,
  Answer extends z.ZodType,
  Query extends z.ZodType,
>(
  endpoint: Endpoint<Body, Answer, Query>,
  options: CallOptions<Body, Query> = {},
): Promise<z.infer<Answer>> {
  return (await callPage(endpoint, options)).answer
}

/** The same for a paged list, with the total number of rows. */
export async function callPage<
  Body extends z.ZodType,
  Answer extends z.ZodType,
  Query extends z.ZodType,
>(
  endpoint: Endpoint<Body, Answer, Query>,
  options: CallOptions<Body, Query> = {},
): Promise<{ answer: z.infer<Answer>; total: number | null }> {
  const response = await openCall(endpoint, options)
  const total = response.headers.get(TOTAL_COUNT_HEADER)
  const answer = endpoint.answer.parse(await response.json().catch(() => null))
  return { answer, total: total === null ? null : Number(total) }
}

/** The response before its body is read, for event streams and files. */
export async function openCall<Body extends z.ZodType, Query extends z.ZodType>(
  endpoint: Pick<Endpoint<Body, z.ZodType, Query>, 'method' | 'path'>,
  options: CallOptions<Body, Query> = {},
): Promise<Response> {
  const headers = credentials(options.apiKey ?? caller.readKey(), options.withPageId ?? true)
  for (const [name, value] of Object.entries(options.headers ?? {})) headers.set(name, value)
  const response = await sendCall(endpoint, headers, options)
  if (response.ok) return response
  const json: unknown = await response.json().catch(() => null)
  throw refusal(response.status, response.statusText, json)
}

/** Sends a request with these headers; returns the response, whatever its status. */
export function sendCall<Body extends z.ZodType, Query extends z.ZodType>(
  { method, path }: Pick<Endpoint<Body, z.ZodType, Query>, 'method' | 'path'>,
  headers: Headers,
  { params, query, body, signal, keepalive = false }: SendOptions<Body, Query>,
): Promise<Response> {
  if (body !== undefined) headers.set('Content-Type', 'application/json')
  return send(urlOf(path, params, Object(query)), {
    method,
    headers,
    keepalive,
    body: body === undefined ? null : JSON.stringify(body),
    signal: signal ?? null,
  })
}

type Upload = {
  file: File
  fileType: UploadAnswer['file_type']
  onProgress: (fraction: number) => void
  signal: AbortSignal
}

/** Uploads one file. An XMLHttpRequest, because fetch does not report upload progress. */
export function upload({ file, fileType, onProgress, signal }: Upload): Promise<UploadAnswer> {
  const form = new FormData()
  form.append('file_type', fileType)
  form.append('file', file)
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open(uploadFile.method, urlOf(uploadFile.path))
    credentials(caller.readKey(), true).forEach((value, name) =>
      request.setRequestHeader(name, value),
    )
    request.upload.addEventListener('progress', (event) => onProgress(event.loaded / event.total))
    request.addEventListener('load', () => {
      const json = parseJson(request.responseText)
      if (request.status >= 400) reject(refusal(request.status, request.statusText, json))
      else settle(() => uploadFile.answer.parse(json), resolve, reject)
    })
    request.addEventListener('error', () => reject(noAnswer()))
    request.addEventListener('abort', () => reject(signal.reason))
    signal.addEventListener('abort', () => request.abort())
    request.send(form)
  })
}

/** Reads a file served by the API's origin that is not in the contract, for example a sample. */
export async function readAsset(path: string, signal: AbortSignal): Promise<Response> {
  const response = await send(`${API_BASE}${path}`, { signal })
  if (!response.ok) throw refusal(response.status, response.statusText, null)
  return response
}

function credentials(key: string | null, withPageId: boolean): Headers {
  const headers = new Headers()
  if (key !== null) headers.set(API_KEY_HEADER, key)
  const pageId = withPageId ? caller.readPageId() : null
  if (pageId !== null) headers.set(PAGE_ID_HEADER, pageId)
  return headers
}

function urlOf(path: string, params: Record<string, string> = {}, query: object = {}): string {
  const filled = path.replace(/:(\w+)/g, (_, name: string) =>
    encodeURIComponent(params[name] ?? ''),
  )
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries<unknown>({ ...query })) {
    if (value !== undefined) search.set(name, `${value as string}`)
  }
  return `${API_BASE}${filled}${search.size > 0 ? `?${search}` : ''}`
}

/** If there is no response at all, throws an `ApiError` with status 0. */
async function send(url: string, request: RequestInit): Promise<Response> {
  try {
    return await fetch(url, request)
  } catch (error) {
    if (request.signal?.aborted === true) throw error
    throw noAnswer()
  }
}

function refusal(status: number, statusText: string, json: unknown): ApiError {
  const body = ErrorBody.partial().safeParse(json)
  const sentence = body.success ? body.data.message || body.data.detail || null : null
  const code = (body.success ? body.data.code : undefined) ?? 'unknown'
  return new ApiError(status, code, sentence ?? `${status} ${statusText}`.trim(), sentence)
}

function noAnswer(): ApiError {
  return new ApiError(0, 'unreachable', 'The server cannot be reached.')
}

/** An idempotency key, so that an order sent again is not executed again. */
export function newOrderKey(): string {
  return crypto.getRandomValues(new Uint32Array(4)).join('-')
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

function settle<T>(read: () => T, resolve: (value: T) => void, reject: (error: unknown) => void) {
  try {
    resolve(read())
  } catch (error) {
    reject(error)
  }
}
