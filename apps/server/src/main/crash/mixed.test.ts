/**
 * Everything at once under kill -9. PKDEX_MIXED_ROUNDS says how often the whole embedded product is killed,
 * PKDEX_MIXED_SERVER_ROUNDS how often one of two API and two worker processes on PostgreSQL is; 0 skips it. Unless told,
 * a suite on the embedded database does the one, and a suite on PostgreSQL the other.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { drain } from '#server/predictions/crash/acknowledged.ts'
import { inDatabaseOf } from '#server/predictions/crash/in-database.ts'
import { makeRandom } from '#server/predictions/crash/made-input.ts'
import { openOwnPostgres } from '#server/predictions/crash/own-postgres.ts'
import {
  killSpawned,
  spawnServer,
  type SpawnedServer,
  spawnWorker,
} from '#server/predictions/crash/spawned-server.ts'
import { mixedSettings, type MixedLoad, openMixedLoad } from './mixed-load.ts'

const isOnServer = process.env.PKDEX_TEST_DATABASE_URL !== undefined
const ROUNDS = Number(process.env.PKDEX_MIXED_ROUNDS ?? (isOnServer ? 0 : 2))
const SERVER_ROUNDS = Number(process.env.PKDEX_MIXED_SERVER_ROUNDS ?? (isOnServer ? 3 : 0))
const seed = Number(process.env.PKDEX_CRASH_SEED ?? Math.floor(Math.random() * 1e6))
/** A round ends after so many acknowledged calls and a moment, so that a slow machine tests as much. */
const ROUND_CALLS_MAX = 60
const ROUND_MS_MAX = 8000
const MOMENT_MS_MAX = 500
const ANSWER_MS_MAX = 60_000

const place = mkdtempSync(join(tmpdir(), 'pkdex-mixed-'))
const postgres = SERVER_ROUNDS > 0 ? await openOwnPostgres() : null
afterAll(async () => {
  try {
    await killSpawned()
  } finally {
    await postgres?.close()
    rmSync(place, { recursive: true, force: true })
  }
}, 60_000)

test.skipIf(ROUNDS === 0)(
  'the whole product is killed under everything at once: nothing acknowledged is lost, no credit is off (where the suite runs on the embedded database)',
  { timeout: 600_000 + ROUNDS * 30_000 },
  async () => {
    const random = makeRandom(seed)
    const settings = { ...mixedSettings, DATA_DIR: place }
    const start = () => spawnServer(settings)
    let product = await start()
    const load = await openMixedLoad(product.url, random)
    const kill = async () => {
      await product.kill()
      return async () => void (product = await start())
    }
    const longestMs = await killUnder({
      load,
      rounds: ROUNDS,
      random,
      chooseUrl: () => product.url,
      kill,
    })
    const faults = await load.findFaults(product.url)
    const inDatabase = inDatabaseOf({ databaseUrl: undefined, dataDir: place })
    await drain(product, load.session, load, { start, inDatabase })
    faults.push(...(await inDatabase((db) => load.findFaultsInDatabase(db))))
    report('the embedded product', { rounds: ROUNDS, load, longestMs, faults })
    expect(faults).toEqual([])
  },
)

test.skipIf(postgres === null)(
  'one of two API and two worker processes is killed under everything at once: nothing acknowledged is lost, no credit is off (where the suite runs on PostgreSQL)',
  { timeout: 600_000 + SERVER_ROUNDS * 30_000 },
  async () => {
    const random = makeRandom(seed)
    const databaseUrl = postgres?.url ?? ''
    const processes = await startProcesses({ ...mixedSettings, DATABASE_URL: databaseUrl })
    const load = await openMixedLoad(processes.chooseUrl(), random)
    const { chooseUrl } = processes
    const kill = () => processes.killOne(random)
    const longestMs = await killUnder({ load, rounds: SERVER_ROUNDS, random, chooseUrl, kill })
    const faults = await load.findFaults(chooseUrl())
    const inDatabase = inDatabaseOf({ databaseUrl, dataDir: place })
    const start = () => processes.startAgain()
    await drain(processes.asOne(), load.session, load, { start, inDatabase })
    faults.push(...(await inDatabase((db) => load.findFaultsInDatabase(db))))
    const what = 'one of two API and two worker processes'
    report(what, { rounds: SERVER_ROUNDS, load, longestMs, faults })
    expect(faults).toEqual([])
  },
)

