/** The settings of the server, read from the environment once and checked at start. The only reader of `process.env`. */
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import { readSecret, secrets } from './environment.ts'
import { oidcProviders } from './oidc-providers.ts'
import {
  amount,
  domains,
  metricsPlace,
  onOff,
  origins,
  port,
  text,
  webAddress,
} from './setting-values.ts'
import type { SignUp } from '#server/auth/user/sign-in.ts'
import type { OidcConfig } from '#server/auth/user/oidc.ts'
import type { IdentityConfig } from '#server/auth/user/identity-provider.ts'
import { OperatorError } from '#server/platform/errors.ts'

export type Config = {
  port: number
  host: string
  dataDir: string
  databaseUrl: string | undefined
  databaseWaitMs: number
  identity: IdentityConfig
  oidc: OidcConfig
  signUp: SignUp
  administrator: { email: string; password: string | undefined }
  credits: { initial: number; perPrediction: number }
  uploadBytesMax: number
  /** Total size of all uploads that this process receives at the same time. */
  receivingBytesMax: number
  storedBytesPerUser: number
  /** With less free space, the disk of the embedded database counts as full. */
  diskBytesMin: number
  logLevel: (typeof logLevels)[number]
  /** Address for Prometheus; undefined if there is none. */
  metrics: { host: string; port: number } | undefined
  allowedOrigins: string[]
  /** Requests per minute from one address; null: no limit. */
  rateLimit: number | null
  /** True if a reverse proxy in front states the client's address in `X-Forwarded-For`. */
  trustProxy: boolean
  workers: number
  waitingMax: { perUser: number; inAll: number }
  pageCloseGraceMs: number
  /** How long a process continues to serve after SIGTERM. */
  shutdownGraceMs: number
  modelDir: string
  samplesDir: string
  webDir: string
}

/** The receiving budget, as a number of uploads of the largest size. */
const RECEIVED_AT_ONCE = 10
/** Maximum number of waiting predictions; further requests get 503. */
const WAITING_MAX = { perUser: 5000, inAll: 20_000 }
/** How long the process waits for the PostgreSQL server at start before it exits with code 1. */
const DATABASE_WAIT_MS = 300_000
/** Minimum free disk space in DATA_DIR; below it, uploads and predictions get 503. */
const DISK_BYTES_MIN = 256 * 1024 * 1024
/** How long a session survives after its last page is closed. */
const PAGE_CLOSE_GRACE_MS = 30_000
const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const
const repository = fileURLToPath(new URL('../../../../', import.meta.url))
const toRepository = (path: string) => resolve(repository, path)

type Setting<T> = { default: string; meaning: string; read: z.ZodType<T, string> }

function setting<T>(fallback: string, meaning: string, read: z.ZodType<T, unknown>): Setting<T> {
  return { default: fallback, meaning, read: read as z.ZodType<T, string> }
}

