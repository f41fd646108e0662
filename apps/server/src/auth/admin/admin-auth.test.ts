import { adminLogout, ErrorBody, requestAdminKey, requestAdminToken } from '@pkdex/contract'
import { afterAll, expect, test } from 'vitest'
import { bucketsOf, noteFailure } from '#server/auth/failed-sign-ins.ts'
import { openTestAdministrator, openTestSession, TEST_PASSWORD } from '#test/factories.ts'
import { findAdministrator } from '#server/auth/administrator.ts'
import { openTestApp } from '#test/open-test-app.ts'
import { resetPassword, SERVER } from './administrators.ts'
import { KEY_SECONDS, TOKEN_SECONDS } from './credentials.ts'
import { adminAuthRoutes } from './routes.ts'
import * as service from './service.ts'

const t = await openTestApp({
  features: ({ db, clock }) => [adminAuthRoutes({ db, now: clock.now })],
})
afterAll(() => t.close())

let addresses = 0
/** Each test uses its own IP address, so that failures of one do not count for another. */
const nextAddress = () => `10.0.${Math.floor(addresses / 250)}.${(addresses++ % 250) + 1}`

const signIn = (username: string, password: string, remoteAddress = nextAddress()) =>
  t.app.inject({
    method: 'POST',
    url: requestAdminToken.path,
    payload: { username, password },
    remoteAddress,
  })

const askForKey = (headers: Record<string, string>) =>
  t.app.inject({ method: 'GET', url: requestAdminKey.path, headers })

const logout = (headers: Record<string, string>) =>
  t.app.inject({ method: 'POST', url: adminLogout.path, headers })

test('SPEC 7.13: the token endpoint takes username and password and returns access_token', async () => {
  const { email } = await openTestAdministrator(t.db, t.clock.now())
  const answer = await signIn(email.toUpperCase(), TEST_PASSWORD)
  const token = requestAdminToken.answer.parse(answer.json())
  expect(token).toMatchObject({ token_type: 'bearer', expires_in: TOKEN_SECONDS })
  expect(answer.headers['cache-control']).toBe('no-store')
  const key = await askForKey({ authorization: `bearer ${token.access_token}` })
  expect(key.statusCode).toBe(200)
})

test('SPEC 7.13: the token endpoint also accepts a form', async () => {
  const { email, headers } = await openTestAdministrator(t.db, t.clock.now())
  const form = 'application/x-www-form-urlencoded; charset=utf-8'
  const post = (url: string, payload: string) =>
    t.app.inject({
      method: 'POST',
      url,
      payload,
      headers: { ...headers, 'content-type': form },
      remoteAddress: nextAddress(),
    })
  const good = new URLSearchParams({ grant_type: 'password', username: email })
  good.set('password', TEST_PASSWORD)
  const answer = await post(requestAdminToken.path, good.toString())
  expect(requestAdminToken.answer.safeParse(answer.json()).success).toBe(true)
  expect((await post(requestAdminToken.path, 'username=a%00b&password=x')).statusCode).toBe(400)
})

test.each([
  ['no body', undefined],
  ['no password', { username: 'a@example.org' }],
  ['an empty password', { username: 'a@example.org', password: '' }],
  ['no username', { password: 'x' }],
  ['a number', { username: 'a@example.org', password: 1 }],
])('SPEC 5.6: signing in with %s returns 400', async (_, payload) => {
  const url = requestAdminToken.path
  const answer = await t.app.inject({ method: 'POST', url, ...(payload ? { payload } : {}) })
  expect([answer.statusCode, ErrorBody.parse(answer.json()).code]).toEqual([400, 'invalid_request'])
})

test('SPEC 8.14: an unknown account and a wrong password return the same response after the same work', async () => {
  const { email } = await openTestAdministrator(t.db, t.clock.now())
  // CPU time: wall time would include other processes.
  const work: Record<string, number[]> = { known: [], unknown: [] }
  for (let round = 0; round < 5; round++) {
    for (const [kind, username] of [
      ['known', email],
      ['unknown', `nobody-${round}@lab.example`],
    ] as const) {
      const started = process.cpuUsage()
      const answer = await signIn(username, 'wrong')
      const { user, system } = process.cpuUsage(started)
      work[kind]?.push(user + system)
      expect(answer.statusCode).toBe(401)
      expect(answer.json()).toEqual({
        detail: 'Login failed. Please check your credentials.',
        message: 'Login failed. Please check your credentials.',
        code: 'not_signed_in',
      })
    }
  }
  const least = (kind: string) => Math.min(...(work[kind] ?? []))
  // Without hashing for unknown accounts, these would be refused ten times faster.
  expect(least('unknown')).toBeGreaterThan(least('known') / 3)
})

