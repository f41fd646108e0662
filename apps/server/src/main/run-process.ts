/** Shared by the entry points: readable errors for settings, signals, and a shutdown that lets work finish. */
import type { FirstAdministrator } from '#server/auth/admin/administrators.ts'
import { type Process, openProcess } from './composition.ts'
import { findMisspelt, findRemoved } from './environment.ts'
import { type Config, readConfig, settingsTable } from './settings.ts'
import { isDatabaseOutage } from '#server/platform/db/outages.ts'
import { ModelError } from '#server/inference/service.ts'
import { openLog } from '#server/platform/log.ts'
import { OperatorError } from '#server/platform/errors.ts'
import { version } from '#server/platform/version.ts'

const CLOSE_MS_MAX = 20_000
/** How long the signal may take to end the process; after that the process exits by itself. */
const SIGNAL_MS_MAX = 500

const settingNames = settingsTable.map(({ name }) => name)

/** Exit code after which a service manager does not restart the process, as it would not help (EX_CONFIG). */
const EXIT_REFUSED = 78

export type Start = (running: Process, config: Config) => Promise<void>

/** `check` can refuse settings that this entry point cannot work with; `changes` are for tests. */
export async function runProcess(
  start: Start,
  check: (config: Config) => void,
  changes: Partial<Config> = {},
): Promise<void> {
  try {
    const config = { ...readConfig(), ...changes }
    for (const [name, meant] of findMisspelt(process.env, settingNames)) {
      console.warn(`${name} is not a setting of pKdex and is ignored. Did you mean ${meant}?`)
    }
    for (const name of findRemoved(process.env)) {
      console.warn(`${name} is no longer a setting of pKdex and is ignored.`)
    }
    check(config)
    await startOrClose(start, config)
  } catch (error) {
    const { sentence, code } = explainFailure(error)
    console.error(sentence)
    process.exit(code)
  }
}

/** One sentence for errors an operator can fix; other errors unchanged. */
export function explainFailure(error: unknown): { sentence: unknown; code: number } {
  if (error instanceof ModelError) return { sentence: error.message, code: EXIT_REFUSED }
  if (error instanceof OperatorError) {
    return { sentence: error.message, code: error.mayPass ? 1 : EXIT_REFUSED }
  }
  const refusal = describeRefusal(error)
  if (refusal !== null) return { sentence: refusal, code: EXIT_REFUSED }
  if (isDatabaseOutage(error)) {
    const sentence = `Cannot reach the PostgreSQL server in DATABASE_URL: ${reasonOf(error)}${hintOf(error)}`
    return { sentence, code: 1 }
  }
  return { sentence: error, code: 1 }
}

/** Invalid password, no such role, no such database. */
const refusedByServer = new Set(['28000', '28P01', '3D000'])

/** Errors that only an operator can fix: a restart does not help. */
function describeRefusal(error: unknown): string | null {
  const { code, port }: { code?: unknown; port?: unknown } = Object(error)
  const reason = reasonOf(error)
  if (typeof code === 'string' && refusedByServer.has(code)) {
    return `The PostgreSQL server refuses DATABASE_URL: ${reason}.`
  }
  if (code === 'EADDRINUSE') return `METRICS_PORT ${String(port)} is in use by another program.`
  return null
}

/** Such a character ends the password early, and the rest is read as the name of the server. */
function hintOf(error: unknown): string {
  return /ENOTFOUND|EAI_AGAIN/.test(reasonOf(error))
    ? '. If the password contains @, / or :, write it percent-encoded, such as %40 for @.'
    : ''
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause === undefined ? error.message : reasonOf(error.cause)
}

async function startOrClose(start: Start, config: Config): Promise<void> {
  const log = openLog(config.logLevel)
  const running = await openProcess(config, log)
  closeOnSignal(running, config, (error) => log.error({ err: error }, 'closing failed'))
  try {
    await start(running, config)
  } catch (error) {
    await running.close()
    throw isPortTaken(error)
      ? new OperatorError(`PORT ${config.port} on ${config.host} is in use by another program.`)
      : error
  }
}

