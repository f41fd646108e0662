/** PKDEX_AWAY_SECONDS says how long the server stands still. */
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, expect, test, vi } from 'vitest'
import { openOwnPostgres } from './own-postgres.ts'
import { asUser, killSpawned, signIn, spawnServer, spawnWorker } from './spawned-server.ts'

const AWAY_MS = Number(process.env.PKDEX_AWAY_SECONDS ?? 30) * 1000
/** Nothing may hang for longer. */
const ANSWER_MS = 5500

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
  'a PostgreSQL server that stands still, is killed, or has no connection left: 503 with Retry-After, nothing hangs, and the product comes back (needs PostgreSQL on this machine)',
  { timeout: 400_000 },
  async () => {
    if (postgres === null) throw new Error('no server')
    const settings = { DATABASE_URL: postgres.url, LOG_LEVEL: 'fatal', WORKERS: '1' }
    const api = await spawnServer(settings, 'api')
    const worker = spawnWorker(settings)
    const key = await signIn(api.url, 'away@example.org')
    const user = asUser(api.url, key)
    const structure = new URL('../../../../../samples/1hpv.pdb', import.meta.url)
    await user.upload('protein_pdb', 'protease.pdb', readFileSync(structure, 'utf8'))
    const molecules = Array.from({ length: 30 }, (_, index) => `${'C'.repeat(index + 1)}O`)
    const { names } = await user.upload('drug_smiles', 'alcohols.txt', molecules.join('\n'))
    let asked = 0
    const predictNext = async () => {
      const name = names[asked++] ?? ''
      const started = performance.now()
      await vi.waitFor(
        async () => expect(await user.predict('protease', name)).toHaveProperty('predicted_kd'),
        { timeout: 120_000, interval: 100 },
      )
      return performance.now() - started
    }
    await predictNext()

    const outages: Record<string, () => Promise<() => Promise<unknown>>> = {
      'stands still': async () => {
        postgres.signal('SIGSTOP')
        return async () => postgres.signal('SIGCONT')
      },
      'was killed': async () => {
        await postgres.stop()
        return () => postgres.start()
      },
      'has no connection left': () => takeEveryConnection(postgres.url),
    }
    for (const [name, begin] of Object.entries(outages)) {
      const end = await begin()
      const { statuses, longestMs, retryAfter } = await callFor(AWAY_MS, api.url, key)
      await end()
      const backMs = await predictNext()
      console.log(
        `measured: the server ${name} for ${AWAY_MS / 1000} s: answers ${JSON.stringify(statuses)}, longest ${Math.round(longestMs)} ms, a prediction ${Math.round(backMs)} ms after it was back`,
      )
      expect(Object.keys(statuses).filter((status) => !['200', '503'].includes(status))).toEqual([])
      expect(longestMs).toBeLessThan(ANSWER_MS)
      // Where every call was still answered, none had to say when to come back.
      expect(retryAfter).toMatch(statuses[503] === undefined ? /^$/ : /^\d+$/)
      expect((await fetch(`${api.url}/readyz`)).status).toBe(200)
    }
    const client = new pg.Client({ connectionString: postgres.url })
    await client.connect()
    const open = "select from tasks where status in ('PENDING', 'STARTED')"
    await vi.waitFor(async () => expect((await client.query(open)).rowCount).toBe(0), 60_000)
    await client.end()
    await worker.stop()
    await api.stop()
  },
)

/** Asks all the while, one call a quarter of a second, without waiting for the one before. */
async function callFor(ms: number, url: string, key: string) {
  const statuses: Record<number, number> = {}
  let longestMs = 0
  let retryAfter = ''
  const calls: Promise<void>[] = []
  const call = async (path: string) => {
    const started = performance.now()
    const answer = await fetch(url + path, { headers: { 'API-Key': key } })
    longestMs = Math.max(longestMs, performance.now() - started)
    statuses[answer.status] = (statuses[answer.status] ?? 0) + 1
    if (answer.status === 503) retryAfter = answer.headers.get('retry-after') ?? ''
  }
  for (const until = Date.now() + ms; Date.now() < until;) {
    calls.push(call('/dta/credits'), call('/healthz'))
    await sleep(250)
  }
  await Promise.all(calls)
  return { statuses, longestMs, retryAfter }
}

/** Ends those that the product holds, and takes every place there is, those for administrators included. */
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
