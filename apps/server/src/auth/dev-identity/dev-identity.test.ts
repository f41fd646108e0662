import type { AddressInfo } from 'node:net'
import { afterAll, expect, test } from 'vitest'
import { openRawCall } from '#test/open-raw-call.ts'
import { openTestApp } from '#test/open-test-app.ts'
import { addTestPerson } from '#test/factories.ts'
import { openIdentityProvider } from '#server/auth/user/identity-provider.ts'
import { openNonces } from '#server/auth/user/nonces.ts'
import { noteFirstCredits } from '#server/credits/service.ts'
import { authRoutes } from '#server/auth/user/routes.ts'

const t = await openTestApp({
  features: async ({ db, config, clock }) => {
    const provider = await openIdentityProvider(config.identity, db)
    const nonces = await openNonces(db)
    const firstCredits = { amount: 1, note: noteFirstCredits }
    return [authRoutes({ db, provider, nonces, firstCredits, now: clock.now, ...config })]
  },
})
afterAll(() => t.close())

async function post(url: string, payload: object, host = 'localhost:8000') {
  const answer = await t.app.inject({ method: 'POST', url, payload, headers: { host } })
  return { status: answer.statusCode, body: answer.json() }
}

async function signIn(email: string, nonce?: string) {
  const { body } = await post('/dev/identity/token', { email, name: 'Ada', nonce })
  return post('/connection/verify-google', { id_token: body.id_token })
}

async function askAs(headers: Record<string, string>) {
  const request = { method: 'POST', url: '/dev/identity/token' } as const
  const payload = { email: 'ada@example.org' }
  const sent = { host: 'localhost:8000', ...headers }
  return (await t.app.inject({ ...request, payload, headers: sent })).statusCode
}

async function readConfig() {
  return (await t.app.inject({ method: 'GET', url: '/connection/config' })).json()
}

test('SPEC 12.10: a script signs in through the development identity provider with two requests', async () => {
  const { status, body } = await signIn('ada@example.org')
  expect([status, body.api_key]).toEqual([200, expect.stringMatching(/^pkdex_s_/)])
})

test('SPEC 12.9, 12.16: the page gets the credits of the settings, the script to load, the name of the development identity provider, and a nonce', async () => {
  const config = await readConfig()
  expect(config).toEqual({
    google_client_id: 'pkdex-development',
    script_url: '/dev/identity/client.js',
    is_stand_in: true,
    is_stand_in_exposed: false,
    initial_credits: 1,
    credits_per_prediction: 1,
    is_by_invitation: false,
    nonce: expect.any(String),
  })
  expect((await readConfig()).nonce).not.toBe(config.nonce)
  expect((await signIn('ada@example.org', config.nonce)).status).toBe(200)
  expect((await signIn('ada@example.org', config.nonce)).status).toBe(401)
})

test('SPEC 12.11: a foreign nonce is refused: the development identity provider is verified like Google', async () => {
  expect((await signIn('ada@example.org', 'made-up')).status).toBe(401)
})

test('one account per email, whatever its capitals', async () => {
  await signIn('Grace@example.org')
  await signIn('grace@EXAMPLE.org')
  const users = await t.db
    .selectFrom('users')
    .select('id')
    .where('email', '=', 'Grace@example.org')
    .execute()
  expect(users).toHaveLength(1)
})

test('a user created by an administrator with any email is linked by it', async () => {
  await addTestPerson(t.db, 'Guest@lab.example', { credits: 7 })
  await signIn('guest@lab.example')
  const users = t.db.selectFrom('users').select(['credits', 'google_id'])
  expect(await users.where('email_key', '=', 'guest@lab.example').execute()).toEqual([
    { credits: 7, google_id: expect.any(String) },
  ])
})

test('an invalid email gets no token', async () => {
  expect((await post('/dev/identity/token', { email: 'nobody' })).status).toBe(400)
})

test('SPEC 12.12: a proxy that forwards outside requests to this machine gets no token', async () => {
  expect(await askAs({ host: '127.0.0.1:8000', 'x-forwarded-for': '203.0.113.7' })).toBe(403)
})

test.each([
  ['a foreign Origin', { origin: 'https://evil.example' }],
  ['an Origin that only begins like this machine', { origin: 'http://localhost.evil.example' }],
  ['an Origin that is hidden', { origin: 'null' }],
  ['a page of another site', { 'sec-fetch-site': 'cross-site' }],
  ['a page of a neighbour', { 'sec-fetch-site': 'same-site' }],
])(
  'SPEC 12.12: a request through a proxy without forwarding headers, with %s, gets no token',
  async (_, headers) => {
    expect(await askAs(headers)).toBe(403)
  },
)

test('SPEC 12.12: an HTTP/1.0 request, as some proxies send it, gets no token', async () => {
  await t.app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = t.app.server.address() as AddressInfo
  const payload = JSON.stringify({ email: 'ada@example.org' })
  const ask = async (version: string) => {
    const head = [
      `POST /dev/identity/token HTTP/${version}`,
      'connection: close',
      'content-type: application/json',
      `content-length: ${payload.length}`,
    ]
    const { closed } = openRawCall(t.app, head, payload, `localhost:${port}`)
    return (await closed).split(' ', 2)[1]
  }
  expect([await ask('1.0'), await ask('1.1')]).toEqual(['403', '200'])
})

test.each([
  ['a page of this server', { origin: 'http://localhost:8000', 'sec-fetch-site': 'same-origin' }],
  ['a page that a development server passes on', { origin: 'http://127.0.0.1:5173' }],
  ['an address typed in', { 'sec-fetch-site': 'none' }],
  ['a script', {}],
])('SPEC 12.12: %s gets a token', async (_, headers) => {
  expect(await askAs(headers)).toBe(200)
})

test('a website that points its name at this machine (DNS rebinding) gets no token', async () => {
  const payload = { email: 'ada@example.org' }
  expect((await post('/dev/identity/token', payload, 'evil.example:8000')).status).toBe(403)
})

test('the script, the account chooser and the public keys are served, the private key is not', async () => {
  for (const file of ['client.js', 'chooser.html', 'chooser.js', 'chooser.css']) {
    const answer = await t.app.inject({ method: 'GET', url: `/dev/identity/${file}` })
    expect([file, answer.statusCode]).toEqual([file, 200])
  }
  const keys = await t.app.inject({ method: 'GET', url: '/dev/identity/keys.json' })
  expect(Object.keys(keys.json().keys[0]).toSorted().join()).toBe('alg,e,kid,kty,n,use')
})
