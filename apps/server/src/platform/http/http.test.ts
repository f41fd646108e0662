import { mkdtemp, mkdir, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { endpoint, ErrorBody } from '@pkdex/contract'
import { afterAll, expect, test } from 'vitest'
import { z } from 'zod'
import { mintKey } from '#server/auth/keys.ts'
import { openTestSession } from '#test/factories.ts'
import { inTransaction } from '#server/platform/db/transaction.ts'
import { AppError } from '#server/platform/errors.ts'
import { openTestApp } from '#test/open-test-app.ts'
import { route } from '#server/auth/guarded-routes.ts'
import { type Feature, openRoute } from './route.ts'

const repository = new URL('../../../../../', import.meta.url)

const base = {
  auth: 'none',
  summary: 'For the test.',
  answer: z.object({ ok: z.boolean() }),
} as const

const echo = endpoint({
  ...base,
  method: 'POST',
  path: '/dta/echo',
  body: z.object({ text: z.string().min(1) }),
})
const empty = endpoint({ ...base, method: 'POST', path: '/dta/empty' })
const named = endpoint({
  ...base,

  method: 'GET',
  path: '/dta/things/:name',
  auth: 'user',
})
const broken = endpoint({ ...base, method: 'GET', path: '/dta/broken' })
const untrue = endpoint({ ...base, method: 'GET', path: '/dta/untrue' })
const busy = endpoint({ ...base, method: 'GET', path: '/dta/busy' })
const shared = endpoint({ ...base, method: 'GET', path: '/admin/users' })

const ok = async () => ({ ok: true })

const testRoutes: Feature = (app) => {
  openRoute(app, echo, ok)
  openRoute(app, empty, ok)
  openRoute(app, shared, ok)
  route(app, named, async ({ param }) => ({ ok: param('name') === 'ö/% .. x' }))
  openRoute(app, broken, async () => {
    throw new Error('password=hunter2 at /srv/app')
  })
  openRoute(app, untrue, async () => ({ ok: 'yes' as unknown as boolean }))
  openRoute(app, busy, async () => {
    throw new AppError('too_many_requests', 'Please wait.', { retryAfterSeconds: 17 })
  })
}

const webDir = await mkdtemp(join(tmpdir(), 'pkdex-web-'))
await mkdir(join(webDir, 'assets'))
await writeFile(join(webDir, 'index.html'), '<!doctype html><title>client</title>')
await writeFile(join(webDir, 'assets', 'main-abc.js'), '1')
const t = await openTestApp({
  features: () => [testRoutes],
  environment: { ALLOWED_ORIGINS: 'https://lab.example' },
  changes: { webDir },
})
afterAll(() => t.close())

const json = { 'content-type': 'application/json' }
const navigation = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }

test.each([
  ['no JSON', { ...json }, '{"text":', 400],
  ['another shape', { ...json }, '{"text":1}', 400],
  ['a NUL', { ...json }, '{"text":"a\\u0000b"}', 400],
  ['another content type', { 'content-type': 'text/plain' }, 'x', 415],
  ['too much', { ...json }, JSON.stringify({ text: 'x'.repeat(300_000) }), 413],
])(
  'SPEC 16.1: a body that is %s gets the standard error body',
  async (_, headers, payload, status) => {
    const answer = await t.app.inject({ method: 'POST', url: '/dta/echo', headers, payload })
    const body = ErrorBody.parse(answer.json())
    expect(answer.statusCode).toBe(status)
    expect(body.detail).toBe(body.message)
    expect(body.message).toMatch(/\.$/)
  },
)

test.each(['application/json', 'text/plain', 'application/x-www-form-urlencoded'])(
  'SPEC 7.1: an empty body with the content type %s counts as no body',
  async (type) => {
    const headers = { 'content-type': type }
    const answer = await t.app.inject({ method: 'POST', url: '/dta/empty', headers })
    expect(answer.json()).toEqual({ ok: true })
  },
)

test('behind a proxy the address that the proxy saw is used, not those that a client adds', async () => {
  const proxied = await openTestApp({
    features: () => [testRoutes],
    environment: { RATE_LIMIT: '3', TRUST_PROXY: 'on', GOOGLE_CLIENT_ID: 'x' },
  })
  const statuses = []
  for (let call = 0; call < 4; call++) {
    const headers = { 'x-forwarded-for': `6.6.6.${call}, 203.0.113.9` }
    const answer = await proxied.app.inject({ method: 'POST', url: '/dta/empty', headers })
    statuses.push(answer.statusCode)
  }
  expect(statuses).toEqual([200, 200, 200, 429])
  await proxied.close()
})

