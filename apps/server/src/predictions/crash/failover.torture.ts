/** The server of the database goes away under load, and another one that has everything takes its place. */
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { openDatabaseProxy } from './database-proxy.ts'
import { openOwnPostgres, type OwnPostgres, type Standby } from './own-postgres.ts'
import { checkPressed, openPressingUser, pressOn, settingsOf } from './pressed-processes.ts'
import { killSpawned, spawnServer, spawnWorker } from './spawned-server.ts'

const CALLS_BEFORE = 100
const AWAY_MS = 6000
/** Nothing may hang for longer. */
const ANSWER_MS = 5500

const ways: [string, (primary: OwnPostgres) => Promise<void>][] = [
  ['is killed', (primary) => primary.stop()],
  ['goes silent', async (primary) => primary.signal('SIGSTOP')],
]

test.each(ways)(
  'the server of the database %s, a standby is promoted: nothing acknowledged is lost, nothing hangs (needs PostgreSQL on this machine)',
  { timeout: 400_000 },
  async (way, end) => {
    const primary = await openOwnPostgres()
    if (primary === null) return
    const standby = await primary.openStandby()
    try {
      const { lost, failures, longestMs, told } = await failOver(way, { primary, standby, end })
      expect(lost).toEqual([])
      expect(failures.filter((failure) => !failure.includes('answered 503'))).toEqual([])
      expect(longestMs).toBeLessThan(ANSWER_MS)
      expect(told).toContain('503 with Retry-After')
      expect(told.filter((answer) => !/^(200|503 with Retry-After)$/.test(answer))).toEqual([])
    } finally {
      if (way === 'goes silent') primary.signal('SIGCONT')
      await Promise.all([killSpawned(), standby.close(), primary.close()])
    }
  },
)

type Pair = { primary: OwnPostgres; standby: Standby; end: (primary: OwnPostgres) => Promise<void> }

async function failOver(way: string, { primary, standby, end }: Pair) {
  const proxy = await openDatabaseProxy(primary.port)
  const settings = settingsOf(`postgres://postgres@127.0.0.1:${proxy.port}/postgres`)
  const api = await spawnServer(settings, 'api')
  const worker = spawnWorker(settings)
  const key = await openPressingUser(api.url, 'failover@example.org')
  const load = pressOn(() => api.url, key)
  await load.more(CALLS_BEFORE)
  await end(primary)
  const told = await askFor(AWAY_MS, `${api.url}/dta/credits`, key)
  await standby.promote()
  proxy.turnTo(standby.port)
  const backMs = await untilAnswered(`${api.url}/dta/credits`, key)
  await load.more(CALLS_BEFORE)
  const { calls, uploaded, failures, longestMs } = await load.end()
  const lost = await checkPressed(standby.url, uploaded)
  console.log(
    `measured: the server ${way}, ${AWAY_MS / 1000} s later a standby is promoted: ${calls} calls, ${failures.length} refused, ` +
      `${lost.length} of ${uploaded.length} acknowledged uploads lost, the longest call took ${Math.round(longestMs)} ms, ` +
      `answered again ${Math.round(backMs)} ms after the promotion`,
  )
  await worker.stop()
  await api.stop()
  await proxy.close()
  return { lost, failures, longestMs, told }
}

/** What was answered, each kind once. */
async function askFor(ms: number, url: string, key: string): Promise<string[]> {
  const told = new Set<string>()
  for (const until = Date.now() + ms; Date.now() < until; await sleep(100)) {
    const answer = await fetch(url, { headers: { 'API-Key': key } })
    told.add(
      answer.headers.has('retry-after') ? `${answer.status} with Retry-After` : `${answer.status}`,
    )
  }
  return [...told]
}

async function untilAnswered(url: string, key: string): Promise<number> {
  const started = performance.now()
  while ((await fetch(url, { headers: { 'API-Key': key } })).status !== 200) await sleep(20)
  return performance.now() - started
}
