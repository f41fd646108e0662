/**
 * Binds an endpoint of the contract to its handler: parses the request and sends the response. `auth` decides who may
 * call it.
 */
import { Readable } from 'node:stream'
import type { Endpoint } from '@pkdex/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { AppError } from '#server/platform/errors.ts'
import type { Database } from '#server/platform/db/schema.ts'
import { askFor } from '#server/platform/db/connection-turns.ts'
import { holdsSecret } from './compress-answers.ts'
import { partsMaxOf } from './json-bodies.ts'
import { callerOf } from '#server/platform/limits/caller.ts'
import type { ReceivingBudget } from '#server/platform/limits/receiving-budget.ts'

/** The object on which features register their routes. */
export type App = {
  fastify: FastifyInstance
  db: Database
  now: () => Date
  /** Byte budget of this process for receiving. */
  receiving: ReceivingBudget
  /** Every bound endpoint, for the API documentation. */
  endpoints: Endpoint[]
}

export type Feature = (app: App) => void

export type Call<Body extends z.ZodType, Query extends z.ZodType> = {
  body: z.output<Body>
  query: z.output<Query>
  /** A path parameter; any text without control characters. */
  param: (name: string) => string
  request: FastifyRequest
  reply: FastifyReply
  /** Aborts when the client has disconnected. */
  gone: AbortSignal
}

/** A key may have been revoked while a body took longer than this to arrive. */
const BODY_MS_MAX = 100

/**
 * Authenticates before the body is read, and again after one that took long, because an upload may take minutes. A
 * multipart body is still unread when the handler is called, so there the handler authenticates again.
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
  const found = new WeakMap<FastifyRequest, { who: Who; atMs: number }>()
  bind(app, endpoint, {
    onRequest: async (request, reply) => {
      void reply.header('Cache-Control', 'no-store')
      found.set(request, { who: await identify(request), atMs: performance.now() })
    },
    handle: async (call) => {
      const { request } = call
      const known = found.get(request)
      if (known === undefined) throw new Error(`${endpoint.path} was not authenticated`)
      const tookLong = performance.now() - known.atMs > BODY_MS_MAX
      const isOld = tookLong && !endpoint.multipart && hasBody(request)
      return handle(call, isOld ? await identify(request) : known.who)
    },
  })
}

function hasBody({ headers }: FastifyRequest): boolean {
  return Number(headers['content-length'] ?? 0) > 0 || headers['transfer-encoding'] !== undefined
}

/** An endpoint without authentication. */
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
  for (const url of [endpoint.path, ...(endpoint.earlierPaths ?? [])]) {
    app.fastify.route({
      method: endpoint.method,
      url,
      ...(endpoint.bodyBytesMax === undefined ? {} : { bodyLimit: endpoint.bodyBytesMax }),
      // No HEAD routes: they would create a key or read a whole export and send nothing.
      exposeHeadRoute: endpoint.auth !== 'admin',
      config: {
        holdsSecret: holdsSecret(endpoint.answer),
        isUpload: endpoint.multipart === true,
        partsMax: partsMaxOf(endpoint.body),
      },
      onRequest: (request, reply) => askFor(callerOf(request), () => onRequest(request, reply)),
      handler: async (request, reply) => {
        const body = endpoint.multipart ? undefined : request.body
        const call = {
          body: endpoint.multipart ? (undefined as z.output<Body>) : parse(endpoint.body, body),
          query: parse(endpoint.query, withoutNul(request.query)),
          param: (name: string) => readParam(request, name),
          request,
          reply,
          gone: watchCaller(reply),
        }
        const answer = await askFor(callerOf(request), () => handle(call))
        return answer instanceof Readable ? answer : endpoint.answer.parse(answer)
      },
    })
  }
}

/** Also aborts after the response. */
function watchCaller({ raw }: FastifyReply): AbortSignal {
  const gone = new AbortController()
  const leave = () => gone.abort(new AppError('invalid_request', 'The caller has hung up.'))
  if (raw.destroyed) leave()
  raw.once('close', leave)
  return gone.signal
}

export function expectAuth({ method, path, auth }: Endpoint, expected: Endpoint['auth']): void {
  if (auth !== expected) throw new Error(`${method} ${path} is for "${auth}", not "${expected}"`)
}

