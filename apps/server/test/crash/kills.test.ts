/**
 * All kinds of requests while the product is repeatedly killed or loses its power: no acknowledged data is lost, each
 * task ends once, and every balance is correct. PKDEX_CRASH_ROUNDS, PKDEX_CRASH_SERVER_ROUNDS, PKDEX_SCREEN_CRASH_ROUNDS
 * and PKDEX_POWER_ROUNDS set the rounds; 0 skips a scenario. By default, those on PostgreSQL run only in a suite on
 * PostgreSQL, the others only without.
 */
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import type { Database } from '#server/platform/db/schema.ts'
import { inDatabaseOf } from './in-database.ts'
import { mixedSettings } from './mixed-load.ts'
import { openOwnDisk } from './own-disk.ts'
import { hasPostgres } from './own-postgres.ts'
import { openEmbedded, openProcesses } from './products.ts'
import { findFaultsOf, type Scenario } from './scenario.ts'
import { atScreenMoment } from './screen-moments.ts'
import { killSpawned, spawnServer } from './spawned-server.ts'

const isOnServer = process.env.PKDEX_TEST_DATABASE_URL !== undefined
const roundsOf = (setting: string, fallback: number) => Number(process.env[setting] ?? fallback)
const onServer = (setting: string, rounds: number) =>
  hasPostgres ? roundsOf(setting, isOnServer ? rounds : 0) : 0
const ROUNDS = roundsOf('PKDEX_CRASH_ROUNDS', isOnServer ? 0 : 1)
const POWER_ROUNDS = roundsOf('PKDEX_POWER_ROUNDS', isOnServer ? 0 : 1)
const STARTING_MS_MAX = 2500

const disk = POWER_ROUNDS > 0 ? openOwnDisk() : null
afterAll(async () => {
  // Throws if a process has exited.
  try {
    await killSpawned()
  } finally {
    disk?.close()
  }
}, 60_000)

const embedded: Scenario = {
  title: 'SPEC 15.10: kill -9 of the embedded product at random moments loses nothing acknowledged',
  rounds: ROUNDS,
  async open() {
    const product = await openEmbedded(mixedSettings)
    return {
      ...product,
      async strike(round) {
        const startAgain = await product.end('kill')
        if (round === Math.ceil(ROUNDS / 2)) await inDatabaseOf(product.where)(cancelJobs)
        return startAgain
      },
    }
  },
}

const power: Scenario = {
  title: 'power cuts of the embedded product lose nothing acknowledged (needs a disk of its own)',
  rounds: disk === null ? 0 : POWER_ROUNDS,
  // The last responses may come from a server that has already lost its disk.
  excused: /answered 50[03]/,
  async open(random) {
    const dataDir = join(disk?.folder ?? '', 'data')
    const cutWhileStarting = async () => {
      const starting = spawnServer({ ...mixedSettings, DATA_DIR: dataDir }).catch(() => undefined)
      await sleep(random() * STARTING_MS_MAX)
      await cutPower()
      await starting
    }
    // While the database is created, and while the created one starts.
    for (let cut = 0; cut < 2; cut += 1) await cutWhileStarting()
    const product = await openEmbedded(mixedSettings, dataDir)
    return {
      ...product,
      async strike(round) {
        await cutPower()
        // The power may fail again while the database recovers.
        if (round % 5 === 0) await cutWhileStarting()
        return () => product.restart()
      },
    }
  },
}

const processes: Scenario = {
  title:
    'SPEC 15.11: kill -9 of one of two API and two worker processes loses nothing acknowledged, and the others go on',
  rounds: onServer('PKDEX_CRASH_SERVER_ROUNDS', 2),
  async open(random) {
    const product = await openProcesses(mixedSettings, 2)
    const strike = (round: number) =>
      product.end(round % 2 === 0 ? 'api' : 'worker', Math.floor(random() * 2), 'kill')
    return { ...product, strike }
  },
}

/** The whole product; on a server the API, the worker, or both, in turn. */
const screens: Scenario = {
  title: 'kill -9 during screens: credits add up, and no row is lost or duplicated',
  rounds: isOnServer && !hasPostgres ? 0 : roundsOf('PKDEX_SCREEN_CRASH_ROUNDS', 2),
  loops: ['upload', 'predict'],
  moment: atScreenMoment,
  async open() {
    if (!isOnServer) {
      const product = await openEmbedded(mixedSettings)
      return { ...product, strike: () => product.end('kill') }
    }
    const product = await openProcesses(mixedSettings, 1)
    return {
      ...product,
      async strike(round) {
        const toKill = [round % 3 !== 1 && ('api' as const), round % 3 !== 0 && ('worker' as const)]
        const ended = toKill
          .filter((one) => one !== false)
          .map((one) => product.end(one, 0, 'kill'))
        const starts = await Promise.all(ended)
        return async () => void (await Promise.all(starts.map((start) => start())))
      },
    }
  },
}

for (const scenario of [embedded, power, processes, screens]) {
  const { title, rounds } = scenario
  const timeout = 1_800_000 + rounds * 60_000
  test.skipIf(rounds === 0)(`${title}`, { timeout }, async () => {
    expect(await findFaultsOf(scenario)).toEqual([])
  })
}

/** What an operator or a bug might do: delete jobs that tasks wait for. */
async function cancelJobs(db: Database): Promise<void> {
  await sql`update pgboss.job set state = 'cancelled' where name = 'predict' and state < 'completed'`.execute(
    db,
  )
}

async function cutPower(): Promise<void> {
  disk?.cutPower()
  // It may already have stopped, because its disk is gone.
  await killSpawned().catch(() => undefined)
  disk?.mountAgain()
}
