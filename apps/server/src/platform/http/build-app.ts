/** Assembles the HTTP server: what applies to every request, then the features, then the web client. */
import { randomUUID } from 'node:crypto'
import { Socket } from 'node:net'
import multipart from '@fastify/multipart'
import fastifyStatic from '@fastify/static'
import { type Endpoint, errorStatus } from '@pkdex/contract'
import Fastify, {
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify'
import { sql } from 'kysely'
import type pino from 'pino'
import type { Database } from '#server/platform/db/schema.ts'
import { readCallerAddress } from '#server/platform/limits/caller-address.ts'
import { compressAnswers } from './compress-answers.ts'
import { serveApiPages } from './api-pages.ts'
import { AppError } from '#server/platform/errors.ts'
import { readJsonBodies } from './json-bodies.ts'
import { limitLargeBodies } from '#server/platform/limits/large-bodies.ts'
import { leaveConnections } from './leave-connections.ts'
import { refuseConnection, sendError } from './error-answers.ts'
import { openReceivingBudget } from '#server/platform/limits/receiving-budget.ts'
import { limitRates } from '#server/platform/limits/rate-limits.ts'
import { loggedCaller } from '#server/platform/limits/caller.ts'
import type { App, Feature } from './route.ts'
import { shedLoad } from '#server/platform/limits/shed-load.ts'
import { limitUnread } from '#server/platform/limits/unread-answers.ts'
import { addSecurityHeaders, type SecuritySettings } from './security-headers.ts'
import { serveWebClient } from './web-client.ts'
import { version } from '#server/platform/version.ts'

/** Paths contain target and compound names. */
const PARAM_CHARACTERS_MAX = 2000
const JSON_BYTES_MAX = 256 * 1024
/** Long enough for the largest file over a slow connection; slower requests are cut off. */
const REQUEST_MS_MAX = 300_000

/** Settings of the HTTP server. */
type HttpSettings = SecuritySettings & {
  /** Requests per minute from one address; null: no limit. */
  rateLimit: number | null
  trustProxy: boolean
  receivingBytesMax: number
  samplesDir: string
  webDir: string
}

export type AppDependencies = {
  config: HttpSettings
  db: Database
  log: pino.Logger
  now: () => Date
  features: Feature[]
  /** One sentence about why this process cannot serve, if it cannot. */
  problem?: () => string | null
  /** Aborts when the process got a stop signal but still serves. */
  ending?: AbortSignal
}

export async function buildApp(dependencies: AppDependencies): Promise<FastifyInstance> {
  const { config, db, log, now, features } = dependencies
  const fastify = openFastify(config, log)
  fastify.addHook('onSend', async (request, reply) => void reply.header('X-Request-Id', request.id))
  limitUnread(fastify)
  compressAnswers(fastify)
  leaveConnections(fastify, dependencies.ending)
  fastify.addHook('onResponse', logAnswer)
  fastify.addHook('onResponse', stopListening)
  await addSecurityHeaders(fastify, config)
  shedLoad(fastify)
  const receiving = openReceivingBudget(config.receivingBytesMax)
  limitLargeBodies(fastify, { budget: receiving, smallBytesMax: JSON_BYTES_MAX })
  readJsonBodies(fastify)
  const countRefusal = await limitRates(fastify, config.rateLimit)
  fastify.setErrorHandler(async (error, request, reply) => {
    sendError(await countRefusal(error, request), request, reply)
    return reply
  })
  await fastify.register(multipart)
  const endpoints: Endpoint[] = []
  fastify.setNotFoundHandler(refuseUnbound(endpoints))
  const app: App = {
    fastify,
    endpoints,
    db,
    now,
    receiving,
  }
  for (const feature of features) feature(app)
  serveHealth(fastify, dependencies)
  await serveApiPages(app)
  await fastify.register(fastifyStatic, {
    root: config.samplesDir,
    prefix: '/samples/',
    index: false,
    decorateReply: false,
  })
  await serveWebClient(fastify, config.webDir)
  return fastify
}

function openFastify(config: HttpSettings, log: pino.Logger): FastifyInstance {
  return Fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => randomUUID(),
    // One hop: entries a client adds to X-Forwarded-For are further left.
    trustProxy: config.trustProxy ? (_address, hop) => hop === 0 : false,
    bodyLimit: JSON_BYTES_MAX,
    requestTimeout: REQUEST_MS_MAX,
    routerOptions: { maxParamLength: PARAM_CHARACTERS_MAX, ignoreTrailingSlash: true },
    forceCloseConnections: 'idle',
    // Requests on open connections are still served: their senders could not know of the shutdown.
    return503OnClosing: false,
    clientErrorHandler: refuseConnection,
    frameworkErrors: (error, request, reply) =>
      sendError(error, request as FastifyRequest, reply as FastifyReply),
  }) as unknown as FastifyInstance
}

