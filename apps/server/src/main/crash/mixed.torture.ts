/**
 * PKDEX_MIXED_ROUNDS says how often the whole embedded product is killed, PKDEX_MIXED_SERVER_ROUNDS how often one of two API
 * and two worker processes on PostgreSQL is.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { makeRandom } from '#server/predictions/crash/made-input.ts'
import { openOwnPostgres } from '#server/predictions/crash/own-postgres.ts'
import {
  killSpawned,
  spawnServer,
  type SpawnedServer,
  spawnWorker,
} from '#server/predictions/crash/spawned-server.ts'
import { mixedSettings, type MixedLoad, openMixedLoad } from './mixed-load.ts'

const ROUNDS = Number(process.env.PKDEX_MIXED_ROUNDS ?? 100)
const SERVER_ROUNDS = Number(process.env.PKDEX_MIXED_SERVER_ROUNDS ?? 50)
const seed = Number(process.env.PKDEX_CRASH_SEED ?? Math.floor(Math.random() * 1e6))
/** A round ends after so many acknowledged calls and a moment, so that a slow machine tests as much. */
const ROUND_CALLS_MAX = 60
const ROUND_MS_MAX = 8000
const MOMENT_MS_MAX = 500
const ANSWER_MS_MAX = 10_000

const place = mkdtempSync(join(tmpdir(), 'pkdex-mixed-'))
const postgres = await openOwnPostgres()
afterAll(async () => {
  try {
    await killSpawned()
  } finally {
    await postgres?.close()
    rmSync(place, { recursive: true, force: true })
  }
}, 60_000)

test(`the whole product is killed under everything at once, ${ROUNDS} times: nothing acknowledged is lost, no credit is off`, async () => {
  const random = makeRandom(seed)
  const settings = { ...mixedSettings, DATA_DIR: place }
  let product = await spawnServer(settings)
  const load = await openMixedLoad(product.url, random)
  let longestMs = 0
  for (let round = 0; round < ROUNDS; round += 1) {
    let isOver = false
    const { url } = product
    const pressed = load.press(
      () => url,
      () => isOver,
    )
    await untilPressed(load, random)
    await product.kill()
    isOver = true
    await pressed
    const started = performance.now()
    product = await spawnServer(settings)
    longestMs = Math.max(longestMs, performance.now() - started)
  }
  const losses = await load.findLosses(product.url)
  await product.stop()
  report('kill -9 of the embedded product', { rounds: ROUNDS, load, longestMs, losses })
  expect(losses).toEqual([])
})

test.skipIf(postgres === null)(
  `one of two API and two worker processes is killed under everything at once, ${SERVER_ROUNDS} times: nothing acknowledged is lost, no credit is off (needs PostgreSQL on this machine)`,
  async () => {
    const random = makeRandom(seed)
    const settings = { ...mixedSettings, DATABASE_URL: postgres?.url ?? '' }
    const apis = [await spawnServer(settings, 'api'), await spawnServer(settings, 'api')]
    const workers = [spawnWorker(settings), spawnWorker(settings)]
    const load = await openMixedLoad(apis[0]?.url ?? '', random)
    const longestMs = await killInTurn({ load, random, settings, apis, workers })
    const losses = await load.findLosses(apis[0]?.url ?? '')
    await Promise.all([...apis, ...workers].map((one) => one.stop()))
    report('kill -9 of one of two API and two worker processes', {
      rounds: SERVER_ROUNDS,
      load,
      longestMs,
      losses,
    })
    expect(losses).toEqual([])
  },
)

type Processes = {
  load: MixedLoad
  random: () => number
  settings: Record<string, string>
  apis: SpawnedServer[]
  workers: ReturnType<typeof spawnWorker>[]
}

/** How long nobody was answered at the longest, in milliseconds. */
async function killInTurn({ load, random, settings, apis, workers }: Processes): Promise<number> {
  let [isOver, turn, longestMs] = [false, 0, 0]
  const pressed = load.press(
    () => apis[turn++ % apis.length]?.url ?? '',
    () => isOver,
  )
  for (let round = 0; round < SERVER_ROUNDS; round += 1) {
    await untilPressed(load, random)
    const at = Math.floor(random() * 2)
    if (random() < 0.5) {
      await workers[at]?.kill()
      workers[at] = spawnWorker(settings)
      continue
    }
    await apis[at]?.kill()
    const before = load.calls
    const killed = performance.now()
    const next = spawnServer(settings, 'api')
    while (load.calls === before) await sleep(10)
    longestMs = Math.max(longestMs, performance.now() - killed)
    apis[at] = await next
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

type Outcome = { rounds: number; load: MixedLoad; longestMs: number; losses: string[] }

function report(what: string, { rounds, load, longestMs, losses }: Outcome): void {
  console.log(
    `measured: ${what} under everything at once, seed ${seed}, ${rounds} rounds: ${load.describe()}; ` +
      `${losses.length} of it lost or wrong; calls again after ${Math.round(longestMs)} ms at the longest`,
  )
  expect(load.calls, 'too little happened').toBeGreaterThan(rounds * 5)
  expect(longestMs).toBeLessThan(ANSWER_MS_MAX)
}
