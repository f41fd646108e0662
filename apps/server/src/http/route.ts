/** Binds one endpoint of the contract to its handler: who is asking, what was sent, what is answered. */
import { Readable } from 'node:stream'
import {
  ADMIN_EMAIL_HEADER,
  ADMIN_KEY_HEADER,
  API_KEY_HEADER,
  type Endpoint,
} from '@pkdex/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { Administrator, AdministratorCredentials } from './administrator.ts'
import { AppError } from './app-error.ts'
import type { Caller } from './caller.ts'
import { describeIssue } from './describe-issue.ts'

/** What features register their routes on. */
export type App = {
  fastify: FastifyInstance
  /** The caller behind an API key, or an `AppError` that says why not. */
  findCaller: (key: string | undefined) => Promise<Caller>
  /** The administrator behind a token or a key, or an `AppError` that says why not. */
  findAdministrator: (credentials: AdministratorCredentials) => Promise<Administrator>
  /** Every endpoint that was bound, for the API documentation. */
  endpoints: Endpoint[]
}

export type Feature = (app: App) => void

export type Call<Body extends z.ZodType, Query extends z.ZodType> = {
  body: z.output<Body>
  query: z.output<Query>
  /** A parameter of the path; any text without control characters. */
  param: (name: string) => string
  request: FastifyRequest
  reply: FastifyReply
}

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
  handle: (call: UserCall<Body, Query>) => Promise<z.input<Answer>>,
): void {
  expectAuth(endpoint, 'user')
  const identify = (request: FastifyRequest) => app.findCaller(readHeader(request, API_KEY_HEADER))
  bindIdentified(app, endpoint, identify, (call, caller) => {
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
  const identify = (request: FastifyRequest) => app.findAdministrator(readCredentials(request))
  bindIdentified(app, endpoint, identify, (call, administrator) =>
    handle({ ...call, administrator }),
  )
}

/**
 * Finds out who is asking before the body is read, and again once it has been: it may have taken minutes.
 * A multipart body is still unread when the handler is called, so there it is the handler that asks again.
 */
function bindIdentified<
  Body extends z.ZodType,
  Answer extends z.ZodType,
  Query extends z.ZodType,
  Who,
>(
  app: App,
  endpoint: Endpoint<Body, Answer, Query>,
  identify: (request: FastifyRequest) => Promise<Who>,
  handle: (call: Call<Body, Query>, who: Who) => Promise<z.input<Answer> | Readable>,
): void {
  const found = new WeakMap<FastifyRequest, Who>()
  bind(app, endpoint, {
    onRequest: async (request, reply) => {
      void reply.header('Cache-Control', 'no-store')
      found.set(request, await identify(request))
    },
    handle: async (call) => {
      const { request } = call
      const hasBeenRead = !endpoint.multipart && hasBody(request)
      const who = hasBeenRead ? await identify(request) : found.get(request)
      if (who === undefined) throw new Error(`${endpoint.path} was not authenticated`)
      return handle(call, who)
    },
  })
}

function hasBody({ headers }: FastifyRequest): boolean {
  return Number(headers['content-length'] ?? 0) > 0 || headers['transfer-encoding'] !== undefined
}

function readCredentials(request: FastifyRequest): AdministratorCredentials {
  const [, token] = /^Bearer +(\S+)$/i.exec(readHeader(request, 'Authorization') ?? '') ?? []
  const key = readHeader(request, ADMIN_KEY_HEADER)
  return { token, key, email: readHeader(request, ADMIN_EMAIL_HEADER) }
}

/** A call that anybody may make. */
export function openRoute<
  Body extends z.ZodType,
  Answer extends z.ZodType,
  Query extends z.ZodType,
>(
  app: App,
  endpoint: Endpoint<Body, Answer, Query>,
  handle: (call: Call<Body, Query>) => Promise<z.input<Answer>>,
): void {
  expectAuth(endpoint, 'none')
  bind(app, endpoint, { onRequest: async () => undefined, handle })
}

export function readHeader(request: FastifyRequest, name: string): string | undefined {
  const value = request.headers[name.toLowerCase()]
  return Array.isArray(value) ? value[0] : value
}

/** Whether a request brings any kind of key: a browser that only follows a link does not. */
export function hasCredential(request: FastifyRequest): boolean {
  return [API_KEY_HEADER, ADMIN_KEY_HEADER, 'Authorization'].some(
    (name) => readHeader(request, name) !== undefined,
  )
}

type Binding<Body extends z.ZodType, Answer extends z.ZodType, Query extends z.ZodType> = {
  onRequest: (request: FastifyRequest, reply: FastifyReply) => Promise<void>
  handle: (call: Call<Body, Query>) => Promise<z.input<Answer> | Readable>
}

function bind<Body extends z.ZodType, Answer extends z.ZodType, Query extends z.ZodType>(
  app: App,
  endpoint: Endpoint<Body, Answer, Query>,
  { onRequest, handle }: Binding<Body, Answer, Query>,
): void {
  app.endpoints.push(endpoint)
  app.fastify.route({
    method: endpoint.method,
    url: endpoint.path,
    // A HEAD would mint a key or read a whole export, and answer none of it.
    exposeHeadRoute: endpoint.auth !== 'admin',
    onRequest,
    handler: async (request, reply) => {
      const body = endpoint.multipart ? undefined : request.body
      const answer = await handle({
        body: endpoint.multipart ? (undefined as z.output<Body>) : parse(endpoint.body, body),
        query: parse(endpoint.query, request.query),
        param: (name) => readParam(request, name),
        request,
        reply,
      })
      return answer instanceof Readable ? answer : endpoint.answer.parse(answer)
    },
  })
}

function expectAuth({ method, path, auth }: Endpoint, expected: Endpoint['auth']): void {
  if (auth !== expected) throw new Error(`${method} ${path} is for "${auth}", not "${expected}"`)
}

function parse<Shape extends z.ZodType>(shape: Shape, value: unknown): z.output<Shape> {
  // A call without a body may carry an empty one.
  const isNothing = shape instanceof z.ZodUndefined
  const result = shape.safeParse(isNothing ? undefined : value, { error: describeIssue })
  if (result.success) return result.data
  throw new AppError('invalid_request', sentenceOf(result.error))
}

function sentenceOf(error: z.ZodError): string {
  const [issue] = error.issues
  const field = issue?.path.join('.')
  if (!field) return 'The request is not as expected.'
  if (!issue?.message) return `The field ${field} is missing or not as expected.`
  return `The field ${field} is not as expected: ${issue.message}.`
}

const CONTROL_CHARACTER = /\p{Cc}/u
const PARAM_CHARACTERS_MAX = 1000

function readParam(request: FastifyRequest, name: string): string {
  const value = (request.params as Record<string, string | undefined>)[name]
  if (value === undefined) throw new Error(`${request.url} has no parameter ${name}`)
  if (value === '' || value.length > PARAM_CHARACTERS_MAX || CONTROL_CHARACTER.test(value)) {
    throw new AppError('not_found', 'There is nothing of this name.')
  }
  return value
}
