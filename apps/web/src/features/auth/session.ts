/** The signed-in user of this page. The key itself is in session-key.ts. */
import { login, logout, logoutFiles, messages, verifyGoogle } from '@pkdex/contract'
import { ApiError, call, isRefused, messageOf } from '#web/lib/api.ts'
import { createStore } from '#web/lib/store.ts'
import { dropKey, readKey, storeKey, unparkKey } from './session-key.ts'

export type Session =
  | { status: 'checking' }
  /** A key exists, but the server neither confirmed nor refused it: unreachable, busy, or failing. */
  | { status: 'unverified'; error: unknown }
  | { status: 'anonymous'; message: string | null }
  | { status: 'signed-in'; key: string; email: string; name: string }

const session = createStore<Session>({ status: 'checking' })

export const useSession = session.useValue
export const readSession = session.read
export const subscribeSession = session.subscribe

/** Validates the stored key, if there is one. Called at start, and by the retry button. */
export async function startSession(): Promise<void> {
  unparkKey()
  if (readKey() !== null) session.set({ status: 'checking' })
  await validateSession()
}

/** Validates the stored key and claims the session for this page, without hiding the screen. */
export async function validateSession(): Promise<void> {
  const key = readKey()
  if (key === null) return leave(null)
  try {
    const account = await call(login)
    if (readKey() === key) session.set({ status: 'signed-in', key, ...account })
  } catch (error) {
    // Another tab has signed in meanwhile: this response is about the previous key.
    if (readKey() !== key) return validateSession()
    if (isRefused(error)) return expireSession(messageOfRefusal(error))
    if (session.read().status === 'checking') session.set({ status: 'unverified', error })
  }
}

/** Exchanges Google's ID token for a key and claims the session. Throws the server's error. */
export async function signIn(idToken: string): Promise<void> {
  const invitation = readInvitation()
  const body = { id_token: idToken, ...(invitation !== null && { invitation }) }
  await startWithKey((await call(verifyGoogle, { body })).api_key, null)
}

/** Where this browser signed in, if not with Google: sign-out is offered there, too. */
const PROVIDER = 'sign-in.provider'
/** Once signed out, only this page remembers it. */
let signedOutOf: string | null = null

/** What sign-out at the provider needs, as JSON; null if there is none. */
export function readSignedOutOf(): string | null {
  return signedOutOf
}

function forgetProvider(): void {
  signedOutOf = localStorage.getItem(PROVIDER) ?? signedOutOf
  localStorage.removeItem(PROVIDER)
}

/** Stores a new key and claims its session. `elsewhere`: what sign-out at another provider needs, as JSON. */
export async function startWithKey(key: string, elsewhere: string | null): Promise<void> {
  forgetProvider()
  signedOutOf = null
  if (elsewhere !== null) localStorage.setItem(PROVIDER, elsewhere)
  storeKey(key)
  try {
    session.set({ status: 'signed-in', key, ...(await call(login)) })
  } catch (error) {
    dropKey()
    throw error
  }
}

/** The page requested before the sign-in, on this origin. */
export function readWanted(state: unknown): string | null {
  const { wanted }: { wanted?: unknown } = Object(state)
  return typeof wanted === 'string' && /^\/[^/\\]/.test(wanted) ? wanted : null
}

/** The code of an invitation link. It is after the #, so that no log and no other site sees it. */
export function readInvitation(): string | null {
  return new URLSearchParams(location.hash.slice(1)).get('invitation')
}

/** The Logout button: deletes the key immediately and has the server revoke it. */
export async function signOut(): Promise<void> {
  const key = readKey()
  leaveSession()
  if (key === null) return
  const revoke = { apiKey: key, withPageId: false, keepalive: true }
  await Promise.allSettled([call(logout, revoke), call(logoutFiles, revoke)])
}

/** Deletes the key without a request, because it is no longer valid. */
export function leaveSession(): void {
  dropKey()
  leave(null)
}

/** Another tab has signed out. */
export function followSignOut(): void {
  leave(null)
}

function expireSession(message: string): void {
  dropKey()
  leave(message)
}

function leave(message: string | null): void {
  forgetProvider()
  session.set({ status: 'anonymous', message })
}

/** A deactivated user must be told why; any other key is simply invalid. */
function messageOfRefusal(error: unknown): string {
  const isKnown = error instanceof ApiError && error.status === 403
  return isKnown ? messageOf(error, messages.sessionExpired) : messages.sessionExpired
}