/** A path that has endpoints, but none with this method, gets 405 and the list of its methods. */
function refuseUnbound(endpoints: Endpoint[]) {
  return async ({ method, url }: FastifyRequest, reply: FastifyReply): Promise<never> => {
    const path = url.split('?', 1)[0] ?? ''
    const methods = endpoints
      .filter((endpoint) => isPathOf(endpoint, path))
      .map((one) => one.method)
    if (methods.length === 0) throw new AppError('not_found', 'No such endpoint.')
    const allowed = [...new Set(methods)].join(', ')
    void reply.header('Allow', allowed)
    throw new AppError(
      'method_not_allowed',
      `This endpoint does not accept ${method}; use ${allowed}.`,
    )
  }
}

function isPathOf({ path, earlierPaths = [] }: Endpoint, requested: string): boolean {
  const given = requested.replace(/\/$/, '').split('/')
  const fits = (part: string, at: number) => part.startsWith(':') || part === given[at]
  return [path, ...earlierPaths]
    .map((one) => one.split('/'))
    .some((wanted) => wanted.length === given.length && wanted.every(fits))
}

/** One line per request, without headers: they contain the keys. */
async function logAnswer(request: FastifyRequest, reply: FastifyReply): Promise<void> {
  // Log the path pattern, not the path: target and compound names are private.
  const path = request.routeOptions.url ?? request.url.split('?', 1)[0]
  const { statusCode: status, elapsedTime } = reply
  const ms = Math.round(elapsedTime)
  const address = readCallerAddress(request)
  const line = { method: request.method, path, status, ms, address, ...loggedCaller(request) }
  if (status >= errorStatus.internal) request.log.warn(line, 'answered')
  else request.log.info(line, 'answered')
}

/** How long a client that got an early response may continue to send, so that the response reaches it. */
const LINGER_MS = 1000

/** For requests that were answered before their body was read, such as an upload that is too large. */
async function stopListening({ raw }: FastifyRequest): Promise<void> {
  const { socket } = raw
  if (raw.complete || !(socket instanceof Socket)) return
  raw.unpipe()
  raw.resume()
  const timer = setTimeout(() => socket.destroy(), LINGER_MS)
  raw.once('end', () => clearTimeout(timer))
}

const READY_MS_MAX = 3000

/** Health checks: whether the process is alive, and whether it can serve. */
function serveHealth(
  fastify: FastifyInstance,
  { db, problem, ending }: Pick<AppDependencies, 'db' | 'problem' | 'ending'>,
): void {
  fastify.get('/healthz', { logLevel: 'warn' }, async ({ headers }) => ({
    status: 'alive',
    version,
    // Shows an operator what a reverse proxy makes of it (npm run doctor).
    forwarded_for: headers['x-forwarded-for'] ?? null,
  }))
  fastify.get('/readyz', { logLevel: 'warn' }, async () => {
    if (ending?.aborted) throw new AppError('unavailable', 'The server is shutting down.')
    await answerWithin(READY_MS_MAX, sql`select 1`.execute(db)).catch((error: unknown) => {
      throw new AppError('unavailable', 'The database is not responding.', { cause: error })
    })
    const known = problem?.() ?? null
    if (known !== null) throw new AppError('unavailable', known)
    return { status: 'ready' }
  })
}

async function answerWithin<T>(milliseconds: number, work: Promise<T>): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error('no answer in time')), milliseconds)
  return Promise.race([work, late]).finally(() => clearTimeout(timer))
}
