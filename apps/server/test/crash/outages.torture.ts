/** PKDEX_AWAY_SECONDS: how long PostgreSQL does not respond. */
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, expect, test } from 'vitest'
import { openTestProxy } from '#test/open-test-proxy.ts'
import { mixedSettings, singleCalls } from './mixed-load.ts'
import { hasPostgres, openOwnPostgres, type OwnPostgres } from './own-postgres.ts'
import { openProcesses, startProcesses } from './products.ts'
import { findFaultsOf, type Scenario, untilPredicted } from './scenario.ts'
import { answerOf, killSpawned } from './spawned-server.ts'

const { PKDEX_AWAY_SECONDS } = process.env
const BACK_MS_MAX = 120_000

/** Nothing may hang: every request gets a response, or is refused with Retry-After. */
const outage = { rounds: 1, loops: singleCalls, isUncut: true }

type Outage = (postgres: OwnPostgres) => Promise<() => Promise<unknown>>
const outages: Record<string, Outage> = {
  'stands still': async (postgres) => {
    postgres.signal('SIGSTOP')
    return async () => postgres.signal('SIGCONT')
  },
  'was killed': async (postgres) => {
    await postgres.stop()
    return () => postgres.start()
  },
  'has no connection left': ({ url }) => takeEveryConnection(url),
}

const away = Object.entries(outages).map(([shape, begin]): Scenario => ({
  ...outage,
  title: `PostgreSQL ${shape}: 503 with Retry-After, nothing hangs, and the product comes back`,
  answerMsMax: 5500,
  async open() {
    const product = await openProcesses(mixedSettings, 1)
    return {
      ...product,
      async strike(_round, load) {
        const end = await begin(product.postgres)
        await sleep(Number(PKDEX_AWAY_SECONDS ?? 30) * 1000)
        return async () => {
          await end()
          await untilPredicted(load, BACK_MS_MAX)
          await answerOf(await fetch(`${product.chooseUrl()}/readyz`))
        }
      },
    }
  },
}))

const failovers = [
  { shape: 'is killed', signal: 'SIGKILL' as const },
  { shape: 'goes silent, its connections kept open', signal: 'SIGSTOP' as const },
].map(({ shape, signal }): Scenario => ({
  ...outage,
  title: `the primary ${shape} and its standby takes over: 503 with Retry-After, nothing hangs, nothing acknowledged is lost`,
  answerMsMax: 5000,
  mustRefuse: true,
  async open() {
    const primary = await openOwnPostgres()
    if (primary === null) throw new Error('no server')
    const standby = await primary.openStandby()
    const proxy = await openTestProxy(primary.url)
    const product = await startProcesses(mixedSettings, proxy.url, 1)
    return {
      ...product,
      where: { databaseUrl: standby.url, dataDir: '' },
      async strike(_round, load) {
        primary.signal(signal)
        await sleep(Number(PKDEX_AWAY_SECONDS ?? 20) * 1000)
        await standby.promote()
        return async () => {
          proxy.turnTo(standby.url)
          await untilPredicted(load, BACK_MS_MAX)
          // The old primary returns without a standby: it acknowledges nothing, and must not be used.
          if (signal === 'SIGSTOP') primary.signal('SIGCONT')
        }
      },
      async close() {
        proxy.close()
        await Promise.all([primary.close(), standby.close()])
      },
    }
  },
}))

// Throws if a process has exited.
afterAll(killSpawned, 60_000)

test.skipIf(!hasPostgres).each([...away, ...failovers])('$title', async (scenario) => {
  expect(await findFaultsOf(scenario)).toEqual([])
})

/** Ends the product's connections and uses up all others, including those reserved for administrators. */
async function takeEveryConnection(url: string): Promise<() => Promise<unknown>> {
  const first = new pg.Client({ connectionString: url })
  await first.connect()
  await first.query(`select pg_terminate_backend(pid) from pg_stat_activity
    where pid <> pg_backend_pid() and backend_type = 'client backend'`)
  const taken = [first]
  for (;;) {
    const client = new pg.Client({ connectionString: url })
    client.on('error', () => undefined)
    try {
      await client.connect()
    } catch {
      return () => Promise.all(taken.map((one) => one.end()))
    }
    taken.push(client)
  }
}
