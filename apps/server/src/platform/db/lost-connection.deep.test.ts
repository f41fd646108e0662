/** A lost connection to the PostgreSQL server fails only the statement that ran on it. */
import { Writable } from 'node:stream'
import { sql } from 'kysely'
import pino from 'pino'
import { afterAll, expect, test, vi } from 'vitest'
import { openTestDatabase } from '#test/open-test-database.ts'
import { queryServer } from '#test/query-server.ts'
import { openServer } from './open.ts'
import { closeQueue, openQueue } from '#server/platform/jobs/queue.ts'
import { inTransaction } from './transaction.ts'

/** The embedded database has no connection. */
const onServer = process.env.PKDEX_TEST_DATABASE_URL ? await openTestDatabase() : null
afterAll(() => onServer?.close())

const lines: Record<string, unknown>[] = []
const log = pino(
  new Writable({
    write(line: Buffer, _encoding, done) {
      lines.push(JSON.parse(line.toString()) as Record<string, unknown>)
      done()
    },
  }),
)

test.skipIf(onServer === null)(
  'connections terminated while waiting, querying, listening or in a transaction end nothing else (needs PKDEX_TEST_DATABASE_URL)',
  async () => {
    if (onServer?.source.kind !== 'server') throw new Error('not on a server')
    const { url } = onServer.source
    const opened = openServer(url, log)
    const boss = await openQueue(opened, log)
    await boss.createQueue('lost')
    const listening = await opened.pool.connect()
    await listening.query('listen anything')
    const entered = Promise.withResolvers<void>()
    const isEnded = Promise.withResolvers<void>()
    const idle = inTransaction(opened.db, async (trx) => {
      await sql`select 1`.execute(trx)
      entered.resolve()
      await isEnded.promise
      await sql`select 1`.execute(trx)
    })
    const failures = [idle, sql`select pg_sleep(30)`.execute(opened.db)].map(failureOf)
    await entered.promise
    await vi.waitFor(async () => expect(await countAsleep(url)).toBe(1), { timeout: 20_000 })

    expect(await endConnections(url)).toBeGreaterThanOrEqual(3)
    isEnded.resolve()
    // The error depends on what arrives first: the server's message or the end of the stream.
    const ended = expect.stringMatching(/connection|ECONNRESET/i)
    expect(await Promise.all(failures)).toEqual([ended, ended])
    listening.release(true)
    await vi.waitFor(() => expect(lines.some(tellsCause)).toBe(true), { timeout: 20_000 })

    // A pooled connection may be handed out once more before its end is noticed.
    await vi.waitFor(
      async () => {
        const { rows } = await sql`select 1 as one`.execute(opened.db)
        expect(rows).toEqual([{ one: 1 }])
        expect(await boss.send('lost', {})).toMatch(/^[0-9a-f-]{36}$/)
      },
      { timeout: 20_000 },
    )
    await closeQueue(boss)
    await opened.close()
  },
)

function failureOf(work: Promise<unknown>): Promise<string | null> {
  return work.then(
    () => null,
    (error: unknown) => String(error),
  )
}

function tellsCause({ msg, err }: Record<string, unknown>): boolean {
  const message: unknown = Object(err).message
  return msg === 'lost a database connection' && String(message).includes('terminating connection')
}

async function countAsleep(url: string): Promise<number> {
  const query = `select from pg_stat_activity
    where datname = current_database() and query like '%pg_sleep(30)%' and pid <> pg_backend_pid()`
  return (await queryServer(url, query)).length
}

/** Ends every connection to the database except the caller's. */
async function endConnections(url: string): Promise<number> {
  const query = `select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()`
  return (await queryServer(url, query)).length
}
