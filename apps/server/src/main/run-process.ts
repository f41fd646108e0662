/** What the entries share: settings with clear errors, signals, and an end that waits for work begun. */
import type { FirstAdministrator } from '#server/auth/admin/administrators.ts'
import { type Process, openProcess } from './composition.ts'
import { type Config, ConfigError, readConfig } from './settings.ts'
import { isDatabaseOutage } from '#server/platform/db/outages.ts'
import { FolderError } from '#server/platform/db/embedded/folder-error.ts'
import { ModelError } from '#server/inference/service.ts'
import { FolderInUseError } from '#server/platform/db/embedded/folder-lock.ts'
import { openLog } from '#server/platform/log.ts'

const CLOSE_MS_MAX = 20_000

/** Starting again would change nothing: what runs the process leaves it ended (EX_CONFIG of sysexits.h). */
const EXIT_REFUSED = 78

export type Start = (running: Process, config: Config) => Promise<void>

/** `check` may refuse settings that this entry cannot work with. */
export async function runProcess(start: Start, check: (config: Config) => void): Promise<void> {
  try {
    const config = readConfig()
    check(config)
    await startOrClose(start, config)
  } catch (error) {
    const { sentence, code } = explainFailure(error)
    console.error(sentence)
    process.exit(code)
  }
}

/** What went wrong as far as an operator can mend it; everything else as it is. */
function explainFailure(error: unknown): { sentence: unknown; code: number } {
  const isRefusal =
    error instanceof ConfigError || error instanceof FolderInUseError || error instanceof ModelError
  if (isRefusal) return { sentence: error.message, code: EXIT_REFUSED }
  if (error instanceof FolderError) {
    return { sentence: error.message, code: error.mayPass ? 1 : EXIT_REFUSED }
  }
  if (isDatabaseOutage(error)) {
    const sentence = `The PostgreSQL server of DATABASE_URL does not answer: ${reasonOf(error)}`
    return { sentence, code: 1 }
  }
  return { sentence: error, code: 1 }
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
      ? new ConfigError(`PORT ${config.port} on ${config.host} is in use by another program.`)
      : error
  }
}

function isPortTaken(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EADDRINUSE'
}

/** Answers calls, and tells the operator where and how to sign in. */
export async function serveApi(running: Process, config: Config): Promise<void> {
  const { app, firstAdministrator } = await running.startApi()
  const address = app.server.address()
  const port = typeof address === 'object' ? (address?.port ?? config.port) : config.port
  console.info(welcome(config, port, firstAdministrator))
}

export function requireServerDatabase({ databaseUrl }: Config): void {
  if (databaseUrl !== undefined) return
  throw new ConfigError(
    'DATABASE_URL is not set: separate processes for calls and predictions share a PostgreSQL server. ' +
      'Set it, or run npm start, which does both in one process.',
  )
}

/** SIGTERM leaves balancers the time that they need; SIGINT, as of somebody at a terminal, ends at once, also in that time. */
function closeOnSignal(
  running: Process,
  { shutdownGraceMs }: Config,
  complain: (error: unknown) => void,
): void {
  let [isTold, isClosing] = [false, false]
  const close = () => {
    if (isClosing) return
    isClosing = true
    setTimeout(() => process.exit(1), CLOSE_MS_MAX).unref()
    running.close().then(
      () => process.exit(0),
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
    if (running.announceEnd()) setTimeout(close, shutdownGraceMs)
    else close()
  })
}

/** What an operator reads when the server is up. */
function welcome(
  { host, identity }: Config,
  port: number,
  administrator: FirstAdministrator | null,
): string {
  const address = `http://${host.includes(':') ? `[${host}]` : host}:${port}`
  return [
    '',
    `pKdex is ready at ${address}`,
    identity.kind === 'google'
      ? 'People sign in with their Google account.'
      : 'Sign in with the development sign-in: a stand-in for Google, any e-mail address will do.',
    ...(identity.kind === 'development' && identity.isExposed ? [exposedWarning] : []),
    ...(administrator === null ? [] : describeAdministrator(administrator, address)),
    '',
  ].join('\n')
}

const exposedWarning =
  'WARNING: DEV_IDENTITY=on. Anybody who reaches this address can sign in as anybody.'

function describeAdministrator({ email, password }: FirstAdministrator, address: string): string[] {
  return [
    `The first administrator signs in at ${address}/admin/login`,
    `  e-mail    ${email}`,
    password === null
      ? '  password  as set in ADMIN_PASSWORD'
      : `  password  ${password}   (shown this once, never again)`,
  ]
}
