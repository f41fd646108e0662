/** HTTP face of administrators' signing in and out. */
import { adminLogout, requestAdminKey, requestAdminToken } from '@pkdex/contract'
import type { Database } from '#server/db/schema.ts'
import { adminRoute, type Feature, openRoute } from '#server/http/route.ts'
import { readFormBodies } from './form-body.ts'
import { makeKey, signIn, signOut } from './service.ts'

export function adminAuthRoutes({ db, now }: { db: Database; now: () => Date }): Feature {
  return (app) => {
    readFormBodies(app.fastify)
    openRoute(app, requestAdminToken, async ({ body, request, reply }) => {
      const { username: email, password } = body
      const token = await signIn(db, { email, password, address: request.ip, now: now() })
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
