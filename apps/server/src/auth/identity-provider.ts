/** Who vouches for people: Google, or the stand-in. Both are the same to everything after this file. */
import { createRemoteJWKSet, type JWTVerifyGetKey } from 'jose'
import type { IdentityConfig } from '#server/config.ts'
import type { Database } from '#server/db/schema.ts'
import { openStandIn, type StandIn } from './stand-in/stand-in.ts'

export type IdentityProvider = {
  clientId: string
  scriptUrl: string
  /** What ID tokens may name as their issuer; the first is how we remember it. */
  issuers: [string, ...string[]]
  keys: JWTVerifyGetKey
  standIn: (StandIn & { isExposed: boolean }) | null
}

const GOOGLE_ISSUER = 'https://accounts.google.com'
const KEYS_MS_MAX = 5000

export async function openIdentityProvider(
  identity: IdentityConfig,
  db: Database,
): Promise<IdentityProvider> {
  if (identity.kind === 'stand-in') {
    const standIn = await openStandIn(db)
    return { ...standIn, standIn: { ...standIn, isExposed: identity.isExposed } }
  }
  const { clientId, scriptUrl, keysUrl, issuer } = identity
  // Google signs under either name.
  const others = issuer === GOOGLE_ISSUER ? ['accounts.google.com'] : []
  return {
    clientId,
    scriptUrl,
    issuers: [issuer, ...others],
    keys: createRemoteJWKSet(new URL(keysUrl), { timeoutDuration: KEYS_MS_MAX }),
    standIn: null,
  }
}
