/** Verifies an ID token: signed by the provider, for this application, by the right issuer, not expired. */
import { decodeJwt, errors, jwtVerify } from 'jose'
import { z } from 'zod'
import { AppError } from '#server/platform/errors.ts'
import type { IdentityProvider } from './identity-provider.ts'

export type Identity = {
  /** The name of the provider, for messages. */
  provider: string
  /** The subject is a Google ID, which administrators assign. */
  isGoogle: boolean
  issuer: string
  subject: string
  email: string
  isEmailVerified: boolean
  /** False if the provider never says: others may then own the address. */
  isEmailProven: boolean
  /** True if the provider itself manages the email; a verified email of another domain may have changed owner. */
  isEmailTrusted: boolean
  name: string
  nonce: string
}

/** The token is invalid; the message is for the log. */
export class InvalidTokenError extends Error {
  override name = 'InvalidTokenError'
}

/** Tolerates small clock differences, as Google recommends. */
const CLOCK_TOLERANCE_SECONDS = 30

export async function readIdToken(
  { issuers, clientId, keys, development }: IdentityProvider,
  token: string,
  now: Date,
): Promise<Identity> {
  const { payload } = await jwtVerify(token, keys, {
    issuer: issuers,
    audience: clientId,
    algorithms: ['RS256'],
    requiredClaims: ['exp', 'sub', 'nonce'],
    currentDate: now,
    clockTolerance: CLOCK_TOLERANCE_SECONDS,
  }).catch(rejectToken)
  const claims = Claims.safeParse(payload)
  if (!claims.success) {
    throw new InvalidTokenError('a claim is missing or malformed', { cause: claims.error })
  }
  const { sub, email, email_verified, hd, name, nonce } = claims.data
  const isEmailVerified = email_verified === true || email_verified === 'true'
  return {
    provider: 'Google',
    isGoogle: true,
    issuer: issuers[0],
    subject: sub,
    email,
    isEmailVerified,
    isEmailProven: isEmailVerified,
    isEmailTrusted: isEmailVerified && (development !== null || isOfGoogle(email, hd)),
    name,
    nonce,
  }
}

/** Google vouches for Gmail addresses, and for addresses of organisations (`hd`) whose mail it hosts. */
function isOfGoogle(email: string, organisation: string | undefined): boolean {
  const domain = domainOf(email)
  return domain === 'gmail.com' || domain === organisation?.toLowerCase()
}

export function domainOf(email: string): string {
  return email.slice(email.lastIndexOf('@') + 1).toLowerCase()
}

/** The unverified subject of a token: used only to count failures. */
export function claimedAccount(token: string): string | null {
  try {
    return String(decodeJwt(token).sub ?? '').slice(0, 200) || null
  } catch {
    return null
  }
}

/** Rejects control characters: NUL cannot be stored, and others would be displayed. */
const words = z.string().regex(/^\P{Cc}*$/u)

export const Claims = z.object({
  sub: words.min(1).max(255),
  email: words.min(3).max(320),
  /** A string in some older Google tokens. */
  email_verified: z.union([z.boolean(), z.string()]).optional(),
  hd: words.max(255).optional(),
  name: words.max(500).default(''),
  nonce: words.min(1).max(500),
})

/** Errors of the key server, not of the token. */
const keyServerCodes: ReadonlySet<string> = new Set([
  errors.JWKSTimeout.code,
  errors.JWKSInvalid.code,
  errors.JOSEError.code,
])

function rejectToken(error: unknown): never {
  if (error instanceof errors.JOSEError && !keyServerCodes.has(error.code)) {
    throw new InvalidTokenError(error.message, { cause: error })
  }
  const message = 'Google could not be reached to verify the sign-in. Try again.'
  throw new AppError('unavailable', message, { cause: error })
}
