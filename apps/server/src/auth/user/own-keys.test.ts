import { afterAll, beforeAll, expect, test } from 'vitest'
import { OWN_KEYS_MAX } from '@pkdex/contract'
import { creditsRoutes } from '#server/credits/routes.ts'
import { openTestSession, type TestSession } from '#server/auth/open-test-session.ts'
import { openTestApp, type TestApp } from '#server/platform/http/open-test-app.ts'
import { ownKeyRoutes } from './own-keys.ts'

let t: TestApp
beforeAll(async () => {
  t = await openTestApp({
    features: ({ db, clock }) => [
      ownKeyRoutes({ db, now: clock.now }),
      creditsRoutes({ db, perPrediction: 1 }),
    ],
  })
})
afterAll(() => t.close())

type Headers = Record<string, string>
const make = (headers: Headers, payload: object = { name: 'notebook' }) =>
  t.app.inject({ method: 'POST', url: '/account/keys', headers, payload })
const list = async ({ headers }: TestSession) =>
  (await t.app.inject({ method: 'GET', url: '/account/keys', headers })).json().keys
const revoke = (headers: Headers, id: string) =>
  t.app.inject({ method: 'DELETE', url: `/account/keys/${id}`, headers })
const balance = (key: string) =>
  t.app.inject({ method: 'GET', url: '/dta/credits', headers: { 'api-key': key } })

test('a key is made with a name, shown once, works, and is revoked at once', async () => {
  const user = await openTestSession(t.db, { now: t.clock.now() })
  const made = (await make(user.headers)).json<{ key: string; prefix: string }>()
  expect(made.key.startsWith(made.prefix)).toBe(true)
  expect((await balance(made.key)).statusCode).toBe(200)
  const [key] = await list(user)
  expect(key).toMatchObject({ name: 'notebook', prefix: made.prefix, calls_per_day: null })
  expect(JSON.stringify(key)).not.toContain(made.key)
  expect((await revoke(user.headers, key.id)).statusCode).toBe(200)
  expect((await balance(made.key)).statusCode).toBe(401)
  expect(await list(user)).toEqual([])
})

test('a key that is bound makes so many calls a day, and as many again on the next', async () => {
  const user = await openTestSession(t.db, { now: t.clock.now() })
  const { key } = (await make(user.headers, { name: 'cron', calls_per_day: 2 })).json()
  expect((await balance(key)).statusCode).toBe(200)
  expect((await balance(key)).statusCode).toBe(200)
  const refused = await balance(key)
  expect(refused.statusCode).toBe(429)
  expect(refused.json().message).toBe('This API key has made all its calls of today (UTC).')
  t.clock.advance(24 * 3_600_000)
  expect((await balance(key)).statusCode).toBe(200)
})

test('of many calls at once no more than the bound get through', async () => {
  const user = await openTestSession(t.db, { now: t.clock.now() })
  const { key } = (await make(user.headers, { name: 'burst', calls_per_day: 3 })).json()
  const answers = await Promise.all(Array.from({ length: 10 }, () => balance(key)))
  expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(3)
})

test('a key manages no keys: one that leaks cannot make another', async () => {
  const user = await openTestSession(t.db, { now: t.clock.now() })
  const { key } = (await make(user.headers)).json()
  expect((await make({ 'api-key': key })).statusCode).toBe(403)
  const [{ id }] = await list(user)
  expect((await revoke({ 'api-key': key }, id)).statusCode).toBe(403)
})

test('another user’s key is not there', async () => {
  const [owner, stranger] = [
    await openTestSession(t.db, { now: t.clock.now() }),
    await openTestSession(t.db, { now: t.clock.now() }),
  ]
  await make(owner.headers)
  const [{ id }] = await list(owner)
  expect((await revoke(stranger.headers, id)).statusCode).toBe(404)
  expect((await revoke(stranger.headers, 'no-id')).statusCode).toBe(404)
  expect(await list(stranger)).toEqual([])
  expect(await list(owner)).toHaveLength(1)
})

test('a user has at most as many keys as can be looked through', async () => {
  const user = await openTestSession(t.db, { now: t.clock.now() })
  for (let count = 0; count < OWN_KEYS_MAX; count += 1) await make(user.headers)
  const answer = await make(user.headers)
  expect(answer.statusCode).toBe(409)
  expect(await list(user)).toHaveLength(OWN_KEYS_MAX)
})

test.each([
  { name: '' },
  { name: '  ' },
  { name: 'x', calls_per_day: 0 },
  { name: 'y'.repeat(81) },
])('%j makes no key', async (payload) => {
  const user = await openTestSession(t.db, { now: t.clock.now() })
  expect((await make(user.headers, payload)).statusCode).toBe(400)
})
