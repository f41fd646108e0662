/** Every kind of caller, and the expected authentication result at a user's and at an administrator's endpoint. */
import { listUserKeys } from '@pkdex/contract'
import { runCommand } from '#server/auth/admin/console.ts'
import { openTestAdministrator, openTestSession } from './factories.ts'
import type { TestProduct } from './open-test-product.ts'

type Headers = Record<string, string>
export type Callers = Record<
  string,
  { headers: Headers; user: number | 'let in'; administrator: number | 'let in' }
>

const HOUR_MS = 3_600_000

export async function openCallers(t: TestProduct): Promise<Callers> {
  const now = t.clock.now()
  const user = await openTestSession(t.db, { now })
  const administrator = await openTestAdministrator(t.db, now)
  const admin = (method: 'GET' | 'POST' | 'PUT' | 'DELETE', url: string, payload?: object) =>
    t.app.inject({ method, url, headers: administrator.headers, ...(payload && { payload }) })
  const deactivated = await openTestSession(t.db, { now })
  const kept = (await admin('POST', `/admin/users/${deactivated.userId}/api-key`)).json()
  await admin('PUT', `/admin/users/${deactivated.userId}`, { is_active: false })
  const expired = await openTestSession(t.db, { now: new Date(now.getTime() - 1000 * HOUR_MS) })
  const loggedOut = await openTestSession(t.db, { now })
  await t.app.inject({ method: 'POST', url: '/dta/logout', headers: loggedOut.headers })
  const minted = (await admin('POST', `/admin/users/${user.userId}/api-key`)).json()
  const listed = await t.app.inject({
    url: `/admin/users/${user.userId}/api-keys`,
    headers: administrator.headers,
  })
  const { id } = listUserKeys.answer.parse(listed.json()).keys[0] ?? { id: '' }
  await admin('DELETE', `/admin/users/${user.userId}/api-keys/${id}`)
  const { api_key } = (await admin('GET', '/admin/auth/api-key')).json()
  const refused = (headers: Headers) => ({ headers, user: 401, administrator: 401 })
  const deactivatedCaller = (headers: Headers) => ({ ...refused(headers), user: 403 })
  const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
  return {
    anonymous: refused({}),
    'an empty key': refused({ 'api-key': '', authorization: 'Bearer ', 'x-api-key': '' }),
    'an invented key': refused({ 'api-key': 'pkdex_s_x', ...bearer('x'), 'x-api-key': 'x' }),
    'a user': { headers: user.headers, user: 'let in', administrator: 401 },
    'a key of a deactivated user': deactivatedCaller({ 'api-key': kept.key }),
    'the session of a deactivated user': deactivatedCaller(deactivated.headers),
    'an expired session': refused(expired.headers),
    'a revoked key': refused({ 'api-key': minted.key }),
    'a session that was logged out': refused(loggedOut.headers),
    'a user’s key as an administrator’s': refused({ 'x-api-key': user.key, ...bearer(user.key) }),
    'an administrator’s token as a user’s key': refused({ 'api-key': administrator.token }),
    'an administrator’s key as a user’s key': refused({ 'api-key': api_key }),
    'an administrator': { headers: administrator.headers, user: 401, administrator: 'let in' },
    'an administrator with another email': {
      headers: { ...administrator.headers, 'x-admin-email': 'other@lab.example' },
      user: 401,
      administrator: 403,
    },
    ...(await openFormerAdministrators(t, refused)),
  }
}

/** Administrators whose password was reset on the console, who signed out, or whose session has expired. */
async function openFormerAdministrators(
  t: TestProduct,
  refused: (headers: Headers) => Callers[string],
) {
  const now = t.clock.now()
  const changed = await openTestAdministrator(t.db, now)
  const dependencies = { db: t.db, now, makePassword: () => 'another long password' }
  await runCommand(['reset-password', changed.email], dependencies)
  const signedOut = await openTestAdministrator(t.db, now)
  const { headers } = signedOut
  await t.app.inject({ method: 'POST', url: '/admin/auth/logout', headers })
  const old = await openTestAdministrator(t.db, new Date(now.getTime() - 1000 * HOUR_MS))
  return {
    'an administrator from before a new password': refused(changed.headers),
    'an administrator who signed out': refused(headers),
    'an administrator of long ago': refused(old.headers),
  }
}
