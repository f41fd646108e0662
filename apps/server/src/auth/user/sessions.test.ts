import { afterAll, beforeAll, expect, test } from 'vitest'
import { inTransaction } from '#server/platform/db/transaction.ts'
import { SESSION_IDLE_MS } from '#server/auth/caller.ts'
import { mintKey, SESSION_MS_MAX } from '#server/auth/keys.ts'
import { openTestAuth, type TestAuth } from './open-test-auth.ts'
import { openTestSession } from '#server/auth/open-test-session.ts'

const GRACE_MS = 30_000
let t: TestAuth
beforeAll(async () => {
  t = await openTestAuth()
})
afterAll(() => t.close())

async function signedIn(): Promise<string> {
  return (await openTestSession(t.db, { now: t.clock.now() })).key
}

async function post(path: string, key: string, pageId?: string): Promise<number> {
  const headers = { 'api-key': key, ...(pageId === undefined ? {} : { 'x-page-id': pageId }) }
  return (await t.app.inject({ method: 'POST', url: path, headers })).statusCode
}
const login = (key: string, pageId?: string) => post('/dta/login', key, pageId)
const logout = (key: string, pageId?: string) => post('/dta/logout', key, pageId)

test.each(['/dta/logout', '/file_manager/logout'])(
  'SPEC 13.1: %s without a page id ends the session at once',
  async (path) => {
    const key = await signedIn()
    await login(key, 'page')
    expect(await post(path, key)).toBe(200)
    expect(await login(key)).toBe(401)
    expect(await login(key, 'page-2')).toBe(401)
  },
)

test('SPEC 7.2: logging out answers 200 without a key and with a dead one', async () => {
  const key = await signedIn()
  expect([await logout(key), await logout(key), await logout('pkdex_s_none')]).toEqual([
    200, 200, 200,
  ])
  const answer = await t.app.inject({ method: 'POST', url: '/dta/logout' })
  expect(answer.statusCode).toBe(200)
})

test('SPEC 13.2: closing the last page ends the session after the grace period, not before', async () => {
  const key = await signedIn()
  await login(key, 'page')
  await logout(key, 'page')
  t.clock.advance(GRACE_MS - 1)
  expect(await login(key)).toBe(200)
  t.clock.advance(1)
  expect(await login(key)).toBe(401)
  expect(await login(key, 'late')).toBe(401)
})

test('SPEC 13.2: a reload claims the session again under its new page id', async () => {
  const key = await signedIn()
  await login(key, 'page-1')
  for (let reload = 2; reload < 8; reload++) {
    await logout(key, `page-${reload - 1}`)
    await post('/file_manager/logout', key, `page-${reload - 1}`)
    t.clock.advance(500)
    expect(await login(key, `page-${reload}`)).toBe(200)
  }
  t.clock.advance(GRACE_MS * 2)
  expect(await login(key)).toBe(200)
})

test('SPEC 13.3: closing one of two pages keeps the session', async () => {
  const key = await signedIn()
  await login(key, 'left')
  await login(key, 'right')
  await logout(key, 'right')
  t.clock.advance(GRACE_MS * 2)
  expect(await login(key)).toBe(200)
  await logout(key, 'left')
  t.clock.advance(GRACE_MS)
  expect(await login(key)).toBe(401)
})

test('a login that was overtaken by its own logout does not keep the session alive', async () => {
  const key = await signedIn()
  await logout(key, 'page')
  expect(await login(key, 'page')).toBe(200)
  t.clock.advance(GRACE_MS)
  expect(await login(key)).toBe(401)
})

test('pages that come and go at the same time leave the session alive while one is there', async () => {
  const key = await signedIn()
  await Promise.all([login(key, 'a'), login(key, 'b'), login(key, 'c')])
  await Promise.all([logout(key, 'a'), login(key, 'd'), logout(key, 'b'), logout(key, 'c')])
  t.clock.advance(GRACE_MS)
  expect(await login(key)).toBe(200)
})

test('a call without claiming does not keep a closed page alive', async () => {
  const key = await signedIn()
  await login(key, 'page')
  await logout(key, 'page')
  await login(key)
  t.clock.advance(GRACE_MS)
  expect(await login(key)).toBe(401)
})

test('a malformed page id answers 400 and ends nothing', async () => {
  const key = await signedIn()
  expect(await logout(key, 'a page')).toBe(400)
  expect(await login(key)).toBe(200)
})

test('SPEC 13.4: a session that is not used ends, one that is used goes on', async () => {
  const key = await signedIn()
  for (let use = 0; use < 3; use++) {
    t.clock.advance(SESSION_IDLE_MS - 60_000)
    expect(await login(key)).toBe(200)
  }
  t.clock.advance(SESSION_IDLE_MS)
  expect(await login(key)).toBe(401)
})

test('SPEC 13.5: a session ends after its longest life, however much it is used', async () => {
  const key = await signedIn()
  for (let used = 0; used + SESSION_IDLE_MS / 2 < SESSION_MS_MAX; used += SESSION_IDLE_MS / 2) {
    expect(await login(key)).toBe(200)
    t.clock.advance(SESSION_IDLE_MS / 2)
  }
  t.clock.advance(SESSION_IDLE_MS / 2)
  expect(await login(key)).toBe(401)
})

test('SPEC 13.6: a programmatic key neither expires nor ends by logging out', async () => {
  const { userId } = await openTestSession(t.db)
  const key = await inTransaction(t.db, (trx) =>
    mintKey(trx, { userId, kind: 'programmatic', now: t.clock.now() }),
  )
  expect(key).toMatch(/^pkdex_k_/)
  await login(key, 'page')
  await logout(key)
  await logout(key, 'page')
  t.clock.advance(SESSION_MS_MAX * 10)
  expect(await login(key)).toBe(200)
})

test('SPEC 4.2: /dta/login with a dead key answers 401 and Session expired. Please login again.', async () => {
  const headers = { 'api-key': 'pkdex_s_dead' }
  const answer = await t.app.inject({ method: 'POST', url: '/dta/login', headers })
  expect([answer.statusCode, answer.json().message]).toEqual([
    401,
    'Session expired. Please login again.',
  ])
})
