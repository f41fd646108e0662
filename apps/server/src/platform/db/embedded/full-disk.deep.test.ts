/** When the disk runs full, writes are refused with a reason, the engine survives, and freed space is used again. */
import { execFileSync, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmdirSync } from 'node:fs'
import { open, rm, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { uploadFile } from '@pkdex/contract'
import { sql } from 'kysely'
import { afterAll, expect, test, vi } from 'vitest'
import { openDatabase } from '#server/platform/db/open.ts'
import type { Database } from '#server/platform/db/schema.ts'
import { buildApp } from '#server/platform/http/build-app.ts'
import { refuseWithoutRoom } from '#server/platform/http/full-disk.ts'
import { openRoute } from '#server/platform/http/route.ts'
import { openTestApp, readTestConfig } from '#test/open-test-app.ts'
import { openLog, type Log } from '#server/platform/log.ts'
import { watchDisk } from './disk-watch.ts'

const MIB = 2 ** 20
const call = { ...uploadFile, auth: 'none', answer: uploadFile.answer.partial() } as const

test('SPEC 27.9: with too little disk space writes are refused with a reason, and accepted again when there is space', async () => {
  let free = 1000 * MIB
  const [error, warn] = [vi.fn<Log['error']>(), vi.fn<Log['warn']>()]
  const disk = watchDisk({
    folder: '/data',
    bytesMin: 100 * MIB,
    reserve: { isHeld: () => true, hold: () => true, release: () => true },
    log: { error, warn },
    statfs: async () => ({ bavail: free, bsize: 1 }),
  })
  const t = await openTestApp({
    features: () => [refuseWithoutRoom(disk, []), (app) => openRoute(app, call, async () => ({}))],
  })
  const upload = (bytes: number) =>
    t.app.inject({
      method: 'POST',
      url: call.path,
      headers: { 'content-type': 'multipart/form-data; boundary=b' },
      payload: 'x'.repeat(bytes),
    })
  expect((await upload(10)).statusCode).toBe(200)
  free = 101 * MIB
  expect((await upload(10)).statusCode).toBe(200)
  expect((await upload(MIB)).statusCode).toBe(503)
  free = 99 * MIB
  const refused = await upload(10)
  expect([refused.statusCode, refused.headers['retry-after']]).toEqual([503, '60'])
  expect(refused.json().message).toMatch(/^The server’s disk is full/)
  expect(disk.problem()).toBe('The disk of the server is full.')
  await upload(10)
  expect(error.mock.calls).toEqual([
    [
      'disk full: 99 MiB are free in /data; uploads and predictions are refused until space is freed',
    ],
  ])
  free = 200 * MIB
  expect((await upload(10)).statusCode).toBe(200)
  expect(warn).toHaveBeenCalledWith('disk space available again: 200 MiB are free in /data')
  expect(disk.problem()).toBeNull()
  disk.stop()
  await t.close()
})

const mounted = mountTmpfs()
afterAll(() => {
  if (mounted === null) return
  execFileSync('umount', ['-l', mounted])
  rmdirSync(mounted)
})
if (mounted === null) console.info('a disk of 300 MB cannot be mounted here: its test is skipped')

test.skipIf(mounted === null)(
  'a database whose disk is filled by another program keeps responding, keeps its data, and recovers',
  async () => {
    const dataDir = mounted ?? ''
    const log = openLog('silent')
    const openIt = () =>
      openDatabase({ databaseUrl: undefined, dataDir, diskBytesMin: 20 * MIB, log })
    let database = await openIt()
    await sql`create table notes (place integer, text text)`.execute(database.db)
    await fillDisk(join(dataDir, 'other-program'))
    const write = (place: number) =>
      sql`insert into notes select ${place}, repeat(md5(random()::text), 300) from generate_series(1, 200)`.execute(
        database.db,
      )
    for (let place = 0; place < 5; place++) await write(place)
    await vi.waitFor(() => expect(database.room.problem()).not.toBeNull(), { timeout: 30_000 })
    await expect(database.room.expect(1)).rejects.toMatchObject({ code: 'unavailable' })
    const app = await buildApp({
      config: readTestConfig(),
      db: database.db,
      log,
      now: () => new Date(),
      features: [
        (platform) =>
          openRoute(platform, call, async () => {
            // More than the disk and its reserve have room for.
            for (let place = 0; place < 100; place++) await writeMuch(database.db)
            return {}
          }),
      ],
      problem: () => database.room.problem(),
    })
    expect((await app.inject('/readyz')).statusCode).toBe(503)
    expect((await app.inject('/healthz')).statusCode).toBe(200)
    const refused = await app.inject({ method: 'POST', url: call.path })
    expect([refused.statusCode, refused.headers['retry-after']]).toEqual([503, '60'])
    expect(refused.json().message).toMatch(/^The server’s disk is full/)
    await rm(join(dataDir, 'other-program'))
    await vi.waitFor(() => expect(database.room.problem()).toBeNull(), { timeout: 30_000 })
    expect((await app.inject('/readyz')).statusCode).toBe(200)
    await app.close()
    await database.close()
    database = await openIt()
    const { rows } =
      await sql`select count(*)::integer as kept from notes where place >= 0`.execute(database.db)
    expect(rows).toEqual([{ kept: 1000 }])
    await database.close()
  },
)

/** A megabyte that cannot be compressed. */
const writeMuch = (db: Database) =>
  sql`insert into notes select -1, string_agg(md5(random()::text || i), '') from generate_series(1, 32000) i`.execute(
    db,
  )

test.skipIf(mounted === null)(
  'without room for its log the process ends with a sentence, and starts again once there is space',
  async () => {
    const dataDir = join(mounted ?? '', 'second')
    const child = fork(fileURLToPath(new URL('fixtures/fill-log.ts', import.meta.url)), [dataDir], {
      silent: true,
    })
    let acknowledged = 0
    child.on('message', (place) => (acknowledged = Number(place)))
    const [said, [, signal]] = await Promise.all([
      text(child.stderr ?? Readable.from([])),
      once(child, 'exit', { signal: AbortSignal.timeout(60_000) }),
    ])
    expect(signal).toBe('SIGKILL')
    expect(said).toMatch(/^The disk of .* is full\. pKdex can no longer save data and stops\. /m)
    const openIt = () => openDatabase({ databaseUrl: undefined, dataDir, log: openLog('silent') })
    await expect(openIt()).rejects.toThrow(/^The disk of DATA_DIR .* is full\. Free some space\./)
    await rm(join(dataDir, 'other-program'))
    const again = await openIt()
    const { rows } = await sql<{ last: number }>`select max(place) as last from commits`.execute(
      again.db,
    )
    expect(acknowledged).toBeGreaterThan(0)
    expect(rows[0]?.last).toBeGreaterThanOrEqual(acknowledged)
    await again.close()
  },
)

function mountTmpfs(): string | null {
  const folder = mkdtempSync(join(tmpdir(), 'pkdex-disk-'))
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=300m', 'tmpfs', folder], { stdio: 'ignore' })
    return folder
  } catch {
    rmdirSync(folder)
    return null
  }
}

/** Fills the disk to the last byte, ignoring the reserve. */
async function fillDisk(path: string): Promise<void> {
  const file = await open(path, 'w')
  const chunk = Buffer.alloc(64 * 1024, 1)
  try {
    while ((await statfs(path)).bavail > 0) await file.write(chunk)
  } catch (error) {
    const isFull = error instanceof Error && 'code' in error && error.code === 'ENOSPC'
    if (!isFull) throw error
  } finally {
    await file.close()
  }
}
