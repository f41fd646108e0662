/**
 * A PostgreSQL server that falls silent without closing connections: nothing waits for long, and everything
 * recovers.
 */
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { readTestConfig } from '#test/open-test-app.ts'
import { buildApp } from '#server/platform/http/build-app.ts'
import { openLog } from '#server/platform/log.ts'
import { openTestDatabase } from '#test/open-test-database.ts'
import { openTestProxy } from '#test/open-test-proxy.ts'
import { type OpenDatabase, openServer } from './open.ts'

/** The embedded database has no connection. */
const onServer = process.env.PKDEX_TEST_DATABASE_URL ? await openTestDatabase() : null

let proxy: Awaited<ReturnType<typeof openTestProxy>>
let opened: OpenDatabase
beforeAll(async () => {
  if (onServer?.source.kind !== 'server') return
  proxy = await openTestProxy(onServer.source.url)
  opened = openServer(proxy.url, openLog('silent'))
})
afterAll(async () => {
  if (onServer === null) return
  proxy.falls('none')
  await opened.close()
  proxy.close()
  await onServer.close()
})

const HANG_MS_MAX = 5000

test.skipIf(onServer === null)(
  'requests during a silent server return 503 within five seconds, and succeed once it responds (needs PKDEX_TEST_DATABASE_URL)',
  async () => {
    const app = await buildApp({
      config: readTestConfig({ LOG_LEVEL: 'silent' }),
      db: opened.db,
      log: openLog('silent'),
      now: () => new Date(),
      features: [({ fastify }) => void fastify.get('/call', () => ask(opened))],
    })
    const call = (url: string) => app.inject({ method: 'GET', url })
    await Promise.all(Array.from({ length: 5 }, () => call('/call')))
    proxy.falls('all')
    const waited = startWaiting()
    const answers = await Promise.all(
      [...Array.from({ length: 30 }, () => '/call'), '/readyz'].map(async (url) => {
        const { statusCode, headers } = await call(url)
        return [statusCode, headers['retry-after'], waited.ms() < HANG_MS_MAX]
      }),
    )
    waited.end()
    expect(new Set(answers.map(String))).toEqual(new Set(['503,5,true']))
    expect((await call('/healthz')).statusCode).toBe(200)

    proxy.falls('none')
    await vi.waitFor(async () => expect((await call('/readyz')).statusCode).toBe(200), 10_000)
    expect((await call('/call')).statusCode).toBe(200)
    await app.close()
  },
)

test.skipIf(onServer === null)(
  'connections left over from a failover are closed while new ones work (needs PKDEX_TEST_DATABASE_URL)',
  async () => {
    await Promise.all(Array.from({ length: 10 }, () => ask(opened)))
    proxy.falls('old')
    const waited = startWaiting()
    const results = await Promise.allSettled(Array.from({ length: 10 }, () => ask(opened)))
    waited.end()
    expect(waited.ms()).toBeLessThan(HANG_MS_MAX)
    expect(results.filter(({ status }) => status === 'rejected')).not.toHaveLength(0)
    await expect(ask(opened)).resolves.toBeDefined()
  },
)

test.skipIf(onServer === null)(
  'a long statement is not interrupted (needs PKDEX_TEST_DATABASE_URL)',
  async () => {
    const slow = sql<{ one: number }>`select 1 as one from pg_sleep(6)`.execute(opened.db)
    expect((await slow).rows).toEqual([{ one: 1 }])
  },
)

/** Counts only the time this process ran: a busy machine is not an outage. */
function startWaiting(): { ms: () => number; end: () => void } {
  const TICK_MS = 20
  let ticks = 0
  const timer = setInterval(() => (ticks += 1), TICK_MS)
  return { ms: () => ticks * TICK_MS, end: () => clearInterval(timer) }
}

function ask({ db }: OpenDatabase) {
  return sql`select 1`.execute(db)
}
