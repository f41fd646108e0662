/** Outages of a PostgreSQL server: noticing and closing dead connections, and recognising their errors. */
import type { Socket } from 'node:net'
import pg from 'pg'
import type { Log } from '#server/platform/log.ts'

/** After this long without a response a connection is suspicious. */
const SILENT_MS = 2000
/** Shorter wait while the server is known not to respond. */
const SILENT_AGAIN_MS = 500
const LOOK_INTERVAL_MS = 250
/** How long the server may take to connect, and to list its active statements. */
const ANSWER_MS_MAX = 1000

type Watched = { bytesRead: number; changedAt: number }

/**
 * Closes connections that have gone silent, as after a failover behind a proxy: a statement on one would wait
 * forever. To tell these from slow statements, the server itself is asked, on a separate connection, what it is
 * working on; so migrations, exports and lock waits are left alone. The waiting statement fails with an outage
 * error.
 */
export function watchSilence(pool: pg.Pool, url: string, log: Log): { stop(): void } {
  const clients = new Map<pg.PoolClient, Watched>()
  pool.on('connect', (client) => clients.set(client, { bytesRead: 0, changedAt: 0 }))
  pool.on('remove', (client) => clients.delete(client))
  let isAsking = false
  let isAway = false

  async function look(): Promise<void> {
    const patience = isAway ? SILENT_AGAIN_MS : SILENT_MS
    const suspects = [...clients].filter((entry) => isSilent(...entry, patience))
    if (isAsking || (suspects.length === 0 && !isAway)) return
    isAsking = true
    const working = await askWhatWorks(url).finally(() => (isAsking = false))
    isAway = working === null
    for (const [client, watched] of suspects) {
      // It may have responded meanwhile.
      if (isWorkedOn(client, working) || !isSilent(client, watched, patience)) continue
      log.warn({ isServerAway: isAway }, 'gave up a database connection that had gone silent')
      // With a statement in progress this closes the socket at once, and the statement fails.
      void (client as unknown as pg.Client).end()
    }
  }

  const timer = setInterval(() => void look(), LOOK_INTERVAL_MS).unref()
  return { stop: () => clearInterval(timer) }
}

/** Records received bytes; true if a response is outstanding and nothing has arrived for too long. */
function isSilent(client: pg.PoolClient, watched: Watched, patienceMs: number): boolean {
  const { bytesRead } = (client as unknown as pg.Client).connection.stream as Socket
  const now = performance.now()
  if (isReady(client) || bytesRead !== watched.bytesRead) {
    watched.bytesRead = bytesRead
    watched.changedAt = now
  }
  return now - watched.changedAt >= patienceMs
}

/** The driver's own flag, which its types do not declare. */
function isReady(client: pg.PoolClient): boolean {
  return (client as { readyForQuery?: boolean }).readyForQuery === true
}

type Working = { areProcessesKnown: boolean; processes: ReadonlySet<number> }

function isWorkedOn(client: pg.PoolClient, working: Working | null): boolean {
  if (working === null) return false
  return !working.areProcessesKnown || working.processes.has(processOf(client))
}

function processOf(client: object): number {
  return (client as { processID?: number }).processID ?? 0
}

/** The server processes that are running a statement; null if the server does not respond. */
async function askWhatWorks(url: string): Promise<Working | null> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: ANSWER_MS_MAX,
    query_timeout: ANSWER_MS_MAX,
  })
  client.on('error', () => undefined)
  try {
    await client.connect()
    const { rows } = await client.query<{ pid: number; own: number }>(
      `select pid, pg_backend_pid() as own from pg_stat_activity where state in ('active', 'fastpath function call')`,
    )
    // A connection pooler reports its own process ids, which are useless here.
    const areProcessesKnown = rows[0]?.own === processOf(client)
    return { areProcessesKnown, processes: new Set(rows.map(({ pid }) => pid)) }
  } catch {
    return null
  } finally {
    void client.end().catch(() => undefined)
  }
}

/** PostgreSQL's own: ended by an administrator, stopping, starting, out of connections. */
const outageCodes = new Set(['57P01', '57P02', '57P03', '53300'])
/** An interrupted upload has the same code as a broken connection, but no system call. */
const networkCode = /^E[A-Z_]+$/
const networkCalls = new Set(['connect', 'read', 'write', 'getaddrinfo'])

/** The driver gives these errors no code. */
const outageMessage =
  /^(Connection terminated|Client has encountered a connection error|timeout exceeded when trying to connect|Query read timeout)/

/** Whether an error means that the database is unavailable, rather than that a statement was wrong. */
export function isDatabaseOutage(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { code, syscall, cause } = error as Record<'code' | 'syscall' | 'cause', unknown> & Error
  if (typeof code === 'string') {
    if (outageCodes.has(code) || code.startsWith('08')) return true
    if (networkCode.test(code) && networkCalls.has(String(syscall))) return true
  }
  return outageMessage.test(error.message) || isDatabaseOutage(cause)
}

/** PostgreSQL's own: a statement found no room on the disk. */
export function isDatabaseFull(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '53100'
}