/** Every setting: its default as text (empty: unset), what it is for, and what it accepts. */
const settings = {
  PORT: setting('8000', 'Port of the web app and the API.', port),
  HOST: setting('127.0.0.1', 'Address to listen on.', text.min(1)),
  DATA_DIR: setting('./data', 'Folder of the embedded database.', text.min(1)),
  DATABASE_URL: setting(
    '',
    'PostgreSQL server (postgres://…). If unset, the embedded database in DATA_DIR is used.',
    z.union([z.literal(''), z.url({ protocol: /^postgres(ql)?$/ })]),
  ),
  GOOGLE_CLIENT_ID: setting(
    '',
    'OAuth client ID for Google sign-in. If unset, the development sign-in is used, on a loopback HOST only.',
    text,
  ),
  GOOGLE_SCRIPT_URL: setting(
    'https://accounts.google.com/gsi/client',
    'Script that the sign-in page loads.',
    webAddress,
  ),
  GOOGLE_JWKS_URL: setting(
    'https://www.googleapis.com/oauth2/v3/certs',
    'Public keys used to verify ID tokens.',
    webAddress,
  ),
  GOOGLE_ISSUER: setting(
    'https://accounts.google.com',
    'Required issuer of ID tokens.',
    text.min(1),
  ),
  OIDC_PROVIDERS: setting(
    '',
    'Other OpenID Connect providers, as a JSON list; needs PUBLIC_URL. See “Other sign-in”.',
    oidcProviders,
  ),
  PUBLIC_URL: setting(
    '',
    'Address of the web app for its users, such as https://pkdex.example.org.',
    z.union([
      z.literal(''),
      webAddress.refine((url) => URL.parse(url)?.origin === url, 'write it without a path'),
    ]),
  ),
  SIGN_UP: setting(
    'open',
    '`invited`: only users created by an administrator can sign in; `open`: anyone can, or anyone in SIGN_UP_DOMAINS.',
    z.enum(['open', 'invited']),
  ),
  SIGN_UP_DOMAINS: setting(
    '',
    'Email domains that may sign up, separated by commas (unset: all). Others need an invitation.',
    domains,
  ),
  DEV_IDENTITY: setting(
    'off',
    '`on` allows the development sign-in beyond loopback. Use only on a closed network.',
    onOff,
  ),
  ADMIN_EMAIL: setting(
    'admin@pkdex.local',
    'Email of the first administrator. Used only if there is no administrator yet.',
    z.email(),
  ),
  ADMIN_PASSWORD: setting(
    '',
    'Password of the first administrator. If unset, one is generated and printed once.',
    z.union([z.literal(''), text.min(12, 'must have at least 12 characters').max(200)]),
  ),
  INITIAL_CREDITS: setting('100', 'Initial credits of a new user.', amount),
  CREDITS_PER_PREDICTION: setting('1', 'Credits per prediction.', amount),
  UPLOAD_BYTES_MAX: setting(
    '26214400',
    'Maximum upload size in bytes (25 MiB).',
    z.coerce.number().int().min(1).max(1_073_741_824),
  ),
  STORED_BYTES_PER_USER: setting(
    '1073741824',
    'Storage limit per user, in bytes (1 GiB).',
    z.coerce.number().int().min(1).max(Number.MAX_SAFE_INTEGER),
  ),
  LOG_LEVEL: setting('info', `One of ${logLevels.join(', ')}.`, z.enum(logLevels)),
  METRICS_PORT: setting(
    '',
    'Port that serves `/metrics` for Prometheus on 127.0.0.1 (unset: none); with an address before it, such as `0.0.0.0:9400`, on that address.',
    metricsPlace,
  ),
  ALLOWED_ORIGINS: setting(
    '',
    'Other origins allowed to call the API, separated by commas.',
    origins,
  ),
  RATE_LIMIT: setting(
    '3000',
    'Requests per minute from one address to this process, or `off`.',
    z.union([z.literal('off').transform(() => null), z.coerce.number().int().min(1)]),
  ),
  TRUST_PROXY: setting(
    'off',
    '`on` behind a reverse proxy: read the client address from X-Forwarded-For.',
    onOff,
  ),
  WORKERS: setting(
    '2',
    'Number of predictions this process runs in parallel.',
    z.coerce.number().int().min(1).max(64),
  ),
  SHUTDOWN_GRACE_MS: setting(
    '0',
    'How long a process keeps serving after SIGTERM, in milliseconds, while `/readyz` returns 503, so that a load balancer stops sending requests.',
    z.coerce.number().int().min(0).max(3_600_000),
  ),
  MODEL_DIR: setting('models/current', 'Model folder, relative to the repository.', text),
}

type Values = { [Name in keyof typeof settings]: z.output<(typeof settings)[Name]['read']> }

/** The settings as a table, for docs/operations.md and the test that compares the two. */
export const settingsTable: { name: string; default: string; meaning: string }[] = Object.entries(
  settings,
).map(([name, { default: fallback, meaning }]) => ({ name, default: fallback, meaning }))