test('SPEC 13.7: password guessing is rate-limited, also for parallel guesses and for the right password', async () => {
  const { email } = await openTestAdministrator(t.db, t.clock.now())
  const guesses = await Promise.all(Array.from({ length: 14 }, () => signIn(email, 'guess')))
  const refused = guesses.filter(({ statusCode }) => statusCode === 429)
  expect(refused).toHaveLength(4)
  expect(Number(refused[0]?.headers['retry-after'])).toBeGreaterThan(0)
  expect((await signIn(email, TEST_PASSWORD)).statusCode).toBe(429)
  t.clock.advance(16 * 60_000)
  expect((await signIn(email, TEST_PASSWORD)).statusCode).toBe(200)
})

test('SPEC 13.7: failed sign-ins of users do not rate-limit administrators, whatever their tokens claim', async () => {
  const { email } = await openTestAdministrator(t.db, t.clock.now())
  const now = t.clock.now()
  for (const claimed of [email, `administrator ${email}`]) {
    const buckets = bucketsOf('user', claimed, '10.9.0.1')
    for (let failure = 0; failure < 40; failure++) await noteFailure(t.db, buckets, now)
  }
  expect((await signIn(email, TEST_PASSWORD, '10.9.0.1')).statusCode).toBe(200)
})

test('SPEC 13.8: an unknown account is rate-limited in the same way', async () => {
  const guess = () => signIn('made-up@lab.example', 'guess')
  const statuses = []
  for (let round = 0; round < 11; round++) statuses.push((await guess()).statusCode)
  expect(statuses).toEqual([...Array<number>(10).fill(401), 429])
})

test('SPEC 13.7: one IP address cannot try many accounts', async () => {
  const remoteAddress = nextAddress()
  const statuses = []
  for (let round = 0; round < 31; round++) {
    statuses.push((await signIn(`name-${round}@lab.example`, 'x', remoteAddress)).statusCode)
  }
  expect([statuses.filter((status) => status === 401).length, statuses.at(-1)]).toEqual([30, 429])
})

test('repeated successful sign-ins are not counted as failures', async () => {
  const { email } = await openTestAdministrator(t.db, t.clock.now())
  for (let round = 0; round < 12; round++) {
    expect((await signIn(email, TEST_PASSWORD)).statusCode).toBe(200)
  }
})

test('SPEC 7.14: GET /admin/auth/api-key returns a new key on each request', async () => {
  const { headers } = await openTestAdministrator(t.db, t.clock.now())
  const first = requestAdminKey.answer.parse((await askForKey(headers)).json())
  const second = requestAdminKey.answer.parse((await askForKey(headers)).json())
  expect(first.expires_in).toBe(KEY_SECONDS)
  expect(first.api_key).not.toBe(second.api_key)
  for (const { api_key } of [first, second]) {
    expect((await askForKey({ 'x-api-key': api_key ?? '' })).statusCode).toBe(200)
  }
})

test('SPEC 13.10: a key expires after an hour or with its session, a token after eight hours', async () => {
  const { headers } = await openTestAdministrator(t.db, t.clock.now())
  const keyOf = async (by: Record<string, string>) => ({
    'x-api-key': String((await askForKey(by)).json().api_key),
  })
  const early = await keyOf(headers)
  t.clock.advance(KEY_SECONDS * 1000)
  expect((await askForKey(early)).statusCode).toBe(401)
  t.clock.advance((TOKEN_SECONDS - KEY_SECONDS - 60) * 1000)
  // Created by a key that was created by a key: none outlives the sign-in.
  const late = await keyOf(await keyOf(headers))
  expect((await askForKey(late)).statusCode).toBe(200)
  t.clock.advance(60_000)
  expect((await askForKey(late)).statusCode).toBe(401)
  expect((await askForKey(headers)).statusCode).toBe(401)
})

test('SPEC 4.17: logging out ends the token and its keys immediately, and no other session', async () => {
  const { headers, email } = await openTestAdministrator(t.db, t.clock.now())
  const other = requestAdminToken.answer.parse((await signIn(email, TEST_PASSWORD)).json())
  const key = { 'x-api-key': String((await askForKey(headers)).json().api_key) }
  expect((await logout(key)).statusCode).toBe(200)
  expect((await askForKey(headers)).statusCode).toBe(401)
  expect((await askForKey(key)).statusCode).toBe(401)
  expect((await askForKey({ authorization: `Bearer ${other.access_token}` })).statusCode).toBe(200)
})