test.each(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const)(
  'SPEC 16.2: %s at an unknown address returns 404 as JSON, whatever is accepted',
  async (method) => {
    const answer = await t.app.inject({ method, url: '/dta/nowhere', headers: navigation })
    expect([answer.statusCode, ErrorBody.parse(answer.json()).code]).toEqual([404, 'not_found'])
  },
)

test('SPEC 16.3: a server error returns 500 with a request id and nothing else', async () => {
  for (const url of ['/dta/broken', '/dta/untrue']) {
    const answer = await t.app.inject({ method: 'GET', url })
    const message = 'Something went wrong on our side.'
    expect(answer.statusCode).toBe(500)
    expect(answer.json()).toEqual({
      detail: message,
      message,
      code: 'internal',
      request_id: answer.headers['x-request-id'],
    })
  }
})

test('SPEC 16.4: 429 has Retry-After', async () => {
  const answer = await t.app.inject({ method: 'GET', url: '/dta/busy' })
  expect([answer.statusCode, answer.headers['retry-after']]).toEqual([429, '17'])
})

test('a malformed URL returns 404 with the standard error body', async () => {
  const answer = await t.app.inject({ method: 'GET', url: '/dta/things/%E0%A4%A' })
  expect([answer.statusCode, ErrorBody.parse(answer.json()).code]).toEqual([404, 'not_found'])
})

test('a name in a path may contain anything but control characters', async () => {
  const { headers } = await openTestSession(t.db)
  const ask = (name: string) =>
    t.app.inject({ method: 'GET', url: `/dta/things/${encodeURIComponent(name)}`, headers })
  expect((await ask('ö/% .. x')).json()).toEqual({ ok: true })
  expect((await ask('a\0b')).statusCode).toBe(404)
})

test('SPEC 16.5: without a key, or with an invented one, a request returns 401', async () => {
  const url = '/dta/things/x'
  const none = await t.app.inject({ method: 'GET', url })
  const wrong = await t.app.inject({ method: 'GET', url, headers: { 'api-key': 'pkdex_s_x' } })
  expect([none.statusCode, none.json().message]).toEqual([401, 'Authentication required'])
  expect([wrong.statusCode, wrong.json().message]).toEqual([
    401,
    'Session expired. Please login again.',
  ])
})

test('a script with an expired or invalid key gets an error about the key, not about a session', async () => {
  const { userId } = await openTestSession(t.db)
  const now = t.clock.now()
  const key = await inTransaction(t.db, (trx) =>
    mintKey(trx, { userId, kind: 'programmatic', now }),
  )
  await t.db.updateTable('keys').set({ revoked_at: now }).where('user_id', '=', userId).execute()
  const revoked = 'This API key was revoked. Create a new one, or ask your administrator.'
  for (const [sent, message] of [
    [key, revoked],
    ['pkdex_k_made-up', 'This API key is not valid.'],
  ] as const) {
    const answer = await t.app.inject({
      method: 'GET',
      url: '/dta/things/x',
      headers: { 'api-key': sent },
    })
    expect([answer.statusCode, answer.json().code]).toEqual([401, 'not_signed_in'])
    expect(answer.json().message).toBe(message)
  }
})

test.each(['/', '/prompt', '/results', '/admin', '/admin/users', '/admin/users/a.b@c.org'])(
  'SPEC 11.4: a browser that opens %s gets the client, with Vary: Accept',
  async (url) => {
    const answer = await t.app.inject({ method: 'GET', url, headers: navigation })
    expect([answer.statusCode, answer.body]).toEqual([200, expect.stringContaining('client')])
    expect(answer.headers.vary).toContain('Accept')
    expect(answer.headers['cache-control']).toBe('no-cache')
  },
)

test('SPEC 11.4: with a credential, or without accepting HTML, a shared path is the API endpoint', async () => {
  const url = '/admin/users'
  const requests = [{}, { accept: '*/*' }, { ...navigation, 'x-api-key': 'k' }]
  for (const headers of requests) {
    const answer = await t.app.inject({ method: 'GET', url, headers })
    expect(answer.json()).toEqual({ ok: true })
    expect(answer.headers.vary).toContain('Accept')
  }
})

test('files with a hash in their name may be cached forever; a missing one returns 404', async () => {
  const found = await t.app.inject({ method: 'GET', url: '/assets/main-abc.js' })
  expect(found.headers['cache-control']).toBe('public, max-age=31536000, immutable')
  const gone = await t.app.inject({ method: 'GET', url: '/assets/old.js', headers: navigation })
  expect([gone.statusCode, gone.json().code]).toEqual([404, 'not_found'])
})

