/** What the entries share: settings with clear errors, signals, and an end that waits for work begun. */
import { type Process, openProcess } from './assemble.ts'
import { type Config, ConfigError, readConfig } from './config.ts'
import { FolderInUseError } from './db/folder-lock.ts'
import { openLog } from './http/log.ts'
import { welcome } from './welcome.ts'

const CLOSE_MS_MAX = 20_000

export type Start = (running: Process, config: Config) => Promise<void>

/** `check` may refuse settings that this entry cannot work with. */
export async function runProcess(start: Start, check: (config: Config) => void): Promise<void> {
  try {
    const config = readConfig()
    check(config)
    await startOrClose(start, config)
  } catch (error) {
    const isOurs = error instanceof ConfigError || error instanceof FolderInUseError
    console.error(isOurs ? error.message : error)
    process.exit(1)
  }
}

async function startOrClose(start: Start, config: Config): Promise<void> {
  const log = openLog(config.logLevel)
  const running = await openProcess(config, log)
  closeOnSignal(running, (error) => log.error({ err: error }, 'closing failed'))
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
      'Set it, or run main-all.ts, which does both in one process.',
  )
}

function closeOnSignal(running: Process, complain: (error: unknown) => void): void {
  let isClosing = false
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
  process.on('SIGTERM', close)
  process.on('SIGINT', close)
}
