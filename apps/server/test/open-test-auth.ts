/** The real sign-in with a test provider whose tokens can be forged. */
import { createLocalJWKSet, exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose'
import { openTestApp, type TestApp } from './open-test-app.ts'
import { noteFirstCredits } from '#server/credits/service.ts'
import { openIdentityProvider } from '#server/auth/user/identity-provider.ts'
import { type Nonces, openNonces } from '#server/auth/user/nonces.ts'
import { authRoutes } from '#server/auth/user/routes.ts'

export type TestAuth = TestApp & {
  nonces: Nonces
  /** An ID token signed like Google's, with these changes. */
  token(claims?: JWTPayload, forgery?: Forgery): Promise<string>
  signIn(
    idToken: string,
    address?: string,
    invitation?: string,
  ): Promise<{ status: number; key: string; message: string }>
}

type Forgery = { algorithm?: string; isForeignKey?: boolean; expiresAt?: Date }

const CLIENT_ID = 'client-1'
const ISSUER = 'https://accounts.google.com'

export async function openTestAuth(environment: Record<string, string> = {}): Promise<TestAuth> {
  const ours = await generateKeyPair('RS256')
  const foreign = await generateKeyPair('RS256')
  const keys = createLocalJWKSet({ keys: [{ ...(await exportJWK(ours.publicKey)), kid: '1' }] })
  const opened: { nonces?: Nonces } = {}
  const t = await openTestApp({
    environment: { GOOGLE_CLIENT_ID: CLIENT_ID, ...environment },
    features: async ({ db, config, clock }) => {
      const provider = { ...(await openIdentityProvider(config.identity, db)), keys }
      const nonces = (opened.nonces = await openNonces(db))
      const firstCredits = { amount: config.credits.initial, note: noteFirstCredits }
      return [authRoutes({ db, provider, nonces, firstCredits, now: clock.now, ...config })]
    },
  })
  const { nonces } = opened
  if (nonces === undefined) throw new Error('the features were not opened')
  return {
    ...t,
    nonces,
    async token(claims = {}, { algorithm = 'RS256', isForeignKey = false, expiresAt } = {}) {
      const now = t.clock.now().getTime()
      const payload = {
        iss: ISSUER,
        aud: CLIENT_ID,
        sub: 'subject-1',
        email: 'ada@example.org',
        email_verified: true,
        name: 'Ada',
        nonce: nonces.mint(t.clock.now()),
        ...claims,
      }
      return new SignJWT(payload)
        .setProtectedHeader({ alg: algorithm, kid: '1' })
        .setIssuedAt(Math.floor(now / 1000))
        .setExpirationTime(expiresAt ?? new Date(now + 3_600_000))
        .sign(isForeignKey ? foreign.privateKey : ours.privateKey)
    },
    async signIn(id_token, remoteAddress = '127.0.0.1', invitation?: string) {
      const url = '/connection/verify-google'
      const payload = { id_token, ...(invitation !== undefined && { invitation }) }
      const answer = await t.app.inject({ method: 'POST', url, payload, remoteAddress })
      const { api_key: key, message } = answer.json()
      return { status: answer.statusCode, key, message }
    },
  }
}