test('a key requested while its session ends is not created', async () => {
  const { token } = await openTestAdministrator(t.db, t.clock.now())
  const now = t.clock.now()
  const owner = await findAdministrator(t.db, { token, key: undefined, email: undefined }, now)
  await service.signOut(t.db, owner, now)
  await expect(service.makeKey(t.db, owner, now)).rejects.toThrow('Admin session expired.')
})

test('keys requested during sign-out are revoked', async () => {
  const { headers, id } = await openTestAdministrator(t.db, t.clock.now())
  const asked = Array.from({ length: 5 }, () => askForKey(headers))
  await Promise.all([...asked, logout(headers)])
  const left = t.db.selectFrom('administrator_keys').where('administrator_id', '=', id)
  expect(await left.select('id').execute()).toEqual([])
})

test('a sign-in with a password that is being replaced fails', async () => {
  const now = t.clock.now()
  for (let round = 0; round < 3; round++) {
    const { email } = await openTestAdministrator(t.db, now)
    const password = 'another long enough password'
    const reset = resetPassword(t.db, { actor: SERVER, email, password, now })
    const answer = await signIn(email, TEST_PASSWORD)
    await reset
    const { access_token = 'none' } = answer.json()
    expect((await askForKey({ authorization: `Bearer ${access_token}` })).statusCode).toBe(401)
    expect((await signIn(email, password)).statusCode).toBe(200)
  }
})

test('SPEC 6.4: an invalid administrator credential returns 401 with a message', async () => {
  const { token, headers, email } = await openTestAdministrator(t.db, t.clock.now())
  const key = String((await askForKey(headers)).json().api_key)
  const user = await openTestSession(t.db, { now: t.clock.now() })
  const dead = 'Admin session expired. Please login again.'
  const wrong: [Record<string, string>, string][] = [
    [{}, 'Authentication required'],
    [{ 'x-admin-email': email }, 'Authentication required'],
    [{ authorization: 'Bearer ' }, 'Authentication required'],
    [{ authorization: `Basic ${token}` }, 'Authentication required'],
    [{ authorization: 'Bearer pkdex_t_made-up' }, dead],
    [{ authorization: `Bearer ${token}x` }, dead],
    [{ authorization: `Bearer ${key}` }, dead],
    [{ 'x-api-key': token }, dead],
    [{ 'x-api-key': 'made-up' }, dead],
    [{ 'x-api-key': user.key }, dead],
    [{ authorization: `Bearer ${user.key}` }, dead],
  ]
  for (const [given, message] of wrong) {
    const answer = await askForKey(given)
    expect([answer.statusCode, answer.json()]).toEqual([
      401,
      { detail: message, message, code: 'not_signed_in' },
    ])
  }
})

test('SPEC 7.12: X-Admin-Email, if sent, must match the owner', async () => {
  const mine = await openTestAdministrator(t.db, t.clock.now())
  const other = await openTestAdministrator(t.db, t.clock.now())
  const as = (email: string) => askForKey({ ...mine.headers, 'x-admin-email': email })
  expect((await as(mine.email.toUpperCase())).statusCode).toBe(200)
  const answer = await as(other.email)
  expect([answer.statusCode, ErrorBody.parse(answer.json()).code]).toEqual([403, 'forbidden'])
})

test('SPEC 7.12: beside a key of another administrator, the token identifies the caller', async () => {
  const [own, other] = [
    await openTestAdministrator(t.db, t.clock.now()),
    await openTestAdministrator(t.db, t.clock.now()),
  ]
  const key = String((await askForKey(own.headers)).json().api_key)
  const as = (email: string) =>
    askForKey({ ...other.headers, 'x-api-key': key, 'x-admin-email': email })
  expect((await as(other.email)).statusCode).toBe(200)
  expect((await as(own.email)).statusCode).toBe(403)
})

test('SPEC 7.12: a valid key is enough beside an expired token', async () => {
  const { headers } = await openTestAdministrator(t.db, t.clock.now())
  const key = String((await askForKey(headers)).json().api_key)
  const both = { authorization: 'Bearer dead', 'x-api-key': key }
  expect((await askForKey(both)).statusCode).toBe(200)
})

test('SPEC 17.4: the database contains neither tokens nor keys nor passwords in plain text', async () => {
  const { email } = await openTestAdministrator(t.db, t.clock.now())
  const { access_token } = (await signIn(email, TEST_PASSWORD)).json()
  const key = (await askForKey({ authorization: `Bearer ${access_token}` })).json().api_key
  const kept = JSON.stringify([
    await t.db.selectFrom('administrators').selectAll().execute(),
    await t.db.selectFrom('administrator_keys').selectAll().execute(),
    await t.db.selectFrom('audit_log').selectAll().execute(),
  ])
  for (const secret of [access_token, key, TEST_PASSWORD]) expect(kept).not.toContain(secret)
})