type Kills = {
  load: MixedLoad
  rounds: number
  random: () => number
  chooseUrl: () => string
  /** Resolves to what starts it again. */
  kill: () => Promise<() => Promise<void>>
}

/** The longest time in milliseconds from a kill until calls are answered and what was killed is ready again. */
async function killUnder({ load, rounds, random, chooseUrl, kill }: Kills): Promise<number> {
  let [isOver, longestMs] = [false, 0]
  const pressed = load.press(chooseUrl, () => isOver)
  for (let round = 0; round < rounds; round += 1) {
    await untilPressed(load, random)
    // Every other round lives until its worker works.
    if (round % 2 === 0) await untilPredicted(load)
    const startAgain = await kill()
    const killed = performance.now()
    const { calls } = load
    await Promise.all([startAgain(), untilAnswered(load, calls)])
    longestMs = Math.max(longestMs, performance.now() - killed)
  }
  isOver = true
  await pressed
  return longestMs
}

async function untilPressed(load: MixedLoad, random: () => number): Promise<void> {
  const wanted = load.calls + 5 + Math.floor(random() * ROUND_CALLS_MAX)
  const deadline = Date.now() + ROUND_MS_MAX
  while (load.calls < wanted && Date.now() < deadline) await sleep(5)
  await sleep(random() * MOMENT_MS_MAX)
}

async function untilPredicted(load: MixedLoad): Promise<void> {
  const before = load.predictions
  const deadline = Date.now() + ROUND_MS_MAX
  while (load.predictions === before && Date.now() < deadline) await sleep(5)
}

async function untilAnswered(load: MixedLoad, calls: number): Promise<void> {
  const deadline = Date.now() + ANSWER_MS_MAX
  while (load.calls === calls) {
    if (Date.now() > deadline) throw new Error(`no call was answered for ${ANSWER_MS_MAX} ms`)
    await sleep(10)
  }
}

async function startProcesses(settings: Record<string, string>) {
  const startApi = () => spawnServer(settings, 'api')
  const apis = [await startApi(), await startApi()]
  const workers = [spawnWorker(settings), spawnWorker(settings)]
  let turn = 0
  const chooseUrl = () => apis[turn++ % apis.length]?.url ?? ''
  const asOne = (): Pick<SpawnedServer, 'url' | 'stop'> => ({
    url: chooseUrl(),
    stop: async () => void (await Promise.all([...apis, ...workers].map((one) => one.stop()))),
  })
  return {
    chooseUrl,
    /** All of them, to be called and stopped. */
    asOne,
    async killOne(random: () => number): Promise<() => Promise<void>> {
      const at = Math.floor(random() * 2)
      const isApi = random() < 0.5
      await (isApi ? apis : workers)[at]?.kill()
      return async () => {
        if (isApi) apis[at] = await startApi()
        else workers[at] = spawnWorker(settings)
      }
    },
    async startAgain() {
      const [first, second] = await Promise.all([startApi(), startApi()])
      apis.splice(0, apis.length, first, second)
      workers.splice(0, workers.length, spawnWorker(settings), spawnWorker(settings))
      return asOne()
    },
  }
}

type Outcome = { rounds: number; load: MixedLoad; longestMs: number; faults: string[] }

function report(what: string, { rounds, load, longestMs, faults }: Outcome): void {
  console.log(
    `measured: kill -9 of ${what} under everything at once, seed ${seed}, ${rounds} rounds: ${load.describe()}; ` +
      `${faults.length} of it lost or wrong; answered and complete again after ${Math.round(longestMs)} ms at the longest`,
  )
  expect(load.calls, 'too little happened').toBeGreaterThan(rounds * 5)
  expect(load.predictions, 'nothing was predicted').toBeGreaterThan(0)
}
