/** Puts the HTTP server together: what holds for every call, then the features, then the web client. */
import { randomUUID } from 'node:crypto'
import { Socket } from 'node:net'
import multipart from '@fastify/multipart'
import fastifyStatic from '@fastify/static'
import { errorStatus } from '@pkdex/contract'
import Fastify, {
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify'
import { sql } from 'kysely'
import type pino from 'pino'
import type { Database } from '#server/platform/db/schema.ts'
import { compressAnswers } from './compress-answers.ts'
import { serveApiPages } from './api-pages.ts'
import { AppError } from '#server/platform/errors.ts'
import { leaveConnections } from './leave-connections.ts'
import { refuseConnection, sendError } from './error-answers.ts'
import { limitRates } from './rate-limits.ts'
import { type App, type Feature, loggedCaller } from './route.ts'
import { shedLoad } from './shed-load.ts'
import { addSecurityHeaders, type SecuritySettings } from './security-headers.ts'
import { serveWebClient } from './web-client.ts'

/** Names of targets and compounds travel in paths. */
const PARAM_CHARACTERS_MAX = 2000
const JSON_BYTES_MAX = 256 * 1024
/** A caller who takes longer to send a request than the largest file takes over a slow line is hung up on. */
const REQUEST_MS_MAX = 300_000

/** What the HTTP server needs of the settings. */
type HttpSettings = SecuritySettings & {
  /** Requests a minute from one address; null: no limit. */
  rateLimit: number | null
  trustProxy: boolean
  samplesDir: string
  webDir: string
}

export type AppDependencies = {
  config: HttpSettings
  db: Database
  log: pino.Logger
  now: () => Date
  features: Feature[]
  /** Says in one sentence why this process cannot do its work, if it cannot. */
  problem?: () => string | null
  /** Aborted when the process has been told to end, while it still answers. */
  ending?: AbortSignal
}

export async function buildApp(dependencies: AppDependencies): Promise<FastifyInstance> {
  const { config, db, log, now, features } = dependencies
  const fastify = openFastify(config, log)
  fastify.addHook('onSend', async (request, reply) => void reply.header('X-Request-Id', request.id))
  compressAnswers(fastify)
  leaveConnections(fastify, dependencies.ending)
  fastify.addHook('onResponse', logAnswer)
  fastify.addHook('onResponse', stopListening)
  readJsonBodies(fastify)
  await addSecurityHeaders(fastify, config)
  shedLoad(fastify)
  const countRefusal = await limitRates(fastify, config.rateLimit)
  fastify.setErrorHandler(async (error, request, reply) => {
    sendError(await countRefusal(error, request), request, reply)
    return reply
  })
  fastify.setNotFoundHandler(sendNotFound)
  await fastify.register(multipart)
  const app: App = {
    fastify,
    endpoints: [],
    db,
    now,
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
    // One hop: what a caller writes into X-Forwarded-For stands further left.
    trustProxy: config.trustProxy ? (_address, hop) => hop === 0 : false,
    bodyLimit: JSON_BYTES_MAX,
    requestTimeout: REQUEST_MS_MAX,
    routerOptions: { maxParamLength: PARAM_CHARACTERS_MAX, ignoreTrailingSlash: true },
    forceCloseConnections: 'idle',
    // What arrives on a connection that is still open was sent before its caller could know.
    return503OnClosing: false,
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
  const ms = Math.round(elapsedTime)
  const line = { method: request.method, path, status, ms, ...loggedCaller(request) }
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

/** JSON only. An empty body, of whatever type, is none; a NUL, which PostgreSQL cannot store, is refused here for all. */
function readJsonBodies(fastify: FastifyInstance): void {
  fastify.removeAllContentTypeParsers()
  fastify.addContentTypeParser(
    'application/json',
    { parseAs: 'string' },
    async (_request: unknown, text: string) => (text.trim() === '' ? undefined : parseJson(text)),
  )
  fastify.addContentTypeParser(
    '*',
    { parseAs: 'string' },
    async (_request: unknown, text: string) => {
      if (text === '') return
      throw new AppError('wrong_file_type', 'This kind of content is not accepted here.')
    },
  )
}

function parseJson(text: string): unknown {
  if (text.includes(String.raw`\u0000`) || text.includes('\0')) {
    throw new AppError('invalid_request', 'The request holds a character that cannot be stored.')
  }
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new AppError('invalid_request', 'The request body is not valid JSON.', { cause: error })
  }
}

const READY_MS_MAX = 3000

/** For whatever watches the process: is it alive, and can it work. */
function serveHealth(
  fastify: FastifyInstance,
  { db, problem, ending }: Pick<AppDependencies, 'db' | 'problem' | 'ending'>,
): void {
  fastify.get('/healthz', { logLevel: 'warn' }, async () => ({ status: 'alive' }))
  fastify.get('/readyz', { logLevel: 'warn' }, async () => {
    if (ending?.aborted) throw new AppError('unavailable', 'This process is about to end.')
    await answerWithin(READY_MS_MAX, sql`select 1`.execute(db)).catch((error: unknown) => {
      throw new AppError('unavailable', 'The database does not answer.', { cause: error })
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
