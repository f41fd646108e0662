import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { adminAuthRoutes } from '#server/auth/admin/routes.ts'
import { openTestSession } from '#test/factories.ts'
import { creditsRoutes } from '#server/credits/routes.ts'
import { openTestApp, type TestApp } from '#test/open-test-app.ts'
import { REFUSED_MAX } from './rate-limits.ts'

let t: TestApp
afterEach(() => t.close())

async function open(limit: number) {
  const webDir = await mkdtemp(join(tmpdir(), 'pkdex-web-'))
  await writeFile(join(webDir, 'index.html'), '<!doctype html><title>client</title>')
  t = await openTestApp({
    environment: { RATE_LIMIT: String(limit) },
    changes: { webDir },
    features: ({ db, clock, config }) => [
      adminAuthRoutes({ db, now: clock.now }),
      creditsRoutes({ db, ...config.credits }),
    ],
  })
}

const get = async (url: string, headers: Record<string, string> = {}, remoteAddress = '10.0.0.1') =>
  t.app.inject({ method: 'GET', url, headers, remoteAddress })

test.each([
  ['a bad key', '/dta/credits', { 'api-key': 'made-up' }, 401],
  ['a bad administrator token', '/admin/auth/api-key', { authorization: 'Bearer made-up' }, 401],
  ['no key', '/dta/credits', {}, 401],
  ['a page', '/', { accept: 'text/html' }, 200],
  ['an unknown address', '/dta/nowhere', {}, 404],
])('SPEC 16.4: too many requests with %s get 429', async (_, url, headers, status) => {
  await open(3)
  const statuses = []
  for (let call = 0; call < 4; call++) statuses.push((await get(url, headers)).statusCode)
  expect(statuses).toEqual([status, status, status, 429])
})

test('health checks are never rate-limited', async () => {
  await open(3)
  for (let call = 0; call < 5; call++) {
    expect((await get('/healthz')).statusCode).toBe(200)
    expect((await get('/readyz')).statusCode).toBe(200)
  }
})

test('SPEC 16.4: an address that keeps sending refused credentials gets 429 and Retry-After; its valid ones work', async () => {
  await open(3000)
  const { headers } = await openTestSession(t.db, { now: t.clock.now() })
  const bad = () => get('/dta/credits', { 'api-key': 'made-up' })
  for (let call = 0; call < REFUSED_MAX; call++) expect((await bad()).statusCode).toBe(401)
  const answer = await bad()
  expect([answer.statusCode, answer.json().code]).toEqual([429, 'too_many_requests'])
  expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0)
  const asAdministrator = { authorization: 'Bearer made-up' }
  expect((await get('/admin/auth/api-key', asAdministrator)).statusCode).toBe(429)
  expect((await get('/dta/credits', headers)).statusCode).toBe(200)
  expect((await get('/dta/credits')).statusCode).toBe(401)
  expect((await get('/dta/credits', { 'api-key': 'made-up' }, '10.0.0.2')).statusCode).toBe(401)
})
