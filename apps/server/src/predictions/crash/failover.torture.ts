/** PKDEX_AWAY_SECONDS says how long nobody answers before the standby is promoted. */
import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, expect, test, vi } from 'vitest'
import { hasPostgres, openOwnPostgres, type OwnPostgres } from './own-postgres.ts'
import { checkPressed, openPressingUser, pressOn, settingsOf } from './pressed-processes.ts'
import { asUser, killSpawned, spawnServer, spawnWorker } from './spawned-server.ts'

const AWAY_MS = Number(process.env.PKDEX_AWAY_SECONDS ?? 20) * 1000
/** Nothing may hang for longer. */
const ANSWER_MS = 5000
const BACK_MS_MAX = 120_000

const servers: OwnPostgres[] = []
afterAll(async () => {
  // Throws where a process has ended by itself.
  try {
    await killSpawned()
  } finally {
    await Promise.all(servers.map((server) => server.close()))
  }
}, 60_000)

test.skipIf(!hasPostgres).each([
  { shape: 'is killed', signal: 'SIGKILL' as const },
  { shape: 'goes silent, its connections kept open', signal: 'SIGSTOP' as const },
])(
  'the primary $shape and its standby takes over: 503 with Retry-After, nothing hangs, nothing acknowledged is lost (needs PostgreSQL on this machine)',
  async ({ shape, signal }) => {
    const { primary, standby } = await openPair()
    const proxy = await openProxy(primary.url)
    const settings = settingsOf(proxy.url)
    const api = await spawnServer(settings, 'api')
    const worker = spawnWorker(settings)
    const key = await openPressingUser(api.url, 'failover@example.org')
    const user = asUser(api.url, key)
    const load = pressOn(() => api.url, key)
    await load.more(100)

    primary.signal(signal)
    await sleep(AWAY_MS)
    const promoting = performance.now()
    await standby.promote()
    proxy.turnTo(standby.url)
    const turned = performance.now()
    const since = async (act: () => Promise<unknown>) => {
      await vi.waitFor(act, { timeout: BACK_MS_MAX, interval: 50 })
      return Math.round(performance.now() - turned)
    }
    const [uploadMs, predictionMs] = await Promise.all([
      since(() => user.upload('drug_smiles', 'after.txt', 'CCO after')),
      since(async () =>
        expect(await user.predict('protease', 'alcohol-1999')).toHaveProperty('predicted_kd'),
      ),
    ])
    // What comes back has no standby any more: it acknowledges nothing, and nobody may believe it.
    if (signal === 'SIGSTOP') primary.signal('SIGCONT')
    await load.more(100)
    const { calls, uploaded, tasks, failures, longestMs } = await load.end()
    const lost = await checkPressed(standby.url, uploaded)
    const lostTasks = await findLostTasks(standby.url, tasks)
    console.log(
      `measured: the primary ${shape} for ${AWAY_MS / 1000} s, then the standby is promoted (${Math.round(turned - promoting)} ms): ` +
        `${calls} calls, ${failures.length} answered 503, the longest took ${Math.round(longestMs)} ms; ` +
        `an upload ${uploadMs} ms and a prediction ${predictionMs} ms after the turn; ` +
        `${lost.length} of ${uploaded.length} uploads and ${lostTasks.length} of ${tasks.length} tasks lost`,
    )
    expect(failures.filter((one) => !/ answered 503 with Retry-After \d+: /.test(one))).toEqual([])
    expect(failures.length).toBeGreaterThan(0)
    expect(longestMs).toBeLessThan(ANSWER_MS)
    expect(lost).toEqual([])
    expect(lostTasks).toEqual([])
    // Either throws where the process had ended by itself.
    await worker.stop()
    await api.stop()
    proxy.close()
  },
)

async function openPair() {
  const primary = await openOwnPostgres()
  if (primary === null) throw new Error('no server')
  servers.push(primary)
  const standby = await primary.openStandby()
  servers.push(standby)
  return { primary, standby }
}

/** In front of the database, as operators have one: whoever is connected already is not turned over. */
async function openProxy(url: string) {
  let port = Number(new URL(url).port)
  const open = new Set<Socket>()
  const proxy = createServer((caller) => {
    const server = connect(port, '127.0.0.1')
    for (const [one, other] of [
      [caller, server],
      [server, caller],
    ] as const) {
      open.add(one)
      one.pipe(other)
      one.on('error', () => undefined)
      one.on('close', () => {
        open.delete(one)
        other.destroy()
      })
    }
  })
  await once(proxy.listen(0, '127.0.0.1'), 'listening')
  const address = proxy.address()
  if (typeof address === 'string' || address === null) throw new Error('no port')
  const own = new URL(url)
  own.port = String(address.port)
  return {
    url: own.href,
    turnTo: (next: string) => void (port = Number(new URL(next).port)),
    close() {
      proxy.close()
      for (const socket of open) socket.destroy()
    },
  }
}

async function findLostTasks(url: string, tasks: string[]): Promise<string[]> {
  const database = new pg.Client({ connectionString: url })
  await database.connect()
  try {
    const { rows } = await database.query<{ id: string }>('select id from tasks')
    const kept = new Set(rows.map(({ id }) => id))
    return tasks.filter((id) => !kept.has(id))
  } finally {
    await database.end()
  }
}
