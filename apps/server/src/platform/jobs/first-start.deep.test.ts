/** Several processes may start at the same time on an empty PostgreSQL server. */
import { expect, test } from 'vitest'
import { withEmptyDatabase } from '#test/query-server.ts'
import { readTestDatabaseUrl } from '#server/main/settings.ts'
import { openServer } from '#server/platform/db/open.ts'
import { openLog } from '#server/platform/log.ts'
import { closeQueue, openQueue } from './queue.ts'

const server = readTestDatabaseUrl()

test.skipIf(server === undefined)(
  'processes that create the queue on an empty database together all succeed (needs PKDEX_TEST_DATABASE_URL)',
  { timeout: 120_000 },
  async () => {
    const log = openLog('silent')
    const startOn = async (url: string) => {
      const database = openServer(url, log)
      try {
        await closeQueue(await openQueue(database, log))
      } finally {
        await database.close()
      }
    }
    for (let round = 0; round < 3; round++) {
      const started = await withEmptyDatabase(server ?? '', (url) =>
        Promise.allSettled(Array.from({ length: 6 }, () => startOn(url))),
      )
      expect(started.filter(({ status }) => status === 'rejected')).toEqual([])
    }
  },
)
