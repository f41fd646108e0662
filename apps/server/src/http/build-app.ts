/** Puts the HTTP server together: what holds for every call, then the features, then the web client. */
import { randomUUID } from 'node:crypto'
import { Socket } from 'node:net'
import multipart from '@fastify/multipart'
import rateLimit, { normalizeIP } from '@fastify/rate-limit'
import fastifyStatic from '@fastify/static'
import { errorStatus } from '@pkdex/contract'
import Fastify, {
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify'
import type pino from 'pino'
import type { Config } from '#server/config.ts'
import type { Database } from '#server/db/schema.ts'
import { serveApiDocs } from './api-docs.ts'
import { findAdministrator } from './administrator.ts'
import { AppError } from './app-error.ts'
import { findCaller } from './caller.ts'
import { refuseConnection, sendError } from './error-answers.ts'
import { serveHealth } from './health.ts'
import { readJsonBodies } from './json-body.ts'
import type { App, Feature } from './route.ts'
import { addSecurityHeaders } from './security-headers.ts'
import { serveWebClient } from './web-client.ts'

/** Names of targets and compounds travel in paths. */
const PARAM_CHARACTERS_MAX = 2000
const JSON_BYTES_MAX = 256 * 1024
/** A caller who takes longer to send a request than the largest file takes over a slow line is hung up on. */
const REQUEST_MS_MAX = 300_000

export type AppParts = {
  config: Config
  db: Database
  log: pino.Logger
  now: () => Date
  features: Feature[]
}

export async function buildApp(parts: AppParts): Promise<FastifyInstance> {
  const { config, db, log, now, features } = parts
  const fastify = openFastify(config, log)
  fastify.setErrorHandler(sendError)
  fastify.setNotFoundHandler(sendNotFound)
  fastify.addHook('onSend', async (request, reply) => void reply.header('X-Request-Id', request.id))
  fastify.addHook('onResponse', logAnswer)
  fastify.addHook('onResponse', stopListening)
  readJsonBodies(fastify)
  await addSecurityHeaders(fastify, config)
  await limitRates(fastify, config)
  await fastify.register(multipart)
  const app: App = {
    fastify,
    endpoints: [],
    findCaller: (key) => findCaller(db, key, now()),
    findAdministrator: (credentials) => findAdministrator(db, credentials, now()),
  }
  for (const feature of features) feature(app)
  serveHealth(fastify, db)
  await serveApiDocs(app)
  await fastify.register(fastifyStatic, {
    root: config.samplesDir,
    prefix: '/samples/',
    index: false,
    decorateReply: false,
  })
  await serveWebClient(fastify, config.webDir)
  return fastify
}

function openFastify(config: Config, log: pino.Logger): FastifyInstance {
  return Fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => randomUUID(),
    // One hop: what a caller writes into X-Forwarded-For stands further left.
    trustProxy: config.trustProxy ? (_address, hop) => hop === 0 : false,
    bodyLimit: JSON_BYTES_MAX,
    requestTimeout: REQUEST_MS_MAX,
    routerOptions: { maxParamLength: PARAM_CHARACTERS_MAX, ignoreTrailingSlash: true },
    forceCloseConnections: 'idle',
    clientErrorHandler: refuseConnection,
    frameworkErrors: (error, request, reply) =>
      sendError(error, request as FastifyRequest, reply as FastifyReply),
  }) as unknown as FastifyInstance
}

async function sendNotFound(): Promise<never> {
  throw new AppError('not_found', 'There is nothing at this address.')
}

/** One line a call. Headers stay out of the log: they carry the keys. */
async function logAnswer(request: FastifyRequest, reply: FastifyReply): Promise<void> {
  // The pattern of the path: names of targets and compounds are nobody's business.
  const path = request.routeOptions.url ?? request.url.split('?', 1)[0]
  const { statusCode: status, elapsedTime } = reply
  const line = { method: request.method, path, status, ms: Math.round(elapsedTime) }
  if (status >= errorStatus.internal) request.log.warn(line, 'answered')
  else request.log.info(line, 'answered')
}

/** How long a caller who was answered early may go on sending, so that the answer reaches it first. */
const LINGER_MS = 1000

/** A request that was answered before it was read to its end, such as an upload that is too large. */
async function stopListening({ raw }: FastifyRequest): Promise<void> {
  const { socket } = raw
  if (raw.complete || !(socket instanceof Socket)) return
  raw.unpipe()
  raw.resume()
  const timer = setTimeout(() => socket.destroy(), LINGER_MS)
  raw.once('end', () => clearTimeout(timer))
}

async function limitRates(fastify: FastifyInstance, { rateLimit: max }: Config): Promise<void> {
  if (max === null) return
  await fastify.register(rateLimit, {
    max,
    timeWindow: 60_000,
    keyGenerator: readCallerAddress,
    errorResponseBuilder: (_request, { ttl }) =>
      new AppError('too_many_requests', 'Too many requests; please wait a moment.', {
        retryAfterSeconds: Math.ceil(ttl / 1000),
      }),
  })
}

/** A caller who hung up has no address any more; all of these count as one. An IPv6 network counts as one, too. */
function readCallerAddress({ ip }: { ip?: string }): string {
  return ip === undefined ? 'hung up' : normalizeIP(ip)
}
