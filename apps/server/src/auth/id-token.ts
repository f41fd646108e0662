/** Reads an ID token: signed by the provider, for us, by the right issuer, not expired. */
import { decodeJwt, errors, jwtVerify } from 'jose'
import { z } from 'zod'
import { AppError } from '#server/http/app-error.ts'
import type { IdentityProvider } from './identity-provider.ts'

export type Identity = {
  issuer: string
  subject: string
  email: string
  isEmailVerified: boolean
  name: string
  nonce: string
}

/** The token is not to be trusted; the message is for the log. */
export class InvalidTokenError extends Error {
  override name = 'InvalidTokenError'
}

/** Google allows clocks to be a little apart, too. */
const CLOCK_TOLERANCE_SECONDS = 30

export async function readIdToken(
  { issuers, clientId, keys }: IdentityProvider,
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
  if (!claims.success) throw new InvalidTokenError('a claim is missing', { cause: claims.error })
  const { sub, email, email_verified, name, nonce } = claims.data
  return {
    issuer: issuers[0],
    subject: sub,
    email,
    isEmailVerified: email_verified === true || email_verified === 'true',
    name,
    nonce,
  }
}

/** Whom a token claims to be of, believed by nobody: only to count failures. */
export function claimedAccount(token: string): string | null {
  try {
    return String(decodeJwt(token).sub ?? '').slice(0, 200) || null
  } catch {
    return null
  }
}

const Claims = z.object({
  sub: z.string().min(1).max(255),
  email: z.string().min(3).max(320),
  /** A string in some of Google's older tokens. */
  email_verified: z.union([z.boolean(), z.string()]).optional(),
  name: z.string().max(500).default(''),
  nonce: z.string().min(1).max(500),
})

/** Failures of the key server are not the token's fault. */
const keyServerCodes: ReadonlySet<string> = new Set([
  errors.JWKSTimeout.code,
  errors.JWKSInvalid.code,
  errors.JOSEError.code,
])

function rejectToken(error: unknown): never {
  if (error instanceof errors.JOSEError && !keyServerCodes.has(error.code)) {
    throw new InvalidTokenError(error.message, { cause: error })
  }
  const message = 'Google could not be reached to check the sign-in. Please try again.'
  throw new AppError('unavailable', message, { cause: error })
}
