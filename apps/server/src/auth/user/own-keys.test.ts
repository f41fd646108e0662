import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { OWN_KEYS_MAX } from '@pkdex/contract'
import { creditsRoutes } from '#server/credits/routes.ts'
import { openTestSession, type TestSession } from '#test/factories.ts'
import { openTestApp } from '#test/open-test-app.ts'
import { REVOKED_KEYS_KEPT } from '#server/auth/keys.ts'
import { ownKeyRoutes } from './own-keys.ts'

const t = await openTestApp({
  features: ({ db, clock }) => [
    ownKeyRoutes({ db, now: clock.now }),
    creditsRoutes({ db, perPrediction: 1 }),
  ],
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

test('SPEC 24.1: a key is created with a name, shown only once, works, and can be revoked immediately', async () => {
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

test('the latest revoked keys are kept and visible to administrators', async () => {
  const user = await openTestSession(t.db, { now: t.clock.now() })
  await sql`insert into keys (user_id, kind, prefix, hash, created_at, last_used_at, revoked_at)
    select ${user.userId}, 'programmatic', 'old ' || i, sha256(convert_to(${user.userId}::text || i, 'UTF8')),
      now(), now(), now() - i * interval '1 minute'
    from generate_series(1, ${REVOKED_KEYS_KEPT + 20}::int) i`.execute(t.db)
  expect((await make(user.headers)).statusCode).toBe(200)
  const kept = await t.db
    .selectFrom('keys')
    .select('prefix')
    .where('user_id', '=', user.userId)
    .where('revoked_at', 'is not', null)
    .execute()
  expect(kept).toHaveLength(REVOKED_KEYS_KEPT)
  expect(kept).toContainEqual({ prefix: 'old 1' })
  expect(await list(user)).toHaveLength(1)
})

test('SPEC 24.2: a key with a daily limit allows that many requests per day, and again on the next day', async () => {
  const user = await openTestSession(t.db, { now: t.clock.now() })
  const { key } = (await make(user.headers, { name: 'cron', calls_per_day: 2 })).json()
  expect((await balance(key)).statusCode).toBe(200)
  expect((await balance(key)).statusCode).toBe(200)
  const refused = await balance(key)
  expect(refused.statusCode).toBe(429)
  expect(refused.json().message).toBe('This API key has reached its daily request limit (UTC).')
  const midnight = new Date(t.clock.now()).setUTCHours(24, 0, 0, 0)
  const secondsLeft = Math.ceil((midnight - t.clock.now().getTime()) / 1000)
  expect(refused.headers['retry-after']).toBe(String(secondsLeft))
  t.clock.advance(24 * 3_600_000)
  expect((await balance(key)).statusCode).toBe(200)
})

test('parallel requests cannot exceed the daily limit', async () => {
  const user = await openTestSession(t.db, { now: t.clock.now() })
  const { key } = (await make(user.headers, { name: 'burst', calls_per_day: 3 })).json()
  const answers = await Promise.all(Array.from({ length: 10 }, () => balance(key)))
  expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(3)
})

test('SPEC 24.3: an API key cannot manage keys, so a leaked one cannot create another', async () => {
  const user = await openTestSession(t.db, { now: t.clock.now() })
  const { key } = (await make(user.headers)).json()
  expect((await make({ 'api-key': key })).statusCode).toBe(403)
  const [{ id }] = await list(user)
  expect((await revoke({ 'api-key': key }, id)).statusCode).toBe(403)
})

test('another user’s key returns 404', async () => {
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

test('SPEC 24.4: the number of keys per user is limited', async () => {
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
])('%j creates no key', async (payload) => {
  const user = await openTestSession(t.db, { now: t.clock.now() })
  expect((await make(user.headers, payload)).statusCode).toBe(400)
})
