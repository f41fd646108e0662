/**
 * Sign-in through any OpenID Connect provider: authorization code with PKCE, state and nonce. What must be kept until
 * the person returns is kept by the browser that started, so nobody can finish the sign-in of another browser.
 */
import type { OidcFlow } from '@pkdex/contract'
import * as client from 'openid-client'
import { AppError } from '#server/platform/errors.ts'
import { Claims, domainOf, type Identity, InvalidTokenError } from './id-token.ts'

export type OidcProvider = {
  /** Unique; on the button. */
  name: string
  issuer: string
  clientId: string
  clientSecret: string | undefined
  /** If there are any: only verified addresses of these domains may sign in. */
  domains: string[]
  /** A verified address of this provider proves who somebody is. */
  isEmailTrusted: boolean
}

export type OidcConfig = { providers: OidcProvider[]; publicUrl: string }

/** What the browser brings back: what it kept, and the query of the address that the provider sent it to. */
export type OidcReturn = { provider: string; flow: OidcFlow; parameters: string }

const REACH_SECONDS_MAX = 5
const CLOCK_TOLERANCE_SECONDS = 60
const RETURN_PATH = '/sign-in/return'

/** Asks the provider anew each time: keys rotate, and one that was down at the start may be up. */
export async function discoverProvider({
  name,
  issuer,
  clientId,
  clientSecret,
}: OidcProvider): Promise<client.Configuration> {
  const metadata = {
    ...(clientSecret !== undefined && { client_secret: clientSecret }),
    [client.clockTolerance]: CLOCK_TOLERANCE_SECONDS,
  }
  // Settings allow http on this machine only.
  const isPlain = issuer.startsWith('http:')
  try {
    return await client.discovery(
      new URL(issuer),
      clientId,
      metadata,
      clientSecret === undefined ? client.None() : undefined,
      {
        timeout: REACH_SECONDS_MAX,
        // Without this the signature of a token that comes straight from the provider is not verified.
        execute: [
          client.enableNonRepudiationChecks,
          ...(isPlain ? [client.allowInsecureRequests] : []),
        ],
      },
    )
  } catch (error) {
    throw unreachable(name, error)
  }
}

/** Where to send the browser, and what it must keep. Nothing in the request decides where the provider sends it back. */
export async function beginSignIn(
  { providers, publicUrl }: OidcConfig,
  name: string,
  nonce: string,
): Promise<{ url: string; flow: OidcFlow }> {
  const configuration = await discoverProvider(findProvider(providers, name))
  const flow = { nonce, state: client.randomState(), verifier: client.randomPKCECodeVerifier() }
  const url = client.buildAuthorizationUrl(configuration, {
    redirect_uri: publicUrl + RETURN_PATH,
    scope: 'openid email profile',
    state: flow.state,
    nonce,
    code_challenge: await client.calculatePKCECodeChallenge(flow.verifier),
    code_challenge_method: 'S256',
  })
  return { url: url.href, flow }
}

/** Exchanges the code for an ID token. Whether the nonce is ours and new is the caller's to check. */
export async function readReturn(
  { providers, publicUrl }: OidcConfig,
  { provider: name, flow, parameters }: OidcReturn,
): Promise<{ identity: Identity; idToken: string }> {
  const provider = findProvider(providers, name)
  const configuration = await discoverProvider(provider)
  const address = new URL(publicUrl + RETURN_PATH)
  address.search = parameters
  try {
    const tokens = await client.authorizationCodeGrant(configuration, address, {
      expectedNonce: flow.nonce,
      expectedState: flow.state,
      pkceCodeVerifier: flow.verifier,
    })
    const claims = tokens.claims()
    if (claims === undefined) throw new InvalidTokenError('no ID token')
    // Some providers put the address into the ID token, others only here.
    const more =
      claims['email'] === undefined && configuration.serverMetadata().userinfo_endpoint
        ? await client.fetchUserInfo(configuration, tokens.access_token, claims.sub)
        : {}
    const identity = toIdentity(provider, claims.iss, { ...more, ...claims })
    return { identity, idToken: tokens.id_token ?? '' }
  } catch (error) {
    throw explain(provider, error)
  }
}

/** Where the person can sign out at the provider, too; null if it has no such page. */
export async function findSignOut(
  { providers, publicUrl }: OidcConfig,
  { provider: name, id_token }: { provider: string; id_token?: string | undefined },
): Promise<string | null> {
  const configuration = await discoverProvider(findProvider(providers, name))
  if (configuration.serverMetadata().end_session_endpoint === undefined) return null
  return client.buildEndSessionUrl(configuration, {
    post_logout_redirect_uri: `${publicUrl}/`,
    ...(id_token !== undefined && { id_token_hint: id_token }),
  }).href
}

function findProvider(providers: OidcProvider[], name: string): OidcProvider {
  const provider = providers.find((provider) => provider.name === name)
  if (provider === undefined) throw new AppError('invalid_request', 'provider: is not configured.')
  return provider
}

function toIdentity(provider: OidcProvider, issuer: string, payload: object): Identity {
  const claims = Claims.safeParse(payload)
  if (!claims.success) {
    const isWithoutEmail = !('email' in payload)
    if (isWithoutEmail) throw new AppError('forbidden', `${provider.name} sent no email address.`)
    throw new InvalidTokenError('a claim is missing or malformed', { cause: claims.error })
  }
  const { sub, email, email_verified, name, nonce } = claims.data
  const isVerified = email_verified === true || email_verified === 'true'
  const { domains } = provider
  if (domains.length > 0 && !(isVerified && domains.includes(domainOf(email)))) {
    const message = `Only verified addresses of ${domains.join(', ')} can sign in with ${provider.name}. ${email} is not one.`
    throw new AppError('forbidden', message)
  }
  return {
    provider: provider.name,
    isGoogle: false,
    issuer,
    subject: sub,
    email,
    // Some providers, such as Entra ID, never say; these addresses are then shown, but prove nothing.
    isEmailVerified: isVerified || email_verified === undefined,
    isEmailTrusted: isVerified && provider.isEmailTrusted,
    isEmailProven: isVerified,
    name,
    nonce,
  }
}

function explain({ name }: OidcProvider, error: unknown): Error {
  if (error instanceof AppError || error instanceof InvalidTokenError) return error
  if (error instanceof client.AuthorizationResponseError && error.error === 'access_denied') {
    return new AppError('forbidden', `You did not sign in with ${name}.`)
  }
  if (isOutage(error)) return unreachable(name, error)
  return new InvalidTokenError(error instanceof Error ? error.message : String(error), {
    cause: error,
  })
}

/** No answer, or one of a server in trouble: not about this sign-in. */
function isOutage(error: unknown): boolean {
  const { code, cause }: { code?: unknown; cause?: unknown } = Object(error)
  if (cause instanceof Response) return cause.status >= 500
  return (
    code === 'OAUTH_TIMEOUT' || (cause instanceof TypeError && cause.message === 'fetch failed')
  )
}

function unreachable(name: string, cause: unknown): AppError {
  const message = `${name} could not be reached. Try again later, or sign in another way.`
  return new AppError('unavailable', message, { cause })
}
