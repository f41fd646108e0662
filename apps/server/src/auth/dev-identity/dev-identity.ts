/**
 * The development identity provider: issues ID tokens for any email address. With it the product works without Google
 * on one machine, through the same server code as Google.
 */
import { createHash } from 'node:crypto'
import {
  calculateJwkThumbprint,
  createLocalJWKSet,
  exportJWK,
  generateKeyPair,
  importJWK,
  type JSONWebKeySet,
  type JWK,
  type JWTVerifyGetKey,
  SignJWT,
} from 'jose'
import { z } from 'zod'
import type { Database } from '#server/platform/db/schema.ts'
import { readSecret } from '#server/auth/server-secrets.ts'

export type DevIdentity = {
  clientId: string
  scriptUrl: string
  issuers: [string]
  keys: JWTVerifyGetKey
  /** The public half of the key, in the format that Google uses. */
  publicKeys: JSONWebKeySet
  issueToken(person: { email: string; name: string; nonce: string }, now: Date): Promise<string>
}

/** Stored in existing databases, like the key name below, so the old term must stay. */
const ISSUER = 'urn:pkdex:stand-in'
const CLIENT_ID = 'pkdex-development'
const TOKEN_SECONDS = 3600

export async function openDevIdentity(db: Database): Promise<DevIdentity> {
  const text = await readSecret(db, 'stand-in key', makeKey)
  const { d: _, p: _p, q: _q, dp: _dp, dq: _dq, qi: _qi, ...publicKey } = readKey(text)
  const privateKey = await importJWK(readKey(text), 'RS256')
  const kid = await calculateJwkThumbprint(publicKey)
  const publicKeys = { keys: [{ ...publicKey, kid, alg: 'RS256', use: 'sig' }] }
  return {
    clientId: CLIENT_ID,
    scriptUrl: '/dev/identity/client.js',
    issuers: [ISSUER],
    keys: createLocalJWKSet(publicKeys),
    publicKeys,
    issueToken: ({ email, name, nonce }, now) =>
      new SignJWT({ email, email_verified: true, name, nonce })
        .setProtectedHeader({ alg: 'RS256', kid })
        .setIssuer(ISSUER)
        .setAudience(CLIENT_ID)
        .setSubject(subjectOf(email))
        .setIssuedAt(Math.floor(now.getTime() / 1000))
        .setExpirationTime(Math.floor(now.getTime() / 1000) + TOKEN_SECONDS)
        .sign(privateKey),
  }
}

/** One account per email, as with Google. */
function subjectOf(email: string): string {
  return createHash('sha256').update(email.toLowerCase()).digest('hex').slice(0, 24)
}

async function makeKey(): Promise<string> {
  const { privateKey } = await generateKeyPair('RS256', { extractable: true })
  return JSON.stringify(await exportJWK(privateKey))
}

const PrivateKey = z.looseObject({ kty: z.literal('RSA'), n: z.string(), e: z.string() })

function readKey(text: string): JWK & { kty: string } {
  return PrivateKey.parse(JSON.parse(text))
}
