/** HTTP face of administrators' signing in and out. */
import { adminLogout, requestAdminKey, requestAdminToken } from '@pkdex/contract'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { AppError } from '#server/platform/errors.ts'
import type { Database } from '#server/platform/db/schema.ts'
import { adminRoute } from '#server/auth/guarded-routes.ts'
import { readCallerAddress } from '#server/platform/http/caller-address.ts'
import { type Feature, openRoute } from '#server/platform/http/route.ts'
import { makeKey, signIn, signOut } from './service.ts'

export function adminAuthRoutes({ db, now }: { db: Database; now: () => Date }): Feature {
  return (app) => {
    readFormBodies(app.fastify)
    openRoute(app, requestAdminToken, async ({ body, request, reply }) => {
      const { username: email, password } = body
      const token = await signIn(db, {
        email,
        password,
        address: readCallerAddress(request),
        now: now(),
      })
      void reply.header('Cache-Control', 'no-store')
      return {
        access_token: token.value,
        token_type: 'bearer' as const,
        expires_in: token.expiresInSeconds,
      }
    })
    adminRoute(app, requestAdminKey, async ({ administrator }) => {
      const key = await makeKey(db, administrator, now())
      return { api_key: key.value, expires_in: key.expiresInSeconds }
    })
    adminRoute(app, adminLogout, async ({ administrator }) => {
      await signOut(db, administrator, now())
      return { message: 'Signed out.' }
    })
  }
}

/** Reads the sign-in as a form, as OAuth clients send it. Every other call takes JSON only. */
function readFormBodies(fastify: FastifyInstance): void {
  fastify.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    async (request: FastifyRequest, text: string) => {
      if (text === '') return undefined
      if (request.routeOptions.url !== requestAdminToken.path) {
        throw new AppError('wrong_file_type', 'This kind of content is not accepted here.')
      }
      const fields = Object.fromEntries(new URLSearchParams(text))
      if (Object.values(fields).some((value) => value.includes('\0'))) {
        throw new AppError('invalid_request', 'The form holds a character that is not accepted.')
      }
      return fields
    },
  )
}
