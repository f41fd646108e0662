/**
 * Signals committed changes to all processes of one PostgreSQL database, so that they need not poll. Messages are lost
 * while the connection is down, so listeners also poll occasionally.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import pg from 'pg'
import type { OpenDatabase } from '#server/platform/db/open.ts'
import type { Trx } from '#server/platform/db/schema.ts'
import type { Log } from '#server/platform/log.ts'

const CHANNEL = 'pkdex'
/** A connection that was lost silently is noticed after both of these. */
const CHECK_INTERVAL_MS = 10_000
const CHECK_MS_MAX = 3000
const RECONNECT_MS = 1000

export type Signals = {
  /** In the caller's transaction: reaches the listeners of every process when it is committed. */
  tell(trx: Trx, message: string): Promise<void>
  listen(listener: (message: string) => void): void
  close(): Promise<void>
}

/** The embedded database has one process, which signals itself without the database. */
export const noSignals: Signals = {
  tell: async () => undefined,
  listen: () => undefined,
  close: async () => undefined,
}

export function openSignals({ source }: Pick<OpenDatabase, 'source'>, log: Log): Signals {
  if (source.kind === 'embedded') return noSignals
  const listeners = new Set<(message: string) => void>()
  const closed = new AbortController()
  const connection = keepListening(source.url, {
    onMessage: (message) => listeners.forEach((listener) => listener(message)),
    closed: closed.signal,
    log,
  })
  return {
    async tell(trx, message) {
      await sql`select pg_notify(${CHANNEL}, ${message})`.execute(trx)
    },
    listen: (listener) => void listeners.add(listener),
    async close() {
      closed.abort()
      await connection
    },
  }
}

type Listening = { onMessage: (message: string) => void; closed: AbortSignal; log: Log }

async function keepListening(url: string, listening: Listening): Promise<void> {
  const { closed, log } = listening
  while (!closed.aborted) {
    try {
      await listenOnce(url, listening)
    } catch (error) {
      if (!closed.aborted) log.warn({ err: error }, 'new work is not announced; polling')
    }
    await pause(RECONNECT_MS, closed)
  }
}

/** On a connection outside the pool, until it is lost or closed. */
async function listenOnce(url: string, { onMessage, closed }: Listening): Promise<void> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: CHECK_MS_MAX,
    query_timeout: CHECK_MS_MAX,
    keepAlive: true,
  })
  const lost = new AbortController()
  let reason: Error | null = null
  client.on('error', (error) => {
    reason = error
    lost.abort()
  })
  client.on('end', () => lost.abort())
  client.on('notification', ({ payload }) => onMessage(payload ?? ''))
  try {
    await client.connect()
    await client.query(`listen ${CHANNEL}`)
    const over = AbortSignal.any([closed, lost.signal])
    while (!over.aborted) {
      await pause(CHECK_INTERVAL_MS, over)
      if (!over.aborted) await client.query('select 1')
    }
    if (!closed.aborted) throw reason ?? new Error('The connection was closed.')
  } finally {
    // A silent connection would never close on its own.
    client.connection.stream.destroy()
  }
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => undefined)
}
