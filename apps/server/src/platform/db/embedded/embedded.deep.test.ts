/** The embedded database on a real folder: locking, creation, housekeeping. */
import { spawn } from 'node:child_process'
import { cp, mkdtemp, readdir, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { openLog } from '#server/platform/log.ts'
import { lockFolder } from './folder-lock.ts'
import { checkpoint, vacuum } from './housekeeping.ts'
import { type OpenDatabase, openDatabase } from '#server/platform/db/open.ts'

const log = openLog('silent')
let folder: string
let database: OpenDatabase
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pkdex-data-'))
  database = await open()
})
afterAll(async () => {
  await database.close()
  await rm(folder, { recursive: true })
})

const open = () => openDatabase({ databaseUrl: undefined, dataDir: folder, log })
const noteSecret = (name: string) =>
  database.db.insertInto('server_secrets').values({ name, value: name }).execute()

test('SPEC 11.6: a second start on the same folder is refused and says what to do', async () => {
  await expect(open()).rejects.toThrow(/in use by another pKdex process.*DATA_DIR/)
})

test('SPEC 11.6: the lock excludes another process and ends with it, even after kill -9', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'pkdex-lock-'))
  const lock = fileURLToPath(new URL('folder-lock.ts', import.meta.url))
  const program = `import { lockFolder } from ${JSON.stringify(lock)}
    globalThis.lock = lockFolder(${JSON.stringify(dataDir)})
    console.log('locked'); setInterval(() => {}, 1000)`
  const other = spawn(process.execPath, ['--input-type=module', '-e', program])
  await new Promise((resolve) => other.stdout.once('data', resolve))
  expect(() => lockFolder(dataDir)).toThrow('in use by another pKdex process')
  const ended = new Promise((resolve) => other.once('exit', resolve))
  other.kill('SIGKILL')
  await ended
  lockFolder(dataDir).release()
  await rm(dataDir, { recursive: true })
})

test.skipIf(process.platform !== 'linux')(
  'a DATA_DIR that cannot be created is refused immediately',
  async () => {
    const lock = fileURLToPath(new URL('folder-lock.ts', import.meta.url))
    const program = `import { lockFolder } from ${JSON.stringify(lock)}; lockFolder('/proc/pkdex/data')`
    const other = spawn(process.execPath, ['--input-type=module', '-e', program])
    const said: string[] = []
    other.stderr.on('data', (piece: Buffer) => said.push(piece.toString()))
    const timer = setTimeout(() => other.kill('SIGKILL'), 10_000)
    const code = await new Promise((resolve) => other.once('exit', resolve))
    clearTimeout(timer)
    expect(code).toBe(1)
    expect(said.join('')).toContain('DATA_DIR /proc/pkdex/data')
  },
)

test('committed data survive closing and opening again', async () => {
  await noteSecret('kept')
  await database.close()
  database = await open()
  const secret = await sql`select from server_secrets where name = 'kept'`.execute(database.db)
  expect(secret.rows).toHaveLength(1)
})

test('an incomplete new folder is replaced; one that lost its marker is refused and unchanged', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'pkdex-half-'))
  await database.close()
  await cp(join(folder, 'database', 'base'), join(dataDir, 'database', 'base'), {
    recursive: true,
  })
  const openHalf = () => openDatabase({ databaseUrl: undefined, dataDir, log })
  vi.useFakeTimers({ toFake: ['setInterval'] })
  await expect(openHalf()).rejects.toThrow(/contains data but not the file pkdex-made/)
  expect(vi.getTimerCount()).toBe(0)
  vi.useRealTimers()
  expect((await readdir(dataDir)).toSorted()).toEqual(['database', 'lock'])
  // This mark exists from before the creation until after its end.
  await writeFile(join(dataDir, 'database.making'), '')
  const half = await openHalf()
  expect(await sql`select from users`.execute(half.db)).toMatchObject({ rows: [] })
  await half.close()
  expect((await readdir(dataDir)).join(' ')).toMatch(
    /^database database\.unfinished-\d+ lock reserve$/,
  )
  await rm(dataDir, { recursive: true })
  database = await open()
})

test('a folder with truncated files is refused with instructions and unchanged', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'pkdex-cut-'))
  await database.close()
  await cp(join(folder, 'database'), join(dataDir, 'database'), { recursive: true })
  database = await open()
  const control = join(dataDir, 'database', 'global', 'pg_control')
  await truncate(control, 100)
  const opening = openDatabase({ databaseUrl: undefined, dataDir, log })
  await expect(opening).rejects.toThrow(/cannot be opened: its files are damaged.*npm run restore/)
  expect((await stat(control)).size).toBe(100)
  expect((await readdir(dataDir)).toSorted()).toEqual(expect.arrayContaining(['database', 'lock']))
  await rm(dataDir, { recursive: true })
})

test('checkpoints keep the write-ahead log small', async () => {
  await sql`create table bulk as select repeat(md5(g::text), 30) as v
    from generate_series(1, 150000) g`.execute(database.db)
  const grown = await walMegabytes()
  await sql`drop table bulk`.execute(database.db)
  await checkpoint(database.db)
  await checkpoint(database.db)
  const shrunk = await walMegabytes()
  expect(grown).toBeGreaterThan(100)
  expect(shrunk).toBeLessThan(100)
})

test('vacuum removes old row versions in every table', async () => {
  await noteSecret('churn')
  for (let round = 0; round < 200; round++) {
    await database.db
      .updateTable('server_secrets')
      .set({ value: 'x'.repeat(1000 + round) })
      .where('name', '=', 'churn')
      .execute()
  }
  await vacuum(database.db)
  const { rows } = await sql<{ live: number }>`
    select reltuples as live from pg_class where relname = 'server_secrets'`.execute(database.db)
  expect(rows[0]?.live).toBe(2)
})

test('HTTP requests are served between back-to-back queries', async () => {
  let turns = 0
  const timer = setInterval(() => turns++, 1)
  const QUERIES = 20_000
  for (let query = 0; query < QUERIES && turns <= 20; query++) {
    await sql`select 1`.execute(database.db)
  }
  clearInterval(timer)
  expect(turns).toBeGreaterThan(20)
})

async function walMegabytes(): Promise<number> {
  const wal = join(folder, 'database', 'pg_wal')
  const files = await readdir(wal, { withFileTypes: true })
  const sizes = await Promise.all(
    files
      .filter((file) => file.isFile())
      .map(async ({ name }) => (await stat(join(wal, name))).size),
  )
  return sizes.reduce((sum, size) => sum + size, 0) / 2 ** 20
}
