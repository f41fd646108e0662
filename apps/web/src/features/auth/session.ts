/** Who is signed in on this page. The key itself lives in session-key.ts; this is what is known about it. */
import { login, logout, logoutFiles, messages, verifyGoogle } from '@pkdex/contract'
import { call, isRefused } from '#web/lib/api.ts'
import { createStore } from '#web/lib/store.ts'
import { dropKey, readKey, storeKey, unparkKey } from './session-key.ts'

export type Session =
  | { status: 'checking' }
  /** A key is there, but the server gave no verdict on it: out of reach, or busy, or broken. */
  | { status: 'unverified'; error: unknown }
  | { status: 'anonymous'; message: string | null }
  | { status: 'signed-in'; key: string; email: string; name: string }

const session = createStore<Session>({ status: 'checking' })

export const useSession = session.useValue
export const readSession = session.read
export const subscribeSession = session.subscribe

/** Validates the stored key, if there is one. Called once at the start, and by the retry button. */
export async function startSession(): Promise<void> {
  unparkKey()
  if (readKey() !== null) session.set({ status: 'checking' })
  await validateSession()
}

/** Asks the server about the stored key, and claims the session for this page, without hiding the screen. */
export async function validateSession(): Promise<void> {
  const key = readKey()
  if (key === null) return session.set({ status: 'anonymous', message: null })
  try {
    const account = await call(login)
    if (readKey() === key) session.set({ status: 'signed-in', key, ...account })
  } catch (error) {
    // Another tab has signed in meanwhile: the verdict was on the key before.
    if (readKey() !== key) return validateSession()
    if (isRefused(error)) return expireSession()
    if (session.read().status === 'checking') session.set({ status: 'unverified', error })
  }
}

/** Exchanges Google's ID token for a key and claims the session. Throws what the server answered. */
export async function signIn(idToken: string): Promise<void> {
  const { api_key: key } = await call(verifyGoogle, { body: { id_token: idToken } })
  storeKey(key)
  try {
    session.set({ status: 'signed-in', key, ...(await call(login)) })
  } catch (error) {
    dropKey()
    throw error
  }
}

/** The Logout button: forgets the key at once, and has the server revoke it. */
export async function signOut(): Promise<void> {
  const key = readKey()
  leaveSession()
  if (key === null) return
  const revoke = { apiKey: key, withPageId: false, keepalive: true }
  await Promise.allSettled([call(logout, revoke), call(logoutFiles, revoke)])
}

/** Forgets the key without a call, because it is dead already. */
export function leaveSession(): void {
  dropKey()
  session.set({ status: 'anonymous', message: null })
}

/** Another tab has signed out. */
export function followSignOut(): void {
  session.set({ status: 'anonymous', message: null })
}

function expireSession(): void {
  dropKey()
  session.set({ status: 'anonymous', message: messages.sessionExpired })
}
