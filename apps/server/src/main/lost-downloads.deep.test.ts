/** A download whose database connection is lost is visibly incomplete, and the server continues. */
import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, expect, test } from 'vitest'
import { openTestAdministrator, openTestSession } from '#test/factories.ts'
import type { Database } from '#server/platform/db/schema.ts'
import { openTestPredictions } from '#test/open-test-predictions.ts'
import { openTestProduct } from '#test/open-test-product.ts'
import { urlOfDatabase } from '#test/query-server.ts'
import { readTestDatabaseUrl } from './settings.ts'

/** The embedded database has no connection to lose. */
const isServer = readTestDatabaseUrl() !== undefined
const closers: (() => Promise<void>)[] = []
afterAll(async () => {
  for (const close of closers) await close()
})

test.skipIf(!isServer)(
  'account and database zips break off when the connection is lost (needs PKDEX_TEST_DATABASE_URL)',
  async () => {
    const t = await openTestProduct()
    closers.push(() => t.close())
    const { headers, userId } = await openTestSession(t.db)
    const { token } = await openTestAdministrator(t.db)
    // More data than the buffers between server and client contain, even when compressed.
    await sql`insert into ledger (user_id, delta, balance_after, reason, actor, note, created_at)
      select ${userId}, 0, 100, 'administrator', 'test',
        md5(i::text) || md5((i * 2)::text) || md5((i * 3)::text) || md5((i * 5)::text), now()
      from generate_series(1, 60000) as i`.execute(t.db)
    expect(await loseDatabaseDuring(t, { path: '/account/export', headers })).toBe('broken off')
    const admin = { authorization: `Bearer ${token}` }
    const everything = { path: '/admin/database/export-all', headers: admin }
    expect(await loseDatabaseDuring(t, everything)).toBe('broken off')
  },
  120_000,
)

test.skipIf(!isServer)(
  'an XLSX of a screen breaks off when the connection is lost (needs PKDEX_TEST_DATABASE_URL)',
  async () => {
    const t = await openTestPredictions()
    closers.push(() => t.close())
    t.work()
    const user = await t.addUser({ credits: 5000, targets: 1, compounds: 4000 })
    await sql`update compounds set own = jsonb_build_array(jsonb_build_array('Note',
      (select string_agg(md5(random()::text || compounds.name || n), '')
        from generate_series(1, 150) as n)))`.execute(t.db)
    const { id } = await user.started()
    await user.untilEnded(id)
    const { headers } = user
    // Each page is read on its own connection: one must be waiting for the user's columns when it is lost.
    const xlsx = { path: `/screens/${id}/results.xlsx`, headers, waitsFor: 'compounds' }
    expect(await loseDatabaseDuring(t, xlsx)).toBe('broken off')
  },
  120_000,
)

type Server = { app: FastifyInstance; db: Database }
type Download = { path: string; headers: Record<string, string>; waitsFor?: string }

/** How the download ended, once the server is ready again. */
async function loseDatabaseDuring({ app, db }: Server, download: Download): Promise<string> {
  const { path, headers, waitsFor } = download
  if (!app.server.listening) await app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = app.server.address() as AddressInfo
  const address = `http://127.0.0.1:${port}`
  const [answer] = (await once(get(`${address}${path}`, { headers }), 'response')) as [
    IncomingMessage,
  ]
  if (answer.statusCode !== 200) return `answered ${answer.statusCode}`
  await once(answer, 'readable')
  const outcome = new Promise<string>((resolve) => {
    answer.once('error', () => resolve('broken off'))
    answer.once('end', () => resolve('complete'))
  })
  const other = await connectTo(db)
  if (waitsFor !== undefined) {
    await other.query(`begin; lock table ${waitsFor} in access exclusive mode`)
    answer.resume()
    while ((await countWaiting(other)) === 0) await sleep(20)
  }
  await other.query(`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()`)
  await other.end()
  answer.resume()
  const ended = await outcome
  while ((await fetch(`${address}/readyz`)).status !== 200) await sleep(20)
  return ended
}

async function connectTo(db: Database): Promise<pg.Client> {
  const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(db)
  const connectionString = urlOfDatabase(readTestDatabaseUrl() ?? '', rows[0]?.name ?? '')
  const client = new pg.Client({ connectionString })
  await client.connect()
  return client
}

async function countWaiting(client: pg.Client): Promise<number> {
  const { rowCount } = await client.query(`select from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`)
  return rowCount ?? 0
}
