/** Requests of an administrator, with the given credentials; failures use the texts of the specification. */
import { ADMIN_EMAIL_HEADER, ADMIN_KEY_HEADER, messages } from '@pkdex/contract'
import { ApiError, createClient } from './client.ts'

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

type AdminOptions = {
  /** Used instead of the stored credentials; the caller handles a refusal of these. */
  credentials?: AdminCredentials
  /** Idempotency key: the server executes the request once per key. */
  orderKey?: string | undefined
}

export const {
  call: callAdmin,
  callPage: callAdminPage,
  open: openAdmin,
} = createClient<AdminOptions>({
  headersOf: ({ credentials, orderKey }) => {
    const headers = new Headers()
    const { token, apiKey, email } = credentials ?? caller.readCredentials()
    if (token !== null) headers.set('Authorization', `Bearer ${token}`)
    if (apiKey !== null) headers.set(ADMIN_KEY_HEADER, apiKey)
    if (email !== null) headers.set(ADMIN_EMAIL_HEADER, email)
    if (orderKey !== undefined) headers.set('Idempotency-Key', orderKey)
    return headers
  },
  errorOf: ({ status, statusText, text, code, sentence }, { credentials }) => {
    if (status === 401 && credentials === undefined) caller.onRefused()
    const message =
      sentence === null
        ? messages.admin.apiErrorWithStatus(status, text.slice(0, TEXT_LENGTH_MAX) || statusText)
        : messages.admin.apiError(sentence)
    return new ApiError(status, code, message, sentence)
  },
})

/** The message for a failed request, whatever the cause. */
export function adminReason(error: unknown): string {
  return error instanceof ApiError
    ? error.message
    : 'Unexpected response from the server. Reload the page.'
}
