import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { sql } from 'kysely'
import { openDatabase } from '#server/platform/db/open.ts'
import { openLog } from '#server/platform/log.ts'
import { start } from '#test/start-main.ts'
import { ModelError, readModelVersion } from '#server/inference/service.ts'
import { readTestDatabaseUrl } from './settings.ts'

const folder = await mkdtemp(join(tmpdir(), 'pkdex-start-'))
afterAll(() => rm(folder, { recursive: true }))

/** Settings with which the process does not wait for its database. */
const impatient = '../../test/all-impatient.ts'

test('an unreachable PostgreSQL server is reported in one sentence; a restart may help', async () => {
  const DATABASE_URL = 'postgres://ada:secret@127.0.0.1:1/none'
  const { code, said } = await start({ DATABASE_URL }, impatient)
  expect(said).toMatch(/^Cannot reach the PostgreSQL server in DATABASE_URL: .*ECONNREFUSED.*\n$/)
  expect(code).toBe(1)
  expect(said).not.toContain('secret')
})

test.skipIf(readTestDatabaseUrl() === undefined)(
  'a missing database is reported in one sentence; a restart does not help (needs PKDEX_TEST_DATABASE_URL)',
  async () => {
    const url = new URL(readTestDatabaseUrl() ?? '')
    url.pathname = '/there_is_none'
    const { code, said } = await start({ DATABASE_URL: url.href })
    expect(said).toBe(
      'The PostgreSQL server refuses DATABASE_URL: database "there_is_none" does not exist.\n',
    )
    expect(code).toBe(78)
  },
)

test('a password with @ that hides the name of the server gets a hint', async () => {
  const DATABASE_URL = 'postgres://ada:se@cret@nowhere.invalid/none'
  const { code, said } = await start({ DATABASE_URL }, impatient)
  expect(said).toContain('write it percent-encoded, such as %40 for @.')
  expect(code).toBe(1)
})

test('an unusable data folder is reported in one sentence, and a restart does not help', async () => {
  const file = join(folder, 'file')
  await writeFile(file, '')
  const { code, said } = await start({ DATA_DIR: file })
  expect(said).toBe(
    `DATA_DIR ${file} is not a folder that this user can write to. Nothing was changed.\n`,
  )
  expect(code).toBe(78)
})

test('SPEC 27.11: an older program on a newer database says so in one line; a restart does not help', async () => {
  const dataDir = join(folder, 'newer')
  const database = await openDatabase({
    databaseUrl: undefined,
    dataDir,
    log: openLog('silent'),
  })
  await sql`insert into kysely_migration (name, timestamp) values ('9999-from-tomorrow', '')`.execute(
    database.db,
  )
  await database.close()
  const { code, said } = await start({ DATA_DIR: dataDir })
  expect(said).toMatch(/^This database was already used by a newer version of pKdex .*\n$/)
  expect(said).toContain('9999-from-tomorrow')
  expect(code).toBe(78)
}, 60_000)

test('a missing model is named, with what to do', async () => {
  await expect(readModelVersion(folder)).rejects.toThrow(ModelError)
  await expect(readModelVersion(folder)).rejects.toThrow(
    /^MODEL_DIR .* is not valid: .*model-card.json\. Restore the model folder/,
  )
})

test.each([
  ['PORT', 'PORT %d on 127.0.0.1 is in use by another program.'],
  ['METRICS_PORT', 'METRICS_PORT %d is in use by another program.'],
])(
  'a %s in use is reported in one sentence; a restart does not help',
  async (name, sentence) => {
    const other = createServer().listen(0, '127.0.0.1')
    await once(other, 'listening')
    const { port } = other.address() as AddressInfo
    const { code, said } = await start({ DATA_DIR: join(folder, name), [name]: String(port) })
    other.close()
    expect(said).toBe(`${sentence.replace('%d', String(port))}\n`)
    expect(code).toBe(78)
  },
  60_000,
)
