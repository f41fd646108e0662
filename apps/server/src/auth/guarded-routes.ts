/** Calls that need somebody: a user with an API key, or an administrator with a token or a key. */
import type { Readable } from 'node:stream'
import {
  ADMIN_EMAIL_HEADER,
  ADMIN_KEY_HEADER,
  API_KEY_HEADER,
  type Endpoint,
} from '@pkdex/contract'
import type { FastifyRequest } from 'fastify'
import type { z } from 'zod'
import {
  type App,
  bindIdentified,
  type Call,
  expectAuth,
  noteCaller,
  readHeader,
} from '#server/platform/http/route.ts'
import {
  type Administrator,
  type AdministratorCredentials,
  findAdministrator,
} from './administrator.ts'
import { AppError } from '#server/platform/errors.ts'
import { type Caller, findCaller } from './caller.ts'
import { countCall } from './keys.ts'

type UserCall<Body extends z.ZodType, Query extends z.ZodType> = Call<Body, Query> & {
  userId: string
  caller: Caller
  /** For a call that reads its body itself: the key may have died while the body came in. */
  expectStillSignedIn: () => Promise<void>
}

/** A call that needs a user's API key. It is checked before the body is read. */
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
  bindIdentified(app, endpoint, identify, async (call, caller) => {
    const { key } = caller
    if (key.isBounded && !(await countCall(app.db, key.id, app.now()))) {
      throw new AppError('too_many_requests', 'This API key has made all its calls of today (UTC).')
    }
    const expectStillSignedIn = async () => void (await identify(call.request))
    return handle({ ...call, caller, userId: caller.userId, expectStillSignedIn })
  })
}

type AdminCall<Body extends z.ZodType, Query extends z.ZodType> = Call<Body, Query> & {
  administrator: Administrator
}

/** A call of an administrator. An answer too long to hold is a stream that makes the promised shape itself. */
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