export function readConfig(environment: NodeJS.ProcessEnv = process.env): Config {
  const values = readValues(environment)
  return {
    port: values.PORT,
    host: values.HOST,
    dataDir: resolve(values.DATA_DIR),
    databaseUrl: values.DATABASE_URL || undefined,
    databaseWaitMs: DATABASE_WAIT_MS,
    identity: readIdentity(values, environment.NODE_ENV === 'production'),
    oidc: readOidc(values),
    signUp: { isOpen: values.SIGN_UP === 'open', domains: values.SIGN_UP_DOMAINS },
    administrator: { email: values.ADMIN_EMAIL, password: values.ADMIN_PASSWORD || undefined },
    credits: { initial: values.INITIAL_CREDITS, perPrediction: values.CREDITS_PER_PREDICTION },
    uploadBytesMax: values.UPLOAD_BYTES_MAX,
    receivingBytesMax: RECEIVED_AT_ONCE * values.UPLOAD_BYTES_MAX,
    storedBytesPerUser: values.STORED_BYTES_PER_USER,
    diskBytesMin: DISK_BYTES_MIN,
    logLevel: values.LOG_LEVEL,
    metrics: values.METRICS_PORT,
    allowedOrigins: values.ALLOWED_ORIGINS,
    rateLimit: values.RATE_LIMIT,
    trustProxy: values.TRUST_PROXY,
    workers: values.WORKERS,
    waitingMax: WAITING_MAX,
    pageCloseGraceMs: PAGE_CLOSE_GRACE_MS,
    shutdownGraceMs: values.SHUTDOWN_GRACE_MS,
    modelDir: toRepository(values.MODEL_DIR),
    samplesDir: toRepository('samples'),
    webDir: toRepository('apps/web/dist'),
  }
}

/** A PostgreSQL server for the tests; without it they use copies of an embedded database. */
export function readTestDatabaseUrl(): string | undefined {
  return process.env.PKDEX_TEST_DATABASE_URL || undefined
}

function readValues(environment: NodeJS.ProcessEnv): Values {
  const values: Record<string, unknown> = {}
  const problems: string[] = []
  for (const [name, { default: fallback, read }] of Object.entries(settings)) {
    const given = (secrets.has(name) ? readSecret(environment, name) : environment[name])?.trim()
    const result = read.safeParse(given === undefined || given === '' ? fallback : given)
    if (result.success) values[name] = result.data
    else problems.push(`${name}${quoted(name, given)} is not valid: ${reasonOf(result.error)}`)
  }
  if (problems.length > 0) throw new OperatorError(problems.join('\n'))
  return values as Values
}

/** Secrets are not logged. */
function quoted(name: string, given: string | undefined): string {
  return secrets.has(name) ? '' : ` "${given}"`
}

function reasonOf(error: z.ZodError): string {
  return error.issues.map(describeIssue).join('; ')
}

function describeIssue({ code, message }: z.core.$ZodIssue): string {
  return code === 'invalid_type' ? 'must be a number' : message
}

function readIdentity(values: Values, isProduction: boolean): IdentityConfig {
  if (values.GOOGLE_CLIENT_ID !== '') {
    return {
      kind: 'google',
      clientId: values.GOOGLE_CLIENT_ID,
      scriptUrl: values.GOOGLE_SCRIPT_URL,
      keysUrl: values.GOOGLE_JWKS_URL,
      issuer: values.GOOGLE_ISSUER,
    }
  }
  if (values.OIDC_PROVIDERS.length > 0 && !values.DEV_IDENTITY) return { kind: 'none' }
  // Through a proxy on this machine, anyone can reach a loopback address.
  const isSafe = isLoopback(values.HOST) && !values.TRUST_PROXY && !isProduction
  if (isSafe || values.DEV_IDENTITY) return { kind: 'development', isExposed: !isSafe }
  throw new OperatorError(
    'GOOGLE_CLIENT_ID is not set, so anyone could sign in as any user. ' +
      `The server does not start ${dangerOf(values, isProduction)}. ` +
      'Set GOOGLE_CLIENT_ID or OIDC_PROVIDERS, or DEV_IDENTITY=on on a closed network.',
  )
}

function readOidc({ OIDC_PROVIDERS: providers, PUBLIC_URL: publicUrl }: Values): OidcConfig {
  if (providers.length > 0 && publicUrl === '') {
    throw new OperatorError('OIDC_PROVIDERS needs PUBLIC_URL, to which providers send people back.')
  }
  return { providers, publicUrl }
}

function dangerOf({ HOST, TRUST_PROXY }: Values, isProduction: boolean): string {
  if (isProduction) return 'with NODE_ENV=production'
  return TRUST_PROXY ? 'with TRUST_PROXY=on' : `on HOST ${HOST}`
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host)
}
