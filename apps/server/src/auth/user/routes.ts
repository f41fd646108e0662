/** HTTP routes for signing in and out. */
import {
  API_KEY_HEADER,
  beginOidc,
  finishOidc,
  findOidcSignOut,
  login,
  logout,
  logoutFiles,
  messages,
  PAGE_ID,
  PAGE_ID_HEADER,
  readConnectionConfig,
  verifyGoogle,
} from '@pkdex/contract'
import type { FastifyRequest } from 'fastify'
import { AppError } from '#server/platform/errors.ts'
import { route } from '#server/auth/guarded-routes.ts'
import { readCallerAddress } from '#server/platform/limits/caller-address.ts'
import { type Feature, openRoute } from '#server/platform/http/route.ts'
import { readHeader } from '#server/platform/limits/caller.ts'
import { ownKeyRoutes } from './own-keys.ts'
import { claimSession, closePage, endSession } from './sessions.ts'
import { beginSignIn, findSignOut, type OidcConfig } from './oidc.ts'
import { googleProof, oidcProof, signIn, type SignInDependencies } from './sign-in.ts'
import { signInRoutes } from './sign-ins.ts'
import { devIdentityRoutes } from '#server/auth/dev-identity/routes.ts'

export type AuthDependencies = SignInDependencies & {
  oidc: OidcConfig
  pageCloseGraceMs: number
  credits: { perPrediction: number }
  now: () => Date
}

export function authRoutes(dependencies: AuthDependencies): Feature {
  const { provider, nonces, oidc, now } = dependencies
  const others = oidc.providers.map(({ name }) => name)
  return (app) => {
    openRoute(app, readConnectionConfig, async ({ reply }) => {
      void reply.header('Cache-Control', 'no-store')
      return {
        google_client_id: provider.clientId,
        script_url: provider.scriptUrl,
        is_stand_in: provider.development !== null,
        is_stand_in_exposed: provider.development?.isExposed ?? false,
        initial_credits: dependencies.firstCredits.amount,
        credits_per_prediction: dependencies.credits.perPrediction,
        is_by_invitation: !dependencies.signUp.isOpen,
        nonce: nonces.mint(now()),
        ...(others.length > 0 && { providers: others }),
      }
    })
    openRoute(app, verifyGoogle, async ({ body, request, reply }) => {
      void reply.header('Cache-Control', 'no-store')
      return {
        api_key: await signIn(dependencies, googleProof(provider, body.id_token), {
          invitation: body.invitation,
          address: readCallerAddress(request),
          now: now(),
        }),
      }
    })
    if (others.length > 0) oidcRoutes(dependencies)(app)
    sessionRoutes(dependencies)(app)
    ownKeyRoutes(dependencies)(app)
    signInRoutes(dependencies)(app)
    const { development } = provider
    if (development !== null) devIdentityRoutes(development, () => nonces.mint(now()), now)(app)
  }
}

function oidcRoutes(dependencies: AuthDependencies): Feature {
  const { oidc, nonces, now } = dependencies
  return (app) => {
    openRoute(app, beginOidc, async ({ body, reply }) => {
      void reply.header('Cache-Control', 'no-store')
      return beginSignIn(oidc, body.provider, nonces.mint(now()))
    })
    openRoute(app, finishOidc, async ({ body, request, reply }) => {
      void reply.header('Cache-Control', 'no-store')
      let id_token = ''
      const proof = oidcProof(oidc, body, (token) => (id_token = token))
      const api_key = await signIn(dependencies, proof, {
        invitation: body.invitation,
        address: readCallerAddress(request),
        now: now(),
      })
      return { api_key, id_token }
    })
    openRoute(app, findOidcSignOut, async ({ body }) => ({
      url: await findSignOut(oidc, body),
    }))
  }
}

function sessionRoutes({ db, now, pageCloseGraceMs: graceMs }: AuthDependencies): Feature {
  const signOut = async ({ request }: { request: FastifyRequest }) => {
    const key = readHeader(request, API_KEY_HEADER)
    const pageId = readPageId(request)
    if (key === undefined) return { message: 'Already signed out.' }
    if (pageId === null) await endSession(db, key, now())
    else await closePage(db, key, { pageId, now: now(), graceMs })
    return { message: 'Signed out.' }
  }
  return (app) => {
    route(app, login, async ({ caller, request }) => {
      const pageId = readPageId(request)
      const { email, name, key } = caller
      const isClaim = pageId !== null && key.kind === 'session'
      if (isClaim && !(await claimSession(db, key.id, { pageId, now: now() }))) {
        throw new AppError('not_signed_in', messages.sessionExpired)
      }
      return { email, name }
    })
    openRoute(app, logout, signOut)
    openRoute(app, logoutFiles, signOut)
  }
}

/** The browser page that sent the request, if stated. */
function readPageId(request: FastifyRequest): string | null {
  const pageId = readHeader(request, PAGE_ID_HEADER)
  if (pageId === undefined) return null
  // A malformed page id treated as missing would end the session immediately.
  if (!PAGE_ID.test(pageId)) {
    throw new AppError(
      'invalid_request',
      `${PAGE_ID_HEADER} must be 1 to 100 letters, digits, _ or -.`,
    )
  }
  return pageId
}
