/** The signed-in administrator of this page. The credentials themselves are in admin-credentials.ts. */
import {
  adminLogout,
  listUsers,
  messages,
  requestAdminKey,
  requestAdminToken,
} from '@pkdex/contract'
import { adminReason, callAdmin, callAsAdmin, noCredentials } from '#web/lib/admin-api.ts'
import { isRefused } from '#web/lib/api.ts'
import { createStore } from '#web/lib/store.ts'
import {
  dropAdminCredentials,
  hasAdminCredentials,
  isAdminCredentialChange,
  readAdminCredentials,
  storeAdminCredentials,
} from './admin-credentials.ts'

type AdminSession =
  | { status: 'checking' }
  /** Credentials exist, but the server neither confirmed nor refused them: unreachable, busy, or failing. */
  | { status: 'unverified'; error: unknown }
  | { status: 'anonymous'; message: string | null }
  | {
      status: 'signed-in'
      email: string | null
      /** Why there is no API key, only a token. */
      keyWarning: string | null
    }

const session = createStore<AdminSession>({ status: 'checking' })

export const useAdminSession = session.useValue
export const readAdminSession = session.read

let isStarted = false

/** Restores the stored session, if there is one. Called when the admin area opens, and by the retry button. */
export async function startAdminSession(): Promise<void> {
  startOnce()
  if (hasAdminCredentials(readAdminCredentials())) session.set({ status: 'checking' })
  await validateAdminSession()
}

/** Exchanges email and password for a token, then requests a key. Without a key the token is used alone. */
export async function signInAdmin(email: string, password: string): Promise<void> {
  const body = { username: email, password }
  const { access_token: token } = await callAdmin(requestAdminToken, {
    body,
    credentials: noCredentials,
  })
  const credentials = { token, apiKey: null, email }
  try {
    const minted = await callAdmin(requestAdminKey, { credentials })
    storeAdminCredentials({ ...credentials, apiKey: minted.api_key ?? minted.key ?? null })
    session.set({ status: 'signed-in', email, keyWarning: null })
  } catch (error) {
    storeAdminCredentials(credentials)
    session.set({ status: 'signed-in', email, keyWarning: adminReason(error) })
  }
}

/** The Logout button: clears the credentials immediately and has the server revoke them. */
export async function signOutAdmin(): Promise<void> {
  const credentials = readAdminCredentials()
  dropAdminCredentials()
  session.set({ status: 'anonymous', message: null })
  await callAdmin(adminLogout, { credentials, keepalive: true }).catch(() => undefined)
}

async function validateAdminSession(): Promise<void> {
  const credentials = readAdminCredentials()
  if (!hasAdminCredentials(credentials)) return forgetSession()
  try {
    await callAdmin(listUsers, { query: { page: 1, page_size: 1 }, credentials })
    if (!isStill(credentials.token)) return
    if (session.read().status !== 'signed-in') {
      session.set({ status: 'signed-in', email: credentials.email, keyWarning: null })
    }
  } catch (error) {
    if (!isStill(credentials.token)) return
    if (isRefused(error)) return expireSession()
    if (session.read().status === 'checking') session.set({ status: 'unverified', error })
  }
}

/** False if another sign-in or sign-out happened during the request. */
function isStill(token: string | null): boolean {
  return readAdminCredentials().token === token
}

/** Keeps an existing, more specific message. */
function forgetSession(): void {
  if (session.read().status !== 'anonymous') session.set({ status: 'anonymous', message: null })
}

function expireSession(): void {
  dropAdminCredentials()
  session.set({ status: 'anonymous', message: messages.admin.sessionExpired })
}

/** From now on requests use this session, and changes in other tabs count here as well. */
function startOnce(): void {
  if (isStarted) return
  isStarted = true
  // A refused request puts the session in doubt; the user list decides.
  const validate = () => void validateAdminSession()
  callAsAdmin({ readCredentials: readAdminCredentials, onRefused: validate })
  addEventListener('storage', (event) => {
    if (isAdminCredentialChange(event)) validate()
  })
}
