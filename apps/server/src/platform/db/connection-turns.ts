/**
 * Shares pool connections fairly between users, statement by statement, so a busy user does not delay others.
 * Queue workers form one group of their own.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import type pg from 'pg'
import { openPlaces } from '#server/platform/limits/places.ts'

const asking = new AsyncLocalStorage<string>()

/** Runs `work` with its database statements counted for `who`. */
export function askFor<T>(who: string, work: () => T): T {
  return asking.run(who, work)
}

const NOBODY = ''

/** `connections`: size of the pool; `waitMsMax`: its connection timeout. */
export function giveTurns(
  pool: Pick<pg.Pool, 'connect'>,
  { connections, waitMsMax }: { connections: number; waitMsMax: number },
): void {
  const places = openPlaces({ all: connections, waitMsMax, refusal: tooLate })
  const connect = pool.connect.bind(pool) as () => Promise<pg.PoolClient>

  async function connectInTurn(): Promise<pg.PoolClient> {
    const askedMs = performance.now()
    const place = await places.take(asking.getStore() ?? NOBODY)
    const connecting = connect().then(
      (client) => endingTurn(client, () => place.leave()),
      (error: unknown) => {
        place.leave()
        throw error
      },
    )
    return inTime(connecting, waitMsMax - (performance.now() - askedMs))
  }

  Object.defineProperty(pool, 'waitingCount', { get: () => places.waiting() })
  Object.assign(pool, { connect: alsoByCallback(connectInTurn) })
}

type Tell = (error: unknown, client?: pg.PoolClient) => void

/** The pool's own `query` connects with a callback. */
function alsoByCallback(connect: () => Promise<pg.PoolClient>) {
  return (tell?: Tell) => {
    const connected = connect()
    if (tell === undefined) return connected
    connected.then(
      (client) => tell(undefined, client),
      (error: unknown) => tell(error),
    )
    return undefined
  }
}

/** Releasing the client also ends the turn. */
function endingTurn(client: pg.PoolClient, endTurn: () => void): pg.PoolClient {
  const release = client.release.bind(client)
  client.release = (destroy) => {
    // A second release raises the pool's own error.
    client.release = release
    release(destroy)
    endTurn()
  }
  return client
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
