import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { inTransaction } from '#server/platform/db/transaction.ts'
import { hashKey, SESSION_IDLE_MS } from '#server/auth/caller.ts'
import { mintKey, SESSION_MS_MAX } from '#server/auth/keys.ts'
import { PAGES_MAX } from './sessions.ts'
import { openTestAuth } from '#test/open-test-auth.ts'
import { openTestSession } from '#test/factories.ts'

const GRACE_MS = 30_000
const t = await openTestAuth()
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
  'SPEC 13.1: %s without a page id ends the session immediately',
  async (path) => {
    const key = await signedIn()
    await login(key, 'page')
    expect(await post(path, key)).toBe(200)
    expect(await login(key)).toBe(401)
    expect(await login(key, 'page-2')).toBe(401)
  },
)

test('SPEC 7.2: logging out returns 200 without a key and with an expired one', async () => {
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

test('SPEC 13.2: a reload keeps the session under its new page id', async () => {
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

test('a login overtaken by its own logout does not keep the session open', async () => {
  const key = await signedIn()
  await logout(key, 'page')
  expect(await login(key, 'page')).toBe(200)
  t.clock.advance(GRACE_MS)
  expect(await login(key)).toBe(401)
})

test('the session stays open while at least one of several pages is open', async () => {
  const key = await signedIn()
  await Promise.all([login(key, 'a'), login(key, 'b'), login(key, 'c')])
  await Promise.all([logout(key, 'a'), login(key, 'd'), logout(key, 'b'), logout(key, 'c')])
  t.clock.advance(GRACE_MS)
  expect(await login(key)).toBe(200)
})

test('requests without a page id do not keep a closed page’s session open', async () => {
  const key = await signedIn()
  await login(key, 'page')
  await logout(key, 'page')
  await login(key)
  t.clock.advance(GRACE_MS)
  expect(await login(key)).toBe(401)
})

test('a malformed page id returns 400 and ends nothing', async () => {
  const key = await signedIn()
  expect(await logout(key, 'a page')).toBe(400)
  expect(await login(key)).toBe(200)
})

test('SPEC 13.4: an unused session expires, a used one continues', async () => {
  const key = await signedIn()
  for (let use = 0; use < 3; use++) {
    t.clock.advance(SESSION_IDLE_MS - 60_000)
    expect(await login(key)).toBe(200)
  }
  t.clock.advance(SESSION_IDLE_MS)
  expect(await login(key)).toBe(401)
})

test('SPEC 13.5: a session ends after its maximum lifetime, however much it is used', async () => {
  const key = await signedIn()
  for (let used = 0; used + SESSION_IDLE_MS / 2 < SESSION_MS_MAX; used += SESSION_IDLE_MS / 2) {
    expect(await login(key)).toBe(200)
    t.clock.advance(SESSION_IDLE_MS / 2)
  }
  t.clock.advance(SESSION_IDLE_MS / 2)
  expect(await login(key)).toBe(401)
})

test('endlessly opened pages keep the session open with a bounded number of rows', async () => {
  const key = await signedIn()
  const { id } = await t.db
    .selectFrom('keys')
    .select('id')
    .where('hash', '=', hashKey(key))
    .executeTakeFirstOrThrow()
  const pages = Array.from({ length: PAGES_MAX + 50 }, (_, at) => `'old-${at}'`)
  await sql`insert into key_pages (key_id, page_id, claimed_at)
    select ${id}, page, now() - interval '1 hour' from unnest(array[${sql.raw(pages.join())}]) as page`.execute(
    t.db,
  )
  expect([await login(key, 'new'), await logout(key, 'never-seen')]).toEqual([200, 200])
  const kept = await t.db
    .selectFrom('key_pages')
    .select('page_id')
    .where('key_id', '=', id)
    .execute()
  expect(kept).toHaveLength(PAGES_MAX)
  expect(kept).toContainEqual({ page_id: 'new' })
  t.clock.advance(GRACE_MS * 2)
  expect(await login(key)).toBe(200)
})

test('SPEC 13.6: an API key neither expires nor ends on logout', async () => {
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

test('SPEC 4.2: /dta/login with an expired key returns 401 and Session expired. Please login again.', async () => {
  const headers = { 'api-key': 'pkdex_s_dead' }
  const answer = await t.app.inject({ method: 'POST', url: '/dta/login', headers })
  expect([answer.statusCode, answer.json().message]).toEqual([
    401,
    'Session expired. Please login again.',
  ])
})