function isPortTaken(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EADDRINUSE'
}

/** Serves requests, and tells the operator where and how to sign in. */
export async function serveApi(running: Process, config: Config): Promise<void> {
  const { app, firstAdministrator } = await running.startApi()
  const address = app.server.address()
  const port = typeof address === 'object' ? (address?.port ?? config.port) : config.port
  console.info(welcome(config, port, firstAdministrator))
}

/** API and predictions in one process. */
export async function serveAll(running: Process, config: Config): Promise<void> {
  await serveApi(running, config)
  await running.startWorker()
}

export function requireServerDatabase({ databaseUrl }: Config): void {
  if (databaseUrl !== undefined) return
  throw new OperatorError(
    'DATABASE_URL is not set. Separate API and worker processes need a shared PostgreSQL server. ' +
      'Set DATABASE_URL, or run npm start for both in one process.',
  )
}

/** SIGTERM waits SHUTDOWN_GRACE_MS for load balancers; SIGINT (Ctrl-C) stops immediately. */
function closeOnSignal(
  running: Process,
  { shutdownGraceMs }: Config,
  complain: (error: unknown) => void,
): void {
  let [isTold, isClosing] = [false, false]
  const close = (signal: NodeJS.Signals) => {
    if (isClosing) return
    isClosing = true
    setTimeout(() => process.exit(1), CLOSE_MS_MAX).unref()
    running.close().then(
      () => endBy(signal),
      (error: unknown) => {
        complain(error)
        process.exit(1)
      },
    )
  }
  process.on('SIGINT', close)
  process.on('SIGTERM', () => {
    if (isTold) return
    isTold = true
    if (running.announceEnd()) setTimeout(() => close('SIGTERM'), shutdownGraceMs)
    else close('SIGTERM')
  })
}

/**
 * Ends the closed process with the signal's default action. `process.exit` would join V8's threads first, which can
 * deadlock when one of them waits for a garbage collection (nodejs/node#54918). Process 1 of a container ignores
 * signals that it does not handle, so that one exits.
 */
function endBy(signal: NodeJS.Signals): void {
  process.removeAllListeners(signal)
  process.kill(process.pid, signal)
  setTimeout(() => process.exit(0), SIGNAL_MS_MAX)
}

/** Printed for the operator when the server is up. */
function welcome(config: Config, port: number, administrator: FirstAdministrator | null): string {
  const { host, identity } = config
  const address = `http://${host.includes(':') ? `[${host}]` : host}:${port}`
  return [
    '',
    `pKdex ${version} is ready at ${address}`,
    identity.kind !== 'development'
      ? describeSignUp(config)
      : 'Users sign in with the development sign-in (any email address works).',
    ...(identity.kind === 'development' && identity.isExposed ? [exposedWarning] : []),
    ...(administrator === null ? [] : describeAdministrator(administrator, address)),
    '',
  ].join('\n')
}

export function describeSignUp({
  signUp: { isOpen, domains },
  identity,
  oidc,
}: Pick<Config, 'signUp' | 'identity' | 'oidc'>): string {
  if (!isOpen) return 'Only people invited by an administrator may sign up (SIGN_UP=invited).'
  const google = identity.kind === 'google' ? ['Google'] : []
  const providers = [...google, ...oidc.providers.map(({ name }) => name)]
  const account = `an account at ${new Intl.ListFormat('en', { type: 'disjunction' }).format(providers)}`
  if (domains.length === 0) return `Anyone with ${account} may sign up (SIGN_UP=open).`
  return `Anyone with ${account} and an address of ${domains.join(', ')} may sign up (SIGN_UP_DOMAINS); others by invitation.`
}

const exposedWarning =
  'WARNING: DEV_IDENTITY=on. Anyone who can reach this address can sign in as any user.'

function describeAdministrator({ email, password }: FirstAdministrator, address: string): string[] {
  return [
    `Sign in as administrator at ${address}/admin/login`,
    `  email     ${email}`,
    password === null
      ? '  password  as set in ADMIN_PASSWORD'
      : `  password  ${password}   (shown only once)`,
  ]
}
