/** PKDEX_ROLLING_TURNS says how often every process is restarted, PKDEX_PROCESSES_ROUNDS how often processes are killed. */
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, test, vi } from 'vitest'
import { openBalancer } from './balancer.ts'
import { openOwnPostgres } from './own-postgres.ts'
import { checkPressed, openPressingUser, pressOn, settingsOf } from './pressed-processes.ts'
import {
  asUser,
  killSpawned,
  spawnServer,
  type SpawnedServer,
  spawnWorker,
} from './spawned-server.ts'

const TURNS = Number(process.env.PKDEX_ROLLING_TURNS ?? 3)
const ROUNDS = Number(process.env.PKDEX_PROCESSES_ROUNDS ?? 50)
const LOOK_MS = 1000
/** As in deploy/kubernetes.yaml. */
const SHUTDOWN_GRACE_MS = '8000'

const postgres = await openOwnPostgres()
afterAll(async () => {
  // Throws where a process has ended by itself.
  try {
    await killSpawned()
  } finally {
    await postgres?.close()
  }
}, 60_000)

test.skipIf(postgres === null)(
  'every process is restarted in turn under load, and no call fails (needs PostgreSQL on this machine)',
  async () => {
    const url = postgres?.url ?? ''
    const settings = { ...settingsOf(url), SHUTDOWN_GRACE_MS }
    const apis = [await spawnServer(settings, 'api'), await spawnServer(settings, 'api')]
    const workers = [spawnWorker(settings), spawnWorker(settings)]
    const balancer = await openBalancer(LOOK_MS)
    await Promise.all(apis.map((api) => balancer.add(api.url)))
    const key = await openPressingUser(balancer.url, 'rolling@example.org')
    const load = pressOn(() => balancer.url, key)
    for (let turn = 0; turn < TURNS; turn++) {
      for (const [place, going] of apis.entries()) {
        // The balancer is not told: it sees for itself.
        await going.stop()
        balancer.remove(going.url)
        const next = (apis[place] = await spawnServer(settings, 'api'))
        await balancer.add(next.url)
      }
      for (const [place, going] of workers.entries()) {
        await going.stop()
        workers[place] = spawnWorker(settings)
        await sleep(1000)
      }
    }
    await load.more(100)
    const { calls, uploaded, failures, longestMs } = await load.end()
    const lost = await checkPressed(url, uploaded)
    console.log(
      `measured: two API and two worker processes restarted in turn, ${TURNS} times, behind a balancer that asks /readyz every ${LOOK_MS} ms: ` +
        `${calls} calls, ${failures.length} failed, the longest took ${Math.round(longestMs)} ms; ${lost.length} of ${uploaded.length} uploads lost`,
    )
    expect(failures).toEqual([])
    expect(lost).toEqual([])
    expect(uploaded.length).toBeGreaterThan(0)
    await balancer.close()
    await Promise.all([...apis, ...workers].map((one) => one.kill()))
  },
)

test.skipIf(postgres === null)(
  `one of two API and two worker processes is killed at a random moment, ${ROUNDS} times: nothing acknowledged is lost, no task ends twice, no credit is off (needs PostgreSQL on this machine)`,
  async () => {
    const url = postgres?.url ?? ''
    const settings = settingsOf(url)
    const apis = [await spawnServer(settings, 'api'), await spawnServer(settings, 'api')]
    const workers = [spawnWorker(settings), spawnWorker(settings)]
    const key = await openPressingUser(apis[0]?.url ?? '', 'killed@example.org')
    let turn = 0
    const load = pressOn(() => apis[turn++ % apis.length]?.url ?? '', key)
    const { apisKilled, longestMs } = await killInTurn({ apis, workers, settings, key })
    const { calls, uploaded, failures } = await load.end()
    const lost = await checkPressed(url, uploaded)
    console.log(
      `measured: ${apisKilled} kills of one of two API processes and ${ROUNDS - apisKilled} of one of two workers: ${calls} calls, ${failures.length} cut off or refused, ` +
        `${lost.length} of ${uploaded.length} acknowledged uploads lost, the other process answered an upload after ${Math.round(longestMs)} ms at the longest`,
    )
    expect(lost).toEqual([])
    expect(uploaded.length).toBeGreaterThan(0)
    await Promise.all([...apis, ...workers].map((one) => one.stop()))
  },
)

type Processes = {
  apis: SpawnedServer[]
  workers: ReturnType<typeof spawnWorker>[]
  settings: Record<string, string>
  key: string
}

/** ROUNDS times one of them, started again before the next. */
async function killInTurn({ apis, workers, settings, key }: Processes) {
  let longestMs = 0
  let apisKilled = 0
  for (let round = 0; round < ROUNDS; round++) {
    await sleep(Math.random() * 1500)
    const place = Math.floor(Math.random() * 2)
    if (Math.random() < 0.5) {
      const [doomed] = apis.splice(place, 1)
      await doomed?.kill()
      const other = asUser(apis[0]?.url ?? '', key)
      longestMs = Math.max(longestMs, await untilUploaded(other, `after-${round}`))
      apis.push(await spawnServer(settings, 'api'))
      apisKilled += 1
    } else {
      await workers[place]?.kill()
      workers[place] = spawnWorker(settings)
    }
  }
  return { apisKilled, longestMs }
}

/** How long it took, in milliseconds. */
async function untilUploaded(user: ReturnType<typeof asUser>, name: string): Promise<number> {
  const started = performance.now()
  await vi.waitFor(() => user.upload('drug_smiles', 'after.txt', `CCO ${name}`), {
    timeout: 30_000,
    interval: 50,
  })
  return performance.now() - started
}
