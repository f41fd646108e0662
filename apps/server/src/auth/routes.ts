/** HTTP face of signing in and out. */
import {
  API_KEY_HEADER,
  login,
  logout,
  logoutFiles,
  messages,
  readConnectionConfig,
  verifyGoogle,
} from '@pkdex/contract'
import type { FastifyRequest } from 'fastify'
import { AppError } from '#server/http/app-error.ts'
import { type Feature, openRoute, readHeader, route } from '#server/http/route.ts'
import { readPageId } from './page-id.ts'
import { claimSession, closePage, endSession } from './sessions.ts'
import { signIn, type SignInParts } from './sign-in.ts'
import { standInRoutes } from './stand-in/routes.ts'

export type AuthParts = SignInParts & { pageCloseGraceMs: number; now: () => Date }

export function authRoutes(parts: AuthParts): Feature {
  const { provider, nonces, now } = parts
  return (app) => {
    openRoute(app, readConnectionConfig, async ({ reply }) => {
      void reply.header('Cache-Control', 'no-store')
      return {
        google_client_id: provider.clientId,
        script_url: provider.scriptUrl,
        is_stand_in: provider.standIn !== null,
        is_stand_in_exposed: provider.standIn?.isExposed ?? false,
        nonce: nonces.mint(now()),
      }
    })
    openRoute(app, verifyGoogle, async ({ body, request, reply }) => {
      void reply.header('Cache-Control', 'no-store')
      return { api_key: await signIn(parts, body.id_token, { address: request.ip, now: now() }) }
    })
    sessionRoutes(parts)(app)
    if (provider.standIn !== null) standInRoutes(provider.standIn, nonces, now)(app)
  }
}

function sessionRoutes({ db, now, pageCloseGraceMs: graceMs }: AuthParts): Feature {
  const signOut = async ({ request }: { request: FastifyRequest }) => {
    const key = readHeader(request, API_KEY_HEADER)
    const pageId = readPageId(request)
    if (key === undefined) return { message: 'Nobody was signed in.' }
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
