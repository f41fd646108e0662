/** Requests of a user. No session is stored here: `callAs` sets the caller. */
import { API_KEY_HEADER, PAGE_ID_HEADER, SHARED_SCREEN_HEADER } from '@pkdex/contract'
import {
  API_BASE,
  ApiError,
  type Called,
  createClient,
  readRefusal,
  type Refusal,
  send,
} from './client.ts'
import { createStore } from './store.ts'

export { ApiError }

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

type UserOptions = {
  /** Used instead of the stored key. */
  apiKey?: string
  /** False: sent without the page's id (an explicit logout). */
  withPageId?: boolean
  /** Headers that the contract defines for this endpoint. */
  headers?: Record<string, string>
}

export const { call, callPage, open: openCall } = createClient<UserOptions>({ headersOf, errorOf })

/** The screen of another user that the page shows, if any: requests then read that user's data and change nothing. */
export const viewedScreen = createStore<string | null>(null)

function headersOf(
  options: UserOptions,
  { method, isComputed = false, headers: defined = {} }: Called,
): Headers {
  const headers = credentials(options)
  const viewed = viewedScreen.read()
  const isHarmless = method === 'GET' || isComputed
  const isOfOwner = Object.hasOwn(defined, SHARED_SCREEN_HEADER)
  // The server refuses what would change something of the viewer's by mistake.
  if (viewed !== null && (isOfOwner || !isHarmless)) headers.set(SHARED_SCREEN_HEADER, viewed)
  return headers
}

/** Headers that say who sends a request. */
export function credentials({ apiKey, withPageId = true, headers: own }: UserOptions): Headers {
  const headers = new Headers()
  const key = apiKey ?? caller.readKey()
  if (key !== null) headers.set(API_KEY_HEADER, key)
  const pageId = withPageId ? caller.readPageId() : null
  if (pageId !== null) headers.set(PAGE_ID_HEADER, pageId)
  for (const [name, value] of Object.entries(own ?? {})) headers.set(name, value)
  return headers
}

export function errorOf({ status, statusText, code, sentence }: Refusal): ApiError {
  return new ApiError(status, code, sentence ?? `${status} ${statusText}`.trim(), sentence)
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

/** Reads a file served by the API's origin that is not in the contract, for example a sample. */
export async function readAsset(path: string, signal: AbortSignal): Promise<Response> {
  const response = await send(`${API_BASE}${path}`, { signal })
  if (!response.ok) throw errorOf(readRefusal(response, ''))
  return response
}

/** An idempotency key, so that an order sent again is not executed again. */
export function newOrderKey(): string {
  return crypto.getRandomValues(new Uint32Array(4)).join('-')
}
