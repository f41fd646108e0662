/** Google's key set over HTTP: fetched, renewed, and unavailable. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose'
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest'
import { noteFirstCredits } from '#server/credits/service.ts'
import { openTestApp, type TestApp } from '#test/open-test-app.ts'
import { openIdentityProvider } from './identity-provider.ts'
import { type Nonces, openNonces } from './nonces.ts'
import { authRoutes } from './routes.ts'

let t: TestApp
let nonces: Nonces
let published: JWK[] = []
let isAway = false
const pair = await generateKeyPair('RS256')

published = [{ ...(await exportJWK(pair.publicKey)), kid: 'k1', alg: 'RS256' }]
const keyServer = createServer((_request, response) => {
  response.statusCode = isAway ? 503 : 200
  response.setHeader('content-type', 'application/json')
  response.end(isAway ? 'away' : JSON.stringify({ keys: published }))
}).listen(0, '127.0.0.1')
await new Promise((resolve) => keyServer.once('listening', resolve))
afterAll(() => void keyServer.close())

// A fetched key set is cached for a while.
beforeEach(async () => {
  const { port } = keyServer.address() as AddressInfo
  t = await openTestApp({
    environment: {
      GOOGLE_CLIENT_ID: 'client-1',
      GOOGLE_JWKS_URL: `http://127.0.0.1:${port}/certs`,
      GOOGLE_SCRIPT_URL: 'https://accounts.google.com/gsi/client',
    },
    features: async ({ db, config, clock }) => {
      const provider = await openIdentityProvider(config.identity, db)
      nonces = await openNonces(db)
      return [
        authRoutes({
          db,
          provider,
          nonces,
          firstCredits: { amount: 1, note: noteFirstCredits },
          now: clock.now,
          ...config,
        }),
      ]
    },
  })
})
afterEach(() => t.close())

async function signIn(kid = 'k1', iss = 'https://accounts.google.com') {
  const id_token = await new SignJWT({
    email: 'ada@example.org',
    email_verified: true,
    nonce: nonces.mint(new Date()),
  })
    .setProtectedHeader({ alg: 'RS256', kid })
    .setIssuer(iss)
    .setAudience('client-1')
    .setSubject('1')
    .setIssuedAt()
    .setExpirationTime('1h')
    .sign(pair.privateKey)
  const url = '/connection/verify-google'
  const answer = await t.app.inject({ method: 'POST', url, payload: { id_token } })
  return { status: answer.statusCode, message: answer.json().message }
}

test('sign-in returns 503 while Google’s key server is down, and counts no failure', async () => {
  isAway = true
  expect(await signIn()).toEqual({
    status: 503,
    message: 'Google could not be reached to verify the sign-in. Try again.',
  })
  isAway = false
  expect((await signIn()).status).toBe(200)
})

test('SPEC 12.2: a Google token is accepted with either form of its issuer', async () => {
  expect((await signIn('k1', 'accounts.google.com')).status).toBe(200)
  const accounts = await t.db.selectFrom('identities').select('issuer').execute()
  expect(accounts).toEqual([{ issuer: 'https://accounts.google.com' }])
})

test('SPEC 12.1: a key that Google does not publish is not accepted', async () => {
  expect((await signIn('k2')).status).toBe(401)
})

test('SPEC 12.9: with Google sign-in the page loads Google’s script, and the development identity provider is not served', async () => {
  const config = await t.app.inject({ method: 'GET', url: '/connection/config' })
  expect(config.json()).toMatchObject({
    google_client_id: 'client-1',
    script_url: 'https://accounts.google.com/gsi/client',
    is_stand_in: false,
  })
  const payload = { email: 'ada@example.org' }
  const token = await t.app.inject({ method: 'POST', url: '/dev/identity/token', payload })
  expect(token.statusCode).toBe(404)
  const policy = config.headers['content-security-policy']
  expect(policy).toContain("script-src 'self' https://accounts.google.com;")
})
