/** Two processes on one PostgreSQL database signal each other about queued and finished work. */
import { afterAll, expect, test, vi } from 'vitest'
import { openTestDatabase } from '#test/open-test-database.ts'
import { queryServer } from '#test/query-server.ts'
import { inTransaction } from '#server/platform/db/transaction.ts'
import { openSignals } from '#server/platform/jobs/signals.ts'
import { openLog } from '#server/platform/log.ts'

/** The embedded database has one process, which needs no signals. */
const database = process.env.PKDEX_TEST_DATABASE_URL ? await openTestDatabase() : null
afterAll(() => database?.close())
const log = openLog('silent')

function openBoth() {
  if (database?.source.kind !== 'server') throw new Error('not on a server')
  const [sender, receiver] = [openSignals(database, log), openSignals(database, log)]
  const received: string[] = []
  receiver.listen((message) => received.push(message))
  const tell = (message: string) => inTransaction(database.db, (trx) => sender.tell(trx, message))
  /** A listener needs a moment to connect: signals are repeated until one arrives. */
  const untilReceived = (message: string) =>
    vi.waitFor(
      async () => {
        await tell(message)
        expect(received).toContain(message)
      },
      { timeout: 10_000, interval: 50 },
    )
  const close = () => Promise.all([sender.close(), receiver.close()])
  return { sender, received, tell, untilReceived, close, url: database.source.url, db: database.db }
}

test.skipIf(database === null)(
  'a signal arrives when its transaction commits, and never after a rollback (needs PKDEX_TEST_DATABASE_URL)',
  async () => {
    const { sender, received, tell, untilReceived, close, db } = openBoth()
    await untilReceived('ready')
    const undone = inTransaction(db, async (trx) => {
      await sender.tell(trx, 'undone')
      throw new Error('on purpose')
    })
    await expect(undone).rejects.toThrow('on purpose')
    await inTransaction(db, async (trx) => {
      await sender.tell(trx, 'done')
      await new Promise((resolve) => setTimeout(resolve, 50))
      expect(received).not.toContain('done')
    })
    await tell('last')
    await vi.waitFor(() => expect(received).toContain('last'))
    expect(received.filter((message) => message !== 'ready')).toEqual(['done', 'last'])
    await close()
  },
)

test.skipIf(database === null)(
  'a listener whose connection is terminated reconnects (needs PKDEX_TEST_DATABASE_URL)',
  async () => {
    const { untilReceived, close, url } = openBoth()
    await untilReceived('before')
    const listeners = `from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and query = 'listen pkdex'`
    // The server may still be closing those of the test before.
    await vi.waitFor(
      async () => expect(await queryServer(url, `select pid ${listeners}`)).toHaveLength(2),
      20_000,
    )
    expect(await queryServer(url, `select pg_terminate_backend(pid) ${listeners}`)).toHaveLength(2)
    await untilReceived('after')
    await close()
  },
)
