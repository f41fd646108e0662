/**
 * The same requests as in kills.test.ts while processes, or their PostgreSQL server, are restarted as for an update.
 * PKDEX_ROLLING_TURNS and PKDEX_RESTART_ROUNDS set the rounds; by default they run only in a suite on PostgreSQL.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { openBalancer } from './balancer.ts'
import { mixedSettings } from './mixed-load.ts'
import { hasPostgres } from './own-postgres.ts'
import { openProcesses } from './products.ts'
import { findFaultsOf, type Scenario } from './scenario.ts'
import { killSpawned } from './spawned-server.ts'

const isOnServer = process.env.PKDEX_TEST_DATABASE_URL !== undefined
const onServer = (setting: string) =>
  hasPostgres ? Number(process.env[setting] ?? (isOnServer ? 1 : 0)) : 0
/** How often the balancer requests `/readyz`. */
const LOOK_MS = 1000
/** The same value as in deploy/kubernetes.yaml. */
const SHUTDOWN_GRACE_MS = '8000'

afterAll(killSpawned, 60_000)

const rolling: Scenario = {
  title: 'every process is restarted in turn under load behind a balancer, and no call fails',
  rounds: onServer('PKDEX_ROLLING_TURNS'),
  loops: ['upload', 'predict', 'download'],
  excused: /(?!)/,
  isUncut: true,
  async open() {
    const product = await openProcesses({ ...mixedSettings, SHUTDOWN_GRACE_MS }, 2)
    const balancer = await openBalancer(LOOK_MS)
    await Promise.all([0, 1].map((at) => balancer.add(product.urlOf(at))))
    return {
      ...product,
      chooseUrl: () => balancer.url,
      strike: async () => async () => {
        for (const at of [0, 1]) {
          // The load balancer is not notified: it must find out itself.
          const going = product.urlOf(at)
          const start = await product.end('api', at, 'stop')
          balancer.remove(going)
          await start()
          await balancer.add(product.urlOf(at))
        }
        for (const at of [0, 1]) {
          const start = await product.end('worker', at, 'stop')
          await start()
          await sleep(1000)
        }
      },
      async close() {
        await balancer.close()
        await product.close()
      },
    }
  },
}

const restarts: Scenario = {
  title: 'a PostgreSQL restart under load ends no process, and predictions continue',
  rounds: onServer('PKDEX_RESTART_ROUNDS'),
  isUncut: true,
  async open() {
    const product = await openProcesses(mixedSettings, 1)
    return {
      ...product,
      async strike() {
        await product.postgres.restart()
        return async () => undefined
      },
    }
  },
}

for (const scenario of [rolling, restarts]) {
  const { title, rounds } = scenario
  const timeout = 1_800_000 + rounds * 60_000
  test.skipIf(rounds === 0)(`${title} (needs PostgreSQL)`, { timeout }, async () => {
    expect(await findFaultsOf(scenario)).toEqual([])
  })
}
