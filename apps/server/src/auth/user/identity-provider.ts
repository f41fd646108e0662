/** The identity provider: Google, or the development one. Everything else treats both the same. */
import { createLocalJWKSet, createRemoteJWKSet, type JWTVerifyGetKey } from 'jose'
import type { Database } from '#server/platform/db/schema.ts'
import { type DevIdentity, openDevIdentity } from '#server/auth/dev-identity/dev-identity.ts'

/** The identity provider: Google, or the development one inside this server. */
export type IdentityConfig =
  | { kind: 'google'; clientId: string; scriptUrl: string; keysUrl: string; issuer: string }
  | { kind: 'development'; isExposed: boolean }
  /** Only other providers are configured. */
  | { kind: 'none' }

export type IdentityProvider = {
  clientId: string
  scriptUrl: string
  /** Accepted issuers in ID tokens; the first is stored. */
  issuers: [string, ...string[]]
  keys: JWTVerifyGetKey
  development: (DevIdentity & { isExposed: boolean }) | null
}

const GOOGLE_ISSUER = 'https://accounts.google.com'
const KEYS_MS_MAX = 5000

export async function openIdentityProvider(
  identity: IdentityConfig,
  db: Database,
): Promise<IdentityProvider> {
  if (identity.kind === 'development') {
    const provider = await openDevIdentity(db)
    return { ...provider, development: { ...provider, isExposed: identity.isExposed } }
  }
  if (identity.kind === 'none') {
    const keys = createLocalJWKSet({ keys: [] })
    return { clientId: '', scriptUrl: '', issuers: [GOOGLE_ISSUER], keys, development: null }
  }
  const { clientId, scriptUrl, keysUrl, issuer } = identity
  // Google uses both forms.
  const others = issuer === GOOGLE_ISSUER ? ['accounts.google.com'] : []
  return {
    clientId,
    scriptUrl,
    issuers: [issuer, ...others],
    keys: createRemoteJWKSet(new URL(keysUrl), { timeoutDuration: KEYS_MS_MAX }),
    development: null,
  }
}
