import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { Migrator } from 'kysely/migration'
import { afterAll, expect, test } from 'vitest'
import { migrate, migrations, openDatabase, overPglite } from '#server/platform/db/open.ts'
import { closeQueue, openQueue } from '#server/platform/jobs/queue.ts'
import { openLog } from '#server/platform/log.ts'
import { answerBackupRequests } from './backup-requests.ts'
import { backUp, restore } from './backup.ts'
import { backUpFolder } from './copy-folder.ts'
import { addRows, addScreen, noteSecret, readEverything, readUsersThings } from './fixtures/rows.ts'

const log = openLog('silent')
const folder = await mkdtemp(join(tmpdir(), 'pkdex-backup-'))
afterAll(() => rm(folder, { recursive: true, force: true }))

const embedded = (name: string) => ({ databaseUrl: undefined, dataDir: join(folder, name), log })

test('SPEC 27.1: a backup of a running embedded database, restored elsewhere, has every row of every table', async () => {
  const place = embedded('running')
  const database = await openDatabase(place)
  const boss = await openQueue(database, log)
  await boss.createQueue('kept')
  await boss.send('kept', { of: 'a job' })
  await addRows(database.db)
  await addScreen(database.db)
  const requests = await answerBackupRequests(
    place.dataDir,
    (target) => backUpFolder(database, { dataDir: place.dataDir, target }),
    log,
  )
  const before = await readEverything(database)
  expect(Object.values(before).flat().join()).toContain('a job')
  let written = 0
  let isWriting = true
  const writing = (async () => {
    for (; isWriting; written++) await noteSecret(database.db, `meanwhile ${written}`)
  })()
  const saved = await backUp(place, join(folder, 'copy'))
  expect(saved).toMatchObject({ users: 1, files: 1, pairs: 301 })
  expect(saved.bytes).toBeGreaterThan(1_000_000)
  isWriting = false
  await writing
  expect(written).toBeGreaterThan(0)
  await expect(backUp(place, join(folder, 'copy'))).rejects.toThrow(
    'already exists. Nothing was changed.',
  )
  await requests.close()
  await closeQueue(boss)
  await database.close()

  const counts = await restore(embedded('restored'), join(folder, 'copy'))
  expect(counts).toEqual({ users: 1, files: 1, pairs: 301 })
  const restored = await openDatabase(embedded('restored'))
  await restored.db.deleteFrom('server_secrets').where('name', 'like', 'meanwhile%').execute()
  expect(await readEverything(restored)).toEqual(before)
  await restored.close()
})

test('a folder without a database is refused and unchanged', async () => {
  const missing = backUp(embedded('typo'), join(folder, 'typo-copy'))
  await expect(missing).rejects.toThrow('contains no pKdex database')
  expect(existsSync(join(folder, 'typo'))).toBe(false)
  expect(existsSync(join(folder, 'typo-copy'))).toBe(false)
})

test('SPEC 27.4: existing data is never overwritten, and an incomplete backup is refused', async () => {
  const from = join(folder, 'copy')
  await expect(restore(embedded('restored'), from)).rejects.toThrow(
    'already exists. Nothing was changed.',
  )
  await mkdir(join(folder, 'half', 'database'), { recursive: true })
  const half = restore(embedded('new'), join(folder, 'half'))
  await expect(half).rejects.toThrow('is not a complete backup')
})

test('SPEC 27.3: a backup of an older schema is migrated with its rows', async () => {
  const database = overPglite(await PGlite.create(), log)
  const migrator = new Migrator({ db: database.db, provider: migrations })
  const names = Object.keys(await migrations.getMigrations())
  // Every schema on the way has the rows; a backup of any other repeats steps of these. npm run torture copies all.
  const few = [names[0], names[Math.floor(names.length / 2)], names.at(-2)]
  const copied = process.env.PKDEX_BACKUP_SCHEMAS === 'all' ? names : few
  const copies: [name: string, copy: Blob][] = []
  for (const name of names) {
    expect((await migrator.migrateTo(name)).error).toBeUndefined()
    if (name === names[0]) await addRows(database.db, 'first')
    const { source } = database
    if (copied.includes(name) && source.kind === 'embedded') {
      copies.push([name, await source.pglite.dumpDataDir('none')])
    }
  }
  await migrate(database.db)
  const expected = await readUsersThings(database.db)
  await database.close()
  expect(copies).toHaveLength(copied.length)
  for (const [name, loadDataDir] of copies) {
    const copy = overPglite(await PGlite.create({ loadDataDir }), log)
    await migrate(copy.db)
    expect({ name, things: await readUsersThings(copy.db) }).toEqual({ name, things: expected })
    await copy.close()
  }
})
