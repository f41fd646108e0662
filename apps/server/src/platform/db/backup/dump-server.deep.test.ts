import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { readTestDatabaseUrl } from '#server/main/settings.ts'
import { withEmptyDatabase } from '#test/query-server.ts'
import { openTestDatabase } from '#test/open-test-database.ts'
import { openDatabase } from '#server/platform/db/open.ts'
import { openLog } from '#server/platform/log.ts'
import { backUp, restore } from './backup.ts'
import { dumpServer } from './dump-server.ts'
import { addRows, readEverything } from './fixtures/rows.ts'

const log = openLog('silent')
const folder = await mkdtemp(join(tmpdir(), 'pkdex-dump-'))
afterAll(() => rm(folder, { recursive: true, force: true }))

const server = readTestDatabaseUrl()

test.skipIf(server === undefined)(
  'SPEC 27.2: a backup of a PostgreSQL database, restored into an empty one, has every row of every table',
  async () => {
    const database = await openTestDatabase()
    if (database.source.kind !== 'server') throw new Error('not on a server')
    await addRows(database.db)
    const before = await readEverything(database)
    const dump = join(folder, 'dump')
    const place = { databaseUrl: database.source.url, dataDir: folder, log }
    const saved = await backUp(place, dump)
    expect(saved).toMatchObject({ users: 1, files: 1, pairs: 1 })
    expect(saved.bytes).toBeGreaterThan(10_000)
    await expect(restore(place, dump)).rejects.toThrow('is not empty')

    await withEmptyDatabase(server ?? '', async (databaseUrl) => {
      const empty = { ...place, databaseUrl }
      const ofNothing = backUp(empty, join(folder, 'nothing'))
      await expect(ofNothing).rejects.toThrow('contains no pKdex tables')
      await restore(empty, dump)
      const restored = await openDatabase(empty)
      expect(await readEverything(restored)).toEqual(before)
      await restored.close()
    })
    await database.close()
  },
  120_000,
)

test('a PostgreSQL server that does not respond is reported in one sentence', async () => {
  const place = { databaseUrl: 'postgres://postgres@127.0.0.1:1/none', dataDir: folder, log }
  await expect(backUp(place, join(folder, 'none'))).rejects.toThrow(
    'Cannot use the PostgreSQL server in DATABASE_URL: connect ECONNREFUSED 127.0.0.1:1',
  )
})

test('if PostgreSQL’s programs are missing, the backup names the package to install', async () => {
  const { PATH } = process.env
  process.env.PATH = folder
  try {
    await expect(dumpServer('postgres://127.0.0.1:1/none', join(folder, 'none'))).rejects.toThrow(
      'pg_dump could not be started. Install the PostgreSQL client tools',
    )
  } finally {
    process.env.PATH = PATH
  }
})