function parse<Shape extends z.ZodType>(shape: Shape, value: unknown): z.output<Shape> {
  // An endpoint without a body also accepts an empty one.
  const isNothing = shape instanceof z.ZodUndefined
  const result = shape.safeParse(isNothing ? undefined : value, { error: describeIssue })
  if (result.success) return result.data
  throw new AppError('invalid_request', sentenceOf(result.error))
}

function sentenceOf(error: z.ZodError): string {
  const [first] = error.issues
  const issue = first && mostTelling(first)
  const field = issue?.path.join('.')
  if (issue?.code === 'unrecognized_keys') return describeUnknown(issue)
  if (!field) return issue?.message || 'Invalid request.'
  if (!issue?.message) return `${field}: missing or invalid.`
  return `${field}: ${issue.message}.`
}

/** A refusal must not be larger than the request. */
const NAMED_MAX = 5

function describeUnknown({ keys, path }: z.core.$ZodIssueUnrecognizedKeys): string {
  const names = keys.slice(0, NAMED_MAX).map((key) => [...path, key.slice(0, 100)].join('.'))
  const more = keys.length - names.length
  const others = more > 0 ? ` and ${more.toLocaleString('en')} more` : ''
  return `${keys.length === 1 ? 'Unknown field' : 'Unknown fields'}: ${names.join(', ')}${others}.`
}

/** For a union: the issue with the shape that was sent. */
function mostTelling(issue: z.core.$ZodIssue): z.core.$ZodIssue {
  if (issue.code !== 'invalid_union') return issue
  const inner = issue.errors.flat().find(({ code }) => code !== 'invalid_type')
  return inner === undefined
    ? issue
    : mostTelling({ ...inner, path: [...issue.path, ...inner.path] })
}

const CONTROL_CHARACTER = /\p{Cc}/u
const PARAM_CHARACTERS_MAX = 1000

/** PostgreSQL cannot store NUL, so no row can match it. */
function withoutNul(query: unknown): unknown {
  for (const [name, value] of Object.entries(query as Record<string, unknown>)) {
    if (!JSON.stringify([name, value]).includes(String.raw`\u0000`)) continue
    throw new AppError('invalid_request', `The field ${name} contains a NUL character.`)
  }
  return query
}

function readParam(request: FastifyRequest, name: string): string {
  const value = (request.params as Record<string, string | undefined>)[name]
  if (value === undefined) throw new Error(`${request.url} has no parameter ${name}`)
  if (value === '' || value.length > PARAM_CHARACTERS_MAX || CONTROL_CHARACTER.test(value)) {
    throw new AppError('not_found', 'Not found.')
  }
  return value
}

type Issue = z.core.$ZodRawIssue
type TooSmall = Pick<z.core.$ZodIssueTooSmall, 'origin' | 'minimum' | 'inclusive'>
type TooBig = Pick<z.core.$ZodIssueTooBig, 'origin' | 'maximum' | 'inclusive'>

/**
 * Plain words for zod's messages, which are written for programmers; a message in the contract takes precedence.
 * Continues “The field … is not as expected: ”; empty if there is nothing to add.
 */
function describeIssue(issue: Issue): string {
  if (issue.code === 'too_small') return describeTooSmall(issue)
  if (issue.code === 'too_big') return describeTooBig(issue)
  if (issue.code === 'invalid_value') return `must be one of ${issue.values.join(', ')}`
  if (issue.code === 'not_multiple_of') return `must be a multiple of ${issue.divisor}`
  if (issue.code === 'invalid_format') return describeFormat(issue.format)
  return ''
}

function describeFormat(format: string): string {
  return format === 'email' ? 'must be an email address' : 'has the wrong format'
}

const units: Record<string, string> = { string: 'characters', array: 'entries' }

function describeTooSmall({ origin, minimum, inclusive }: TooSmall): string {
  const unit = units[origin]
  if (unit) return minimum === 1 ? 'must not be empty' : `must have at least ${minimum} ${unit}`
  if (!isPlain(minimum)) return 'is too small'
  return inclusive === false ? `must be greater than ${minimum}` : `must be at least ${minimum}`
}

function describeTooBig({ origin, maximum, inclusive }: TooBig): string {
  const unit = units[origin]
  if (unit) return `must have at most ${maximum} ${unit}`
  if (!isPlain(maximum)) return 'is too large'
  return inclusive === false ? `must be less than ${maximum}` : `must be at most ${maximum}`
}

/** False for JavaScript's safe-integer limits, which mean nothing to users. */
function isPlain(limit: number | bigint): boolean {
  return Math.abs(Number(limit)) < Number.MAX_SAFE_INTEGER
}
