/** HTTP routes for administrator sign-in and sign-out, and administrator accounts. */
import * as calls from '@pkdex/contract'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { AppError } from '#server/platform/errors.ts'
import type { Database } from '#server/platform/db/schema.ts'
import { adminRoute } from '#server/auth/guarded-routes.ts'
import { readCallerAddress } from '#server/platform/limits/caller-address.ts'
import { type App, type Feature, openRoute } from '#server/platform/http/route.ts'
import {
  createAdministrator,
  deleteAdministrator,
  listAdministrators,
  makePassword,
} from './administrators.ts'
import { changeOwnPassword } from './own-password.ts'
import { makeKey, signIn, signOut } from './service.ts'

type Dependencies = { db: Database; now: () => Date }

export function adminAuthRoutes({ db, now }: Dependencies): Feature {
  return (app) => {
    readFormBodies(app.fastify)
    openRoute(app, calls.requestAdminToken, async ({ body, request, reply }) => {
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
    adminRoute(app, calls.requestAdminKey, async ({ administrator }) => {
      const key = await makeKey(db, administrator, now())
      return { api_key: key.value, expires_in: key.expiresInSeconds }
    })
    adminRoute(app, calls.adminLogout, async ({ administrator }) => {
      await signOut(db, administrator, now())
      return { message: 'Signed out.' }
    })
    adminRoute(app, calls.changeAdminPassword, async ({ body, administrator, request }) => {
      const { current_password: current, new_password: next } = body
      const change = { current, next, address: readCallerAddress(request), now: now() }
      await changeOwnPassword(db, administrator, change)
      return { message: 'Your password was changed.' }
    })
    accountRoutes(app, { db, now })
  }
}

function accountRoutes(app: App, { db, now }: Dependencies): void {
  adminRoute(app, calls.listAdministrators, async ({ administrator }) => {
    const all = await listAdministrators(db)
    return {
      administrators: all.map(({ email, createdAt }) => ({
        email,
        created_at: createdAt.toISOString(),
        is_you: email === administrator.email,
      })),
    }
  })
  adminRoute(app, calls.createAdministrator, async ({ body: { email }, administrator }) => {
    const password = makePassword()
    await createAdministrator(db, { email, password, actor: administrator.email, now: now() })
    return { email, password }
  })
  adminRoute(app, calls.deleteAdministrator, async ({ param, administrator }) => {
    const email = param('email')
    if (email.toLowerCase() === administrator.email.toLowerCase()) {
      throw new AppError(
        'conflict',
        'You cannot delete your own account. Ask another administrator.',
      )
    }
    await deleteAdministrator(db, { email, actor: administrator.email, now: now() })
    return { message: `${email} was deleted.` }
  })
}

/** Reads the sign-in as a form, as OAuth clients send it. All other endpoints accept JSON only. */
function readFormBodies(fastify: FastifyInstance): void {
  fastify.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    async (request: FastifyRequest, text: string) => {
      if (text === '') return undefined
      if (request.routeOptions.url !== calls.requestAdminToken.path) {
        throw new AppError('wrong_file_type', 'This kind of content is not accepted here.')
      }
      const fields = Object.fromEntries(new URLSearchParams(text))
      if (Object.values(fields).some((value) => value.includes('\0'))) {
        throw new AppError('invalid_request', 'The form contains a NUL character.')
      }
      return fields
    },
  )
}
