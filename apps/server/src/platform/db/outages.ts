/**
 * A PostgreSQL server that cannot be reached: how its connections are noticed and given up, and how an error tells.
 */
import type { Socket } from 'node:net'
import pg from 'pg'
import type { Log } from '#server/platform/log.ts'

/** A statement without an answer for this long makes its connection suspicious. */
const SILENT_MS = 2000
/** While the server is known not to answer, the next ones need not wait as long. */
const SILENT_AGAIN_MS = 500
const LOOK_INTERVAL_MS = 250
/** How long the server may take to say what it is working on. */
const ANSWER_MS_MAX = 1000

type Watched = { bytesRead: number; changedAt: number }

/**
 * Ends connections that have gone silent, as after a failover behind a proxy: nobody closes them, and a statement on
 * one would wait for ever. A statement that merely takes long is told apart by asking the server itself, on a connection
 * of its own, what it is working on; so migrations, exports and waits for a lock are left alone. Whoever waited hears of
 * an outage.
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
      // It may have answered meanwhile.
      if (isWorkedOn(client, working) || !isSilent(client, watched, patience)) continue
      log.warn({ isServerAway: isAway }, 'gave up a database connection that had gone silent')
      giveUp(client)
    }
  }

  const timer = setInterval(() => void look(), LOOK_INTERVAL_MS).unref()
  return { stop: () => clearInterval(timer) }
}

/** Notes what has come in, and says whether an answer is outstanding and nothing has come for too long. */
function isSilent(client: pg.PoolClient, watched: Watched, patienceMs: number): boolean {
  const { bytesRead } = socketOf(client)
  const now = performance.now()
  if (isReady(client) || bytesRead !== watched.bytesRead) {
    watched.bytesRead = bytesRead
    watched.changedAt = now
  }
  return now - watched.changedAt >= patienceMs
}

/** The driver's own mark, which it does not declare. */
function isReady(client: pg.PoolClient): boolean {
  return (client as { readyForQuery?: boolean }).readyForQuery === true
}

function socketOf(client: pg.PoolClient): Socket {
  return (client as unknown as pg.Client).connection.stream as Socket
}

function giveUp(client: pg.PoolClient): void {
  socketOf(client).destroy(new Error('Connection terminated: the database has gone silent'))
}

type Working = { areProcessesKnown: boolean; processes: ReadonlySet<number> }

function isWorkedOn(client: pg.PoolClient, working: Working | null): boolean {
  if (working === null) return false
  return !working.areProcessesKnown || working.processes.has(processOf(client))
}

function processOf(client: object): number {
  return (client as { processID?: number }).processID ?? 0
}

/** The server's processes that are at work on a statement; null where it does not answer. */
async function askWhatWorks(url: string): Promise<Working | null> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: ANSWER_MS_MAX })
  client.on('error', () => undefined)
  const timer = setTimeout(() => giveUp(client as unknown as pg.PoolClient), ANSWER_MS_MAX)
  try {
    await client.connect()
    const { rows } = await client.query<{ pid: number; own: number }>(
      `select pid, pg_backend_pid() as own from pg_stat_activity where state in ('active', 'fastpath function call')`,
    )
    // A pooler in between has numbers of its own, which say nothing of the server's.
    const areProcessesKnown = rows[0]?.own === processOf(client)
    return { areProcessesKnown, processes: new Set(rows.map(({ pid }) => pid)) }
  } catch {
    return null
  } finally {
    clearTimeout(timer)
    void client.end().catch(() => undefined)
  }
}

/** PostgreSQL's own: ended by an administrator, stopping, starting, out of connections. */
const outageCodes = new Set(['57P01', '57P02', '57P03', '53300'])
/** A broken upload has the code of a broken connection too, but no system call. */
const networkCode = /^E[A-Z_]+$/
const networkCalls = new Set(['connect', 'read', 'write', 'getaddrinfo'])

/** The driver gives these no code. */
const outageMessage =
  /^(Connection terminated|Client has encountered a connection error|timeout exceeded when trying to connect|Query read timeout)/

/** Whether an error says that the database cannot be reached now, rather than that a statement was wrong. */
export function isDatabaseOutage(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { code, syscall, cause } = error as Record<'code' | 'syscall' | 'cause', unknown> & Error
  if (typeof code === 'string') {
    if (outageCodes.has(code) || code.startsWith('08')) return true
    if (networkCode.test(code) && networkCalls.has(String(syscall))) return true
  }
  return outageMessage.test(error.message) || isDatabaseOutage(cause)
}
