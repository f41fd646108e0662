/** Routes that need authentication: a user with an API key, or an administrator with a token or a key. */
import type { Readable } from 'node:stream'
import {
  ADMIN_EMAIL_HEADER,
  ADMIN_KEY_HEADER,
  API_KEY_HEADER,
  type Endpoint,
  SHARED_SCREEN_HEADER,
} from '@pkdex/contract'
import type { FastifyRequest } from 'fastify'
import type { z } from 'zod'
import { type App, bindIdentified, type Call, expectAuth } from '#server/platform/http/route.ts'
import {
  type Administrator,
  type AdministratorCredentials,
  findAdministrator,
} from './administrator.ts'
import { AppError } from '#server/platform/errors.ts'
import { noteCaller, readHeader } from '#server/platform/limits/caller.ts'
import { type Caller, findCaller } from './caller.ts'
import { countCall } from './keys.ts'

type UserCall<Body extends z.ZodType, Query extends z.ZodType> = Call<Body, Query> & {
  userId: string
  caller: Caller
  /** For endpoints that read the body themselves: the key may have expired during the upload. */
  expectStillSignedIn: () => Promise<void>
}

/** An endpoint that needs a user's API key, checked before the body is read. */
export function route<Body extends z.ZodType, Answer extends z.ZodType, Query extends z.ZodType>(
  app: App,
  endpoint: Endpoint<Body, Answer, Query>,
  handle: (call: UserCall<Body, Query>) => Promise<z.input<Answer> | Readable>,
): void {
  expectAuth(endpoint, 'user')
  const identify = async (request: FastifyRequest) => {
    const caller = await findCaller(app.db, readHeader(request, API_KEY_HEADER), app.now())
    noteCaller(request, { user: caller.userId, key: caller.key.id })
    return caller
  }
  const isShared = Object.hasOwn(endpoint.headers ?? {}, SHARED_SCREEN_HEADER)
  bindIdentified(app, endpoint, identify, async (call, caller) => {
    const { key } = caller
    // Otherwise it would change or read the viewer's own item of the same name.
    if (!isShared && readHeader(call.request, SHARED_SCREEN_HEADER) !== undefined) throw viewOnly()
    if (key.isBounded && !(await countCall(app.db, key.id, app.now()))) {
      const message = 'This API key has reached its daily request limit (UTC).'
      const retryAfterSeconds = secondsLeftOfDay(app.now())
      throw new AppError('too_many_requests', message, { retryAfterSeconds })
    }
    const expectStillSignedIn = async () => void (await identify(call.request))
    return handle({ ...call, caller, userId: caller.userId, expectStillSignedIn })
  })
}

export function viewOnly(): AppError {
  const message =
    'This screen is shared with you for viewing. Copy it to your library to change or predict something.'
  return new AppError('forbidden', message)
}

function secondsLeftOfDay(now: Date): number {
  const midnight = Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() + 1)
  return Math.ceil((midnight - now.getTime()) / 1000)
}

type AdminCall<Body extends z.ZodType, Query extends z.ZodType> = Call<Body, Query> & {
  administrator: Administrator
}

/** Registers an administrator endpoint. Long responses are streams that produce the contract's shape themselves. */
export function adminRoute<
  Body extends z.ZodType,
  Answer extends z.ZodType,
  Query extends z.ZodType,
>(
  app: App,
  endpoint: Endpoint<Body, Answer, Query>,
  handle: (call: AdminCall<Body, Query>) => Promise<z.input<Answer> | Readable>,
): void {
  expectAuth(endpoint, 'admin')
  const identify = async (request: FastifyRequest) => {
    const administrator = await findAdministrator(app.db, readCredentials(request), app.now())
    noteCaller(request, { administrator: administrator.id })
    return administrator
  }
  bindIdentified(app, endpoint, identify, (call, administrator) =>
    handle({ ...call, administrator }),
  )
}

function readCredentials(request: FastifyRequest): AdministratorCredentials {
  const [, token] = /^Bearer +(\S+)$/i.exec(readHeader(request, 'Authorization') ?? '') ?? []
  const key = readHeader(request, ADMIN_KEY_HEADER)
  return { token, key, email: readHeader(request, ADMIN_EMAIL_HEADER) }
}