test('pages load scripts only from this origin and cannot be framed', async () => {
  const answer = await t.app.inject({ method: 'GET', url: '/', headers: navigation })
  const policy = String(answer.headers['content-security-policy'])
  expect(policy).toContain("script-src 'self';")
  expect(policy).toContain("frame-ancestors 'none'")
})

test('SPEC 11.5: only listed origins may send cross-origin requests', async () => {
  const from = (origin: string) =>
    t.app.inject({ method: 'GET', url: '/dta/things/x', headers: { origin } })
  const allowed = (await from('https://lab.example')).headers['access-control-allow-origin']
  const refused = (await from('https://evil.example')).headers['access-control-allow-origin']
  expect([allowed, refused]).toEqual(['https://lab.example', undefined])
  const preflight = await t.app.inject({
    method: 'OPTIONS',
    url: '/predict',
    headers: { origin: 'https://lab.example', 'access-control-request-method': 'POST' },
  })
  const headers = String(preflight.headers['access-control-allow-headers'])
  expect(headers).toContain('Idempotency-Key, Prefer, Last-Event-ID')
})

test('SPEC 16.7: /openapi.json describes every endpoint and its errors, and /docs shows it', async () => {
  const document = (await t.app.inject({ method: 'GET', url: '/openapi.json' })).json()
  expect(document.openapi).toBe('3.1.0')
  expect(Object.keys(document.paths['/dta/things/{name}'].get.responses)).toEqual(
    expect.arrayContaining(['200', '401', '403', '404', '429', '500']),
  )
  const docs = await t.app.inject({ method: 'GET', url: '/docs/' })
  expect([docs.statusCode, docs.body]).toEqual([200, expect.stringContaining('swagger-ui')])
  expect(docs.body).toContain('<title>API · pKdex</title>')
  expect(docs.body).not.toContain('favicon-32x32')
})

test('/docs/guide is the API guide as a page, and can be linked to', async () => {
  const { statusCode, body } = await t.app.inject({ url: '/docs/guide', headers: navigation })
  expect(statusCode).toBe(200)
  const document = await readFile(new URL('docs/api.md', repository), 'utf8')
  for (const [, title] of document.matchAll(/^## (.+)$/gm)) expect(body).toContain(`>${title}</h2>`)
  expect(body).toContain('<a href="#columns-of-results">')
  expect(body).toContain('id="columns-of-results"')
  const examples = document.split('\n').filter((line) => line === '```sh').length
  expect(body.split('data-language="sh"').length - 1).toBe(examples)
})

test('the logo of the API pages is the product’s', async () => {
  const { headers, body } = await t.app.inject({ url: '/docs/static/theme/mark.svg' })
  expect(headers['content-type']).toBe('image/svg+xml')
  expect(body).toBe(await readFile(new URL('apps/web/public/favicon.svg', repository), 'utf8'))
})

test('/healthz and /readyz return 200 while the database responds', async () => {
  for (const url of ['/healthz', '/readyz']) {
    expect((await t.app.inject({ method: 'GET', url })).statusCode).toBe(200)
  }
})

test('/healthz, /openapi.json and the footer of /docs state the version of the product', async () => {
  const manifest = await readFile(new URL('package.json', repository), 'utf8')
  const { version } = JSON.parse(manifest) as { version: string }
  const read = async (url: string) => (await t.app.inject({ url })).body
  expect(JSON.parse(await read('/healthz'))).toEqual({
    status: 'alive',
    version,
    forwarded_for: null,
  })
  expect(JSON.parse(await read('/openapi.json')).info.version).toBe(version)
  expect(await read('/docs/static/theme/api-pages.js')).toContain(`'pKdex ${version}'`)
})

test('/ returns the page, also to a monitor that accepts anything', async () => {
  for (const headers of [{}, { accept: '*/*' }, navigation]) {
    const answer = await t.app.inject({ method: 'GET', url: '/', headers })
    expect([answer.statusCode, answer.body]).toEqual([200, expect.stringContaining('client')])
  }
})

test('SPEC 16.4: an address with too many requests gets 429 with Retry-After', async () => {
  const limited = await openTestApp({
    features: () => [testRoutes],
    environment: { RATE_LIMIT: '3' },
  })
  const answers = []
  for (let call = 0; call < 4; call++) {
    answers.push(await limited.app.inject({ method: 'POST', url: '/dta/empty' }))
  }
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 429])
  expect(Number(answers[3]?.headers['retry-after'])).toBeGreaterThan(0)
  expect(ErrorBody.parse(answers[3]?.json()).code).toBe('too_many_requests')
  await limited.close()
})
