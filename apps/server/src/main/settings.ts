/** The settings of the server, read from the environment once and checked at start. The only reader of `process.env`. */
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import { amount, domains, onOff, origins, port, text, webAddress } from './setting-values.ts'
import type { SignUp } from '#server/auth/user/sign-in.ts'
import type { IdentityConfig } from '#server/auth/user/identity-provider.ts'

export type Config = {
  port: number
  host: string
  dataDir: string
  databaseUrl: string | undefined
  databaseWaitMs: number
  identity: IdentityConfig
  signUp: SignUp
  administrator: { email: string; password: string | undefined }
  credits: { initial: number; perPrediction: number }
  uploadBytesMax: number
  /** Of all uploads together that this process receives at the same time. */
  receivingBytesMax: number
  storedBytesPerUser: number
  /** The disk of the embedded database is full with less than this. */
  diskBytesMin: number
  logLevel: (typeof logLevels)[number]
  /** Where Prometheus reads; undefined: nowhere. */
  metrics: { host: string; port: number } | undefined
  allowedOrigins: string[]
  /** Requests a minute from one address; null: no limit. */
  rateLimit: number | null
  /** True where a reverse proxy in front names the caller's address in `X-Forwarded-For`. */
  trustProxy: boolean
  workers: number
  waitingMax: { perUser: number; inAll: number }
  pageCloseGraceMs: number
  /** From SIGTERM to the end of a process that answers calls. */
  shutdownGraceMs: number
  modelDir: string
  /** The guide to the API, in Markdown. */
  guideFile: string
  samplesDir: string
  webDir: string
}

export class ConfigError extends Error {
  override name = 'ConfigError'
}

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
    'PostgreSQL server, as postgres://…; without it the database is embedded in DATA_DIR.',
    z.union([z.literal(''), z.url({ protocol: /^postgres(ql)?$/ })]),
  ),
  DATABASE_WAIT_MS: setting(
    '300000',
    'How long a start waits for that server before it ends with code 1.',
    z.coerce.number().int().min(0).max(86_400_000),
  ),
  GOOGLE_CLIENT_ID: setting(
    '',
    'OAuth client of Google sign-in; without it the development identity provider serves, on a loopback HOST only.',
    text,
  ),
  GOOGLE_SCRIPT_URL: setting(
    'https://accounts.google.com/gsi/client',
    'Script that the sign-in page loads.',
    webAddress,
  ),
  GOOGLE_JWKS_URL: setting(
    'https://www.googleapis.com/oauth2/v3/certs',
    'Keys that sign ID tokens.',
    webAddress,
  ),
  GOOGLE_ISSUER: setting(
    'https://accounts.google.com',
    'Issuer that ID tokens must name.',
    text.min(1),
  ),
  SIGN_UP: setting(
    'open',
    '`invited`: only those sign in whom an administrator has made a user; `open`: everybody, or those of SIGN_UP_DOMAINS.',
    z.enum(['open', 'invited']),
  ),
  SIGN_UP_DOMAINS: setting(
    '',
    'E-mail domains whose people may sign up, separated by commas; unset: all. Others need an invitation.',
    domains,
  ),
  DEV_IDENTITY: setting(
    'off',
    '`on` lets the development identity provider serve beyond loopback: for a closed network only.',
    onOff,
  ),
  ADMIN_EMAIL: setting(
    'admin@pkdex.local',
    'E-mail of the first administrator; used only when there is none.',
    z.email(),
  ),
  ADMIN_PASSWORD: setting(
    '',
    'Password of the first administrator; generated and printed once when unset.',
    z.union([z.literal(''), text.min(12, 'must have at least 12 characters').max(200)]),
  ),
  INITIAL_CREDITS: setting('100', 'Credits of a new user.', amount),
  CREDITS_PER_PREDICTION: setting('1', 'Credits that a prediction costs.', amount),
  UPLOAD_BYTES_MAX: setting(
    '26214400',
    'Largest file that can be uploaded, in bytes (25 MiB).',
    z.coerce.number().int().min(1).max(1_073_741_824),
  ),
  RECEIVING_BYTES_MAX: setting(
    '268435456',
    'Uploads that this process receives at the same time, in bytes together (256 MiB); further ones are answered 503.',
    z.coerce.number().int().min(1).max(68_719_476_736),
  ),
  STORED_BYTES_PER_USER: setting(
    '1073741824',
    "Most that is kept of one user's files, in bytes (1 GiB).",
    z.coerce.number().int().min(1).max(Number.MAX_SAFE_INTEGER),
  ),
  DISK_BYTES_MIN: setting(
    '268435456',
    'Bytes free on the disk of DATA_DIR below which nothing new is accepted, and `/readyz` answers 503 (256 MiB).',
    z.coerce.number().int().min(0).max(Number.MAX_SAFE_INTEGER),
  ),
  LOG_LEVEL: setting('info', `One of ${logLevels.join(', ')}.`, z.enum(logLevels)),
  METRICS_PORT: setting(
    '',
    'Port on which Prometheus reads `/metrics` of this process; unset: none.',
    z.union([z.literal(''), port]),
  ),
  METRICS_HOST: setting('127.0.0.1', 'Address of that port.', text.min(1)),
  ALLOWED_ORIGINS: setting(
    '',
    'Other origins whose pages may call the API, separated by commas.',
    origins,
  ),
  RATE_LIMIT: setting(
    '3000',
    'Requests a minute from one address to this process, or `off`.',
    z.union([z.literal('off').transform(() => null), z.coerce.number().int().min(1)]),
  ),
  TRUST_PROXY: setting(
    'off',
    "`on` behind a reverse proxy: take the caller's address from X-Forwarded-For.",
    onOff,
  ),
  WORKERS: setting(
    '2',
    'Predictions that this process runs at the same time.',
    z.coerce.number().int().min(1).max(64),
  ),
  WAITING_MAX: setting(
    '20000',
    'Predictions that may wait, of all users together; further ones are answered 503.',
    z.coerce.number().int().min(1).max(1_000_000),
  ),
  WAITING_MAX_PER_USER: setting(
    '5000',
    'Predictions of one user that may wait; further ones are answered 503.',
    z.coerce.number().int().min(1).max(1_000_000),
  ),
  PAGE_CLOSE_GRACE_MS: setting(
    '30000',
    "How long a closed page's session waits for a page to claim it again.",
    z.coerce.number().int().min(0).max(3_600_000),
  ),
  SHUTDOWN_GRACE_MS: setting(
    '0',
    'How long a process goes on answering calls after SIGTERM, with `/readyz` at 503, so that a balancer sends them elsewhere before it ends.',
    z.coerce.number().int().min(0).max(3_600_000),
  ),
  MODEL_DIR: setting('models/current', 'Folder of the model; relative to the repository.', text),
  SAMPLES_DIR: setting('samples', 'Folder of the sample files; relative to the repository.', text),
  WEB_DIR: setting('apps/web/dist', 'Built web client; relative to the repository.', text),
}

