/** Several processes may start at the same time on an empty PostgreSQL server. */
import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { expect, test } from 'vitest'
import { readTestDatabaseUrl } from '#server/main/settings.ts'
import { openServer } from '#server/platform/db/open.ts'
import { openLog } from '#server/platform/log.ts'
import { closeQueue, openQueue } from './queue.ts'

const server = readTestDatabaseUrl()

test.skipIf(server === undefined)(
  'processes that create the queue on an empty database together all succeed (needs PKDEX_TEST_DATABASE_URL)',
  { timeout: 120_000 },
  async () => {
    const administrator = new pg.Client({ connectionString: server })
    await administrator.connect()
    for (let round = 0; round < 3; round++) {
      const name = `pkdex_test_${randomUUID().replaceAll('-', '')}`
      await administrator.query(`create database ${name}`)
      const url = new URL(server ?? '')
      url.pathname = `/${name}`
      const started = await Promise.allSettled(
        Array.from({ length: 6 }, async () => {
          const log = openLog('silent')
          const database = openServer(url.href, log)
          try {
            await closeQueue(await openQueue(database, log))
          } finally {
            await database.close()
          }
        }),
      )
      await administrator.query(`drop database ${name} with (force)`)
      expect(started.filter(({ status }) => status === 'rejected')).toEqual([])
    }
    await administrator.end()
  },
)
