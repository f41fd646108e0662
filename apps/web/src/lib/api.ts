/** Requests of a user. No session is stored here: `callAs` sets the caller. */
import {
  API_KEY_HEADER,
  PAGE_ID_HEADER,
  SHARED_SCREEN_HEADER,
  type UploadAnswer,
  uploadFile,
} from '@pkdex/contract'
import {
  API_BASE,
  ApiError,
  type Called,
  createClient,
  noAnswer,
  parseJson,
  readRefusal,
  type Refusal,
  send,
  urlOf,
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

function credentials({ apiKey, withPageId = true, headers: own }: UserOptions): Headers {
  const headers = new Headers()
  const key = apiKey ?? caller.readKey()
  if (key !== null) headers.set(API_KEY_HEADER, key)
  const pageId = withPageId ? caller.readPageId() : null
  if (pageId !== null) headers.set(PAGE_ID_HEADER, pageId)
  for (const [name, value] of Object.entries(own ?? {})) headers.set(name, value)
  return headers
}

function errorOf({ status, statusText, code, sentence }: Refusal): ApiError {
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

type Upload = {
  file: File
  /** The table that the file was made from, which is stored in its place. */
  original?: File | undefined
  fileType: UploadAnswer['file_type']
  onProgress: (fraction: number) => void
  signal: AbortSignal
}

/** Uploads one file. An XMLHttpRequest, because fetch does not report upload progress. */
export function upload({
  file,
  original,
  fileType,
  onProgress,
  signal,
}: Upload): Promise<UploadAnswer> {
  const form = new FormData()
  form.append('file_type', fileType)
  form.append('file', file)
  if (original) form.append('original', original)
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open(uploadFile.method, urlOf(uploadFile.path))
    credentials({}).forEach((value, name) => request.setRequestHeader(name, value))
    request.upload.addEventListener('progress', (event) => onProgress(event.loaded / event.total))
    request.addEventListener('load', () => {
      const text = request.responseText
      if (request.status >= 400) reject(errorOf(readRefusal(request, text)))
      else settle(() => uploadFile.answer.parse(parseJson(text)), resolve, reject)
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
  if (!response.ok) throw errorOf(readRefusal(response, ''))
  return response
}

/** An idempotency key, so that an order sent again is not executed again. */
export function newOrderKey(): string {
  return crypto.getRandomValues(new Uint32Array(4)).join('-')
}

function settle<T>(read: () => T, resolve: (value: T) => void, reject: (error: unknown) => void) {
  try {
    resolve(read())
  } catch (error) {
    reject(error)
  }
}