type Values = { [Name in keyof typeof settings]: z.output<(typeof settings)[Name]['read']> }

/** The settings as a table, for the README and the test that compares the two. */
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
    databaseWaitMs: values.DATABASE_WAIT_MS,
    identity: readIdentity(values, environment.NODE_ENV === 'production'),
    signUp: { isOpen: values.SIGN_UP === 'open', domains: values.SIGN_UP_DOMAINS },
    administrator: { email: values.ADMIN_EMAIL, password: values.ADMIN_PASSWORD || undefined },
    credits: { initial: values.INITIAL_CREDITS, perPrediction: values.CREDITS_PER_PREDICTION },
    uploadBytesMax: values.UPLOAD_BYTES_MAX,
    // One upload of the largest size always fits.
    receivingBytesMax: Math.max(values.RECEIVING_BYTES_MAX, 2 * values.UPLOAD_BYTES_MAX),
    storedBytesPerUser: values.STORED_BYTES_PER_USER,
    diskBytesMin: values.DISK_BYTES_MIN,
    logLevel: values.LOG_LEVEL,
    metrics:
      values.METRICS_PORT === ''
        ? undefined
        : { host: values.METRICS_HOST, port: values.METRICS_PORT },
    allowedOrigins: values.ALLOWED_ORIGINS,
    rateLimit: values.RATE_LIMIT,
    trustProxy: values.TRUST_PROXY,
    workers: values.WORKERS,
    waitingMax: { perUser: values.WAITING_MAX_PER_USER, inAll: values.WAITING_MAX },
    pageCloseGraceMs: values.PAGE_CLOSE_GRACE_MS,
    shutdownGraceMs: values.SHUTDOWN_GRACE_MS,
    modelDir: toRepository(values.MODEL_DIR),
    guideFile: toRepository('docs/api.md'),
    samplesDir: toRepository(values.SAMPLES_DIR),
    webDir: toRepository(values.WEB_DIR),
  }
}

/** A PostgreSQL server for the tests; without it they run on copies of an embedded database. */
export function readTestDatabaseUrl(): string | undefined {
  return process.env.PKDEX_TEST_DATABASE_URL || undefined
}

function readValues(environment: NodeJS.ProcessEnv): Values {
  const values: Record<string, unknown> = {}
  const problems: string[] = []
  for (const [name, { default: fallback, read }] of Object.entries(settings)) {
    const given = environment[name]?.trim()
    const result = read.safeParse(given === undefined || given === '' ? fallback : given)
    if (result.success) values[name] = result.data
    else problems.push(`${name}${quoted(name, given)} cannot be used: ${reasonOf(result.error)}`)
  }
  if (problems.length > 0) throw new ConfigError(problems.join('\n'))
  return values as Values
}

/** Secrets stay out of the log. */
function quoted(name: string, given: string | undefined): string {
  return name === 'ADMIN_PASSWORD' || name === 'DATABASE_URL' ? '' : ` "${given}"`
}

function reasonOf(error: z.ZodError): string {
  return error.issues.map((issue) => issue.message).join('; ')
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
  // A proxy on this machine brings the world to a loopback address.
  const isSafe = isLoopback(values.HOST) && !values.TRUST_PROXY && !isProduction
  if (isSafe || values.DEV_IDENTITY) return { kind: 'development', isExposed: !isSafe }
  throw new ConfigError(
    `GOOGLE_CLIENT_ID is not set, and without it anybody could sign in as anybody: ` +
      `${dangerOf(values, isProduction)} the server does not start. ` +
      `Set GOOGLE_CLIENT_ID, or DEV_IDENTITY=on on a closed network.`,
  )
}

function dangerOf({ HOST, TRUST_PROXY }: Values, isProduction: boolean): string {
  if (isProduction) return 'with NODE_ENV=production'
  return TRUST_PROXY ? 'with TRUST_PROXY=on' : `on HOST ${HOST}`
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host)
}
