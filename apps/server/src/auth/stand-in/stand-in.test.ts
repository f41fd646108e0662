import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestApp, type TestApp } from '#server/http/open-test-app.ts'
import { openIdentityProvider } from '../identity-provider.ts'
import { openNonces } from '../nonces.ts'
import { authRoutes } from '../routes.ts'

let t: TestApp
beforeAll(async () => {
  t = await openTestApp({
    features: async ({ db, config, clock }) => {
      const provider = await openIdentityProvider(config.identity, db)
      const nonces = await openNonces(db)
      return [authRoutes({ db, provider, nonces, initialCredits: 1, now: clock.now, ...config })]
    },
  })
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

async function readConfig() {
  return (await t.app.inject({ method: 'GET', url: '/connection/config' })).json()
}

test('PRODUCT 2: a script signs in with the stand-in by two calls', async () => {
  const { status, body } = await signIn('ada@example.org')
  expect([status, body.api_key]).toEqual([200, expect.stringMatching(/^pkdex_s_/)])
})

test('PRODUCT 2: the page learns what to load, that it is the stand-in, and its nonce', async () => {
  const config = await readConfig()
  expect(config).toEqual({
    google_client_id: 'pkdex-development',
    script_url: '/dev/identity/client.js',
    is_stand_in: true,
    is_stand_in_exposed: false,
    nonce: expect.any(String),
  })
  expect((await readConfig()).nonce).not.toBe(config.nonce)
  expect((await signIn('ada@example.org', config.nonce)).status).toBe(200)
  expect((await signIn('ada@example.org', config.nonce)).status).toBe(401)
})

test('PRODUCT 2: a nonce that is not ours does not pass, the stand-in is verified like Google', async () => {
  expect((await signIn('ada@example.org', 'made-up')).status).toBe(401)
})

test('one account an address, whatever its capitals', async () => {
  await signIn('Grace@example.org')
  await signIn('grace@EXAMPLE.org')
  const users = await t.db
    .selectFrom('users')
    .select('id')
    .where('email', '=', 'Grace@example.org')
    .execute()
  expect(users).toHaveLength(1)
})

test('what is no address gets no token', async () => {
  expect((await post('/dev/identity/token', { email: 'nobody' })).status).toBe(400)
})

test('PRODUCT 2: a proxy that brings strangers to this machine gets no token', async () => {
  const answer = await t.app.inject({
    method: 'POST',
    url: '/dev/identity/token',
    payload: { email: 'ada@example.org' },
    headers: { host: '127.0.0.1:8000', 'x-forwarded-for': '203.0.113.7' },
  })
  expect(answer.statusCode).toBe(403)
})

test('a website that leads its name to this machine gets no token', async () => {
  const payload = { email: 'ada@example.org' }
  expect((await post('/dev/identity/token', payload, 'evil.example:8000')).status).toBe(403)
})

test('the script, the chooser and the public keys are served, the private key is not', async () => {
  for (const file of ['client.js', 'chooser.html', 'chooser.js', 'chooser.css']) {
    const answer = await t.app.inject({ method: 'GET', url: `/dev/identity/${file}` })
    expect([file, answer.statusCode]).toEqual([file, 200])
  }
  const keys = await t.app.inject({ method: 'GET', url: '/dev/identity/keys.json' })
  expect(Object.keys(keys.json().keys[0]).toSorted()).toEqual([
    'alg',
    'e',
    'kid',
    'kty',
    'n',
    'use',
  ])
})
