/** Which administrator is signed in on this page, and the calls that are made in that name. */
import {
  adminLogout,
  type Endpoint,
  listUsers,
  messages,
  requestAdminKey,
  requestAdminToken,
} from '@pkdex/contract'
import { useSyncExternalStore } from 'react'
import type { z } from 'zod'
import {
  type AdminAnswer,
  type AdminOptions,
  adminReason,
  openAdmin,
  sendAdmin,
} from './admin-api.ts'
import {
  dropAdminCredentials,
  hasAdminCredentials,
  isAdminCredentialChange,
  readAdminCredentials,
  storeAdminCredentials,
} from './admin-credentials.ts'
import { ApiError, isRefused } from './api.ts'

export type AdminSession =
  | { status: 'checking' }
  /** Credentials are there, but the server gave no verdict on them: out of reach, or busy, or broken. */
  | { status: 'unverified'; error: unknown }
  | { status: 'anonymous'; message: string | null }
  | {
      status: 'signed-in'
      email: string | null
      /** Why there is no API key beside the token. */
      keyWarning: string | null
    }

let session: AdminSession = { status: 'checking' }
const listeners = new Set<() => void>()
let isWatching = false

export function useAdminSession(): AdminSession {
  return useSyncExternalStore(subscribe, readAdminSession)
}

export function readAdminSession(): AdminSession {
  return session
}

/** Restores the stored session, if there is one. Called when the admin area opens, and by the retry button. */
export async function startAdminSession(): Promise<void> {
  watchOtherTabs()
  if (hasAdminCredentials(readAdminCredentials())) setSession({ status: 'checking' })
  await validateAdminSession()
}

/** Exchanges e-mail and password for a token, then asks for a key. Without a key the token serves alone. */
export async function signInAdmin(email: string, password: string): Promise<void> {
  const nobody = { token: null, apiKey: null, email: null }
  const body = { username: email, password }
  const { answer } = await sendAdmin(requestAdminToken, { body, credentials: nobody })
  const credentials = { token: answer.access_token, apiKey: null, email }
  try {
    const { answer: minted } = await sendAdmin(requestAdminKey, { credentials })
    storeAdminCredentials({ ...credentials, apiKey: minted.api_key ?? minted.key ?? null })
    setSession({ status: 'signed-in', email, keyWarning: null })
  } catch (error) {
    storeAdminCredentials(credentials)
    setSession({ status: 'signed-in', email, keyWarning: adminReason(error) })
  }
}

/** The Logout button: forgets the credentials at once, and has the server revoke them. */
export async function signOutAdmin(): Promise<void> {
  const credentials = readAdminCredentials()
  dropAdminCredentials()
  setSession({ status: 'anonymous', message: null })
  await sendAdmin(adminLogout, { credentials, keepalive: true }).catch(() => undefined)
}

export async function callAdmin<
  Body extends z.ZodType,
  Answer extends z.ZodType,
  Query extends z.ZodType,
>(
  endpoint: Endpoint<Body, Answer, Query>,
  options: AdminOptions<Body, Query> = {},
): Promise<z.infer<Answer>> {
  return (await callAdminPage(endpoint, options)).answer
}

/** The same, with the number of all rows beside the answer. */
export async function callAdminPage<
  Body extends z.ZodType,
  Answer extends z.ZodType,
  Query extends z.ZodType,
>(
  endpoint: Endpoint<Body, Answer, Query>,
  options: AdminOptions<Body, Query> = {},
): Promise<AdminAnswer<z.infer<Answer>>> {
  return doubtOnRefusal(sendAdmin(endpoint, options))
}

/** The same for an answer that is a stream. */
export async function openAdminStream<Body extends z.ZodType, Query extends z.ZodType>(
  endpoint: Endpoint<Body, z.ZodType, Query>,
  options: AdminOptions<Body, Query> = {},
): Promise<Response> {
  return doubtOnRefusal(openAdmin(endpoint, options))
}

/** A refused call puts the session in doubt; the users list decides. */
async function doubtOnRefusal<T>(calling: Promise<T>): Promise<T> {
  try {
    return await calling
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) void validateAdminSession()
    throw error
  }
}

async function validateAdminSession(): Promise<void> {
  const credentials = readAdminCredentials()
  if (!hasAdminCredentials(credentials)) return forgetSession()
  try {
    await sendAdmin(listUsers, { query: { page: 1, page_size: 1 }, credentials })
    if (!isStill(credentials.token)) return
    if (session.status !== 'signed-in') {
      setSession({ status: 'signed-in', email: credentials.email, keyWarning: null })
    }
  } catch (error) {
    if (!isStill(credentials.token)) return
    if (isRefused(error)) return expireSession()
    if (session.status === 'checking') setSession({ status: 'unverified', error })
  }
}

/** False when somebody signed in or out while the server was asked. */
function isStill(token: string | null): boolean {
  return readAdminCredentials().token === token
}

/** Keeps a message that says why, if one stands there already. */
function forgetSession(): void {
  if (session.status !== 'anonymous') setSession({ status: 'anonymous', message: null })
}

function expireSession(): void {
  dropAdminCredentials()
  setSession({ status: 'anonymous', message: messages.admin.sessionExpired })
}

function watchOtherTabs(): void {
  if (isWatching) return
  isWatching = true
  addEventListener('storage', (event) => {
    if (isAdminCredentialChange(event)) void validateAdminSession()
  })
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function setSession(next: AdminSession): void {
  session = next
  for (const listener of listeners) listener()
}
