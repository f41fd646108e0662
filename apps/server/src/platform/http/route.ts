/** Binds one endpoint of the contract to its handler: what was sent, what is answered. Who may call it, `auth` says. */
import { Readable } from 'node:stream'
import { ADMIN_KEY_HEADER, API_KEY_HEADER, type Endpoint } from '@pkdex/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { AppError } from '#server/platform/errors.ts'
import type { Database } from '#server/platform/db/schema.ts'
import { askFor } from '#server/platform/db/connection-turns.ts'
import { holdsSecret } from './compress-answers.ts'

/** What features register their routes on. */
export type App = {
  fastify: FastifyInstance
  db: Database
  now: () => Date
  /** Every endpoint that was bound, for the API documentation. */
  endpoints: Endpoint[]
}

export type Feature = (app: App) => void

/** Who made a call, for the log: ids that say nothing to a stranger. */
type LoggedCaller = { user: string; key: string } | { administrator: string }

const loggedCallers = new WeakMap<FastifyRequest, LoggedCaller>()

export function noteCaller(request: FastifyRequest, caller: LoggedCaller): void {
  loggedCallers.set(request, caller)
}

/** Undefined where nobody was let in. */
export function loggedCaller(request: FastifyRequest): LoggedCaller | undefined {
  return loggedCallers.get(request)
}

export type Call<Body extends z.ZodType, Query extends z.ZodType> = {
  body: z.output<Body>
  query: z.output<Query>
  /** A parameter of the path; any text without control characters. */
  param: (name: string) => string
  request: FastifyRequest
  reply: FastifyReply
}

/**
 * Finds out who is asking before the body is read, and again once it has been: it may have taken minutes.
 * A multipart body is still unread when the handler is called, so there it is the handler that asks again.
 */
export function bindIdentified<
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

const credentialHeaders = [API_KEY_HEADER, ADMIN_KEY_HEADER, 'Authorization']

/** Whether a request brings any kind of key: a browser that only follows a link does not. */
export function hasCredential(request: FastifyRequest): boolean {
  return credentialHeaders.some((name) => readHeader(request, name) !== undefined)
}

/** Who makes a call: until that is known, its credential, or its address. */
export function callerOf(request: FastifyRequest): string {
  const caller = loggedCaller(request)
  if (caller !== undefined) return 'user' in caller ? caller.user : caller.administrator
  const credential = credentialHeaders
    .map((name) => readHeader(request, name))
    .find((value) => value !== undefined)
  return credential ?? request.ip
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
    ...(endpoint.bodyBytesMax === undefined ? {} : { bodyLimit: endpoint.bodyBytesMax }),
    // A HEAD would mint a key or read a whole export, and answer none of it.
    exposeHeadRoute: endpoint.auth !== 'admin',
    config: { holdsSecret: holdsSecret(endpoint.answer) },
    onRequest: (request, reply) => askFor(callerOf(request), () => onRequest(request, reply)),
    handler: async (request, reply) => {
      const body = endpoint.multipart ? undefined : request.body
      const call = {
        body: endpoint.multipart ? (undefined as z.output<Body>) : parse(endpoint.body, body),
        query: parse(endpoint.query, request.query),
        param: (name: string) => readParam(request, name),
        request,
        reply,
      }
      const answer = await askFor(callerOf(request), () => handle(call))
      return answer instanceof Readable ? answer : endpoint.answer.parse(answer)
    },
  })
}

export function expectAuth({ method, path, auth }: Endpoint, expected: Endpoint['auth']): void {
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

type Issue = z.core.$ZodRawIssue
type TooSmall = Pick<z.core.$ZodIssueTooSmall, 'origin' | 'minimum' | 'inclusive'>
type TooBig = Pick<z.core.$ZodIssueTooBig, 'origin' | 'maximum' | 'inclusive'>

/**
 * Words for what a shape of the contract found wrong, because zod's own are written for programmers; a message
 * that stands in the contract itself comes first. Continues “The field … is not as expected: ”; empty where there is nothing to add.
 */
function describeIssue(issue: Issue): string {
  if (issue.code === 'too_small') return describeTooSmall(issue)
  if (issue.code === 'too_big') return describeTooBig(issue)
  if (issue.code === 'invalid_value') return `it must be one of ${issue.values.join(', ')}`
  if (issue.code === 'not_multiple_of') return `it must be a multiple of ${issue.divisor}`
  if (issue.code === 'invalid_format') return describeFormat(issue.format)
  return ''
}

function describeFormat(format: string): string {
  return format === 'email' ? 'it is not an e-mail address' : 'it has another form than expected'
}

function describeTooSmall({ origin, minimum, inclusive }: TooSmall): string {
  if (origin === 'string') {
    return minimum === 1 ? 'it is empty' : `it is shorter than ${minimum} characters`
  }
  if (!isPlain(minimum)) return 'it is too small'
  return inclusive === false ? `it must be more than ${minimum}` : `it must be at least ${minimum}`
}

function describeTooBig({ origin, maximum, inclusive }: TooBig): string {
  if (origin === 'string') return `it is longer than ${maximum} characters`
  if (!isPlain(maximum)) return 'it is too large'
  return inclusive === false ? `it must be less than ${maximum}` : `it must be at most ${maximum}`
}

/** Not where a number stops being exact, which is a limit of JavaScript and tells nobody anything. */
function isPlain(limit: number | bigint): boolean {
  return Math.abs(Number(limit)) < Number.MAX_SAFE_INTEGER
}
