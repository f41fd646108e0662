/**
 * Shares pool connections fairly between users, statement by statement, so a busy user does not delay others.
 * Queue workers form one group of their own.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import type { PostgresPool } from 'kysely'
import type pg from 'pg'
import { openPlaces, type Place } from '#server/platform/limits/places.ts'

const asking = new AsyncLocalStorage<string>()

/** Runs `work` with its database statements counted for `who`. */
export function askFor<T>(who: string, work: () => T): T {
  return asking.run(who, work)
}

const NOBODY = ''

/** What Kysely, the queue and exports use instead of the pool itself. */
export type Connections = Omit<PostgresPool, 'connect'> & {
  connect(): Promise<pg.PoolClient>
  counts(): { open: number; idle: number; waitedFor: number }
}

/** `connections`: size of the pool; `waitMsMax`: its connection timeout. */
export function openTurns(
  pool: pg.Pool,
  { connections, waitMsMax }: { connections: number; waitMsMax: number },
): Connections {
  const places = openPlaces({ all: connections, waitMsMax, refusal: tooLate })
  const turns = new WeakMap<pg.PoolClient, Place>()
  pool.on('release', (_error, client) => turns.get(client)?.leave())

  async function connect(place: Place): Promise<pg.PoolClient> {
    try {
      const client = await pool.connect()
      turns.set(client, place)
      return client
    } catch (error) {
      place.leave()
      throw error
    }
  }

  return {
    async connect() {
      const startedMs = performance.now()
      const place = await places.take(asking.getStore() ?? NOBODY)
      return inTime(connect(place), waitMsMax - (performance.now() - startedMs))
    },
    end: () => pool.end(),
    options: pool.options,
    counts: () => ({
      open: pool.totalCount,
      idle: pool.idleCount,
      waitedFor: places.waiting(),
    }),
  }
}

/**
 * Waiting for a turn counts towards the connection timeout; a connection that arrives too late is returned to the
 * pool.
 */
async function inTime(connecting: Promise<pg.PoolClient>, leftMs: number): Promise<pg.PoolClient> {
  const { promise: over, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => {
    reject(tooLate())
    connecting.then(
      (client) => client.release(),
      () => undefined,
    )
  }, leftMs)
  return Promise.race([connecting, over]).finally(() => clearTimeout(timer))
}

/** Same message as the pool's own timeout; outages.ts matches on it. */
function tooLate(): Error {
  return new Error('timeout exceeded when trying to connect')
}
