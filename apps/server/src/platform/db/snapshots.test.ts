import { sql } from 'kysely'
import { afterAll, expect, test, vi } from 'vitest'
import { openTestDatabase } from '#test/open-test-database.ts'
import { openSnapshots, type Snapshot } from './snapshots.ts'

const database = await openTestDatabase()
await addSecrets(1, 3000)
afterAll(() => database.close())

async function addSecrets(from: number, to: number) {
  await sql`insert into server_secrets (name, value)
    select 'name ' || i, 'value ' || i from generate_series(${from}::int, ${to}::int) i`.execute(
    database.db,
  )
}

const everything = () => ({
  all: database.db.selectFrom('server_secrets').selectAll().where('name', 'like', 'name %'),
  one: database.db.selectFrom('server_secrets').select('value').where('name', '=', 'name 7'),
})

async function readAll(snapshot: Snapshot, name: string) {
  const rows = []
  for await (const page of snapshot.pages(name)) rows.push(...page)
  return rows
}

test('all queries of a snapshot see the moment it was opened', async () => {
  const snapshot = await openSnapshots(database).open(everything())
  const pages = snapshot.pages('all')
  const first = (await pages.next()).value ?? []
  await addSecrets(3001, 3500)
  await database.db
    .updateTable('server_secrets')
    .set({ value: 'changed' })
    .where('name', 'in', ['name 7', 'name 2999'])
    .execute()
  await database.db.deleteFrom('server_secrets').where('name', '=', 'name 2998').execute()
  const rest = []
  for await (const page of pages) rest.push(...page)
  const values = new Set([...first, ...rest].map((row) => row.value))
  expect(values.size).toBe(3000)
  expect([values.has('value 2999'), values.has('value 2998'), values.has('changed')]).toEqual([
    true,
    true,
    false,
  ])
  expect(await readAll(snapshot, 'one')).toEqual([{ value: 'value 7' }])
  await snapshot.close()
})

test('other transactions run between the pages of a snapshot', async () => {
  const snapshot = await openSnapshots(database).open(everything())
  let rows = 0
  for await (const page of snapshot.pages('all')) {
    rows += page.length
    const name = `written after row ${rows}`
    await database.db.transaction().execute(async (trx) => {
      await trx.insertInto('server_secrets').values({ name, value: 'x' }).execute()
    })
  }
  await snapshot.close()
  const written = database.db.selectFrom('server_secrets').where('name', 'like', 'written after%')
  expect((await written.selectAll().execute()).length).toBeGreaterThan(2)
})

test('three snapshots may be open at a time; the fourth request waits', async () => {
  const snapshots = openSnapshots(database, { waitMsMax: 0 })
  const open = [1, 2, 3].map(() => snapshots.open(everything()))
  await expect(snapshots.open(everything())).rejects.toThrow('Too many exports in progress')
  const [first, ...others] = await Promise.all(open)
  await first?.close()
  await first?.close()
  const next = await snapshots.open(everything())
  await expect(snapshots.open(everything())).rejects.toThrow('Too many exports')
  await Promise.all([next, ...others].map((snapshot) => snapshot.close()))
})

test('a reader has one snapshot at a time, and does not block others', async () => {
  const snapshots = openSnapshots(database)
  const first = await snapshots.open(everything(), 'ada')
  await expect(snapshots.open(everything(), 'ada')).rejects.toThrow(
    'You already have a download in progress',
  )
  const other = await snapshots.open(everything(), 'bob')
  await first.close()
  const next = await snapshots.open(everything(), 'ada')
  await Promise.all([other.close(), next.close()])
})

test('a fully read snapshot frees its place, even if its reader has another download', async () => {
  const snapshots = openSnapshots(database, { waitMsMax: 0 })
  const slow = await Promise.all(
    ['ada', 'bob', 'cyd'].map((who) => snapshots.open(everything(), who)),
  )
  await expect(snapshots.open(everything(), 'dan')).rejects.toMatchObject({ code: 'unavailable' })
  await readAll(slow[0] ?? (await snapshots.open({})), 'all')
  await expect(snapshots.open(everything(), 'dan')).rejects.toThrow('Too many exports')
  await readAll(slow[0] ?? (await snapshots.open({})), 'one')
  const other = await snapshots.open(everything(), 'dan')
  await expect(snapshots.open(everything(), 'ada')).rejects.toThrow(
    'You already have a download in progress',
  )
  await Promise.all([...slow, other].map((snapshot) => snapshot.close()))
})

test('three slow readers cannot block exports: the oldest loses its place', async () => {
  const snapshots = openSnapshots(database, { keptMs: 0, waitMsMax: 600_000 })
  const [slow, ...others] = await Promise.all(
    ['ada', 'bob', 'cyd'].map((who) => snapshots.open(everything(), who)),
  )
  const own = await snapshots.open(everything(), 'dan')
  expect(await readAll(own, 'one')).toHaveLength(1)
  await expect(readAll(slow ?? own, 'all')).rejects.toThrow('the snapshot was closed')
  await Promise.all([...others, own].map((snapshot) => snapshot.close()))
})

test('readers who take nothing for five seconds give way; one who goes on reading does not', async () => {
  const snapshots = openSnapshots(database, { waitMsMax: 600_000 })
  const opened = await Promise.all([1, 2, 3].map(() => snapshots.open(everything())))
  const [idle, reading, other] = opened.map((snapshot) => snapshot.pages('all'))
  await Promise.all([idle?.next(), reading?.next(), other?.next()])
  const clock = vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 6000)
  await Promise.all([reading?.next(), other?.next()])
  const next = await snapshots.open(everything())
  await expect(idle?.next()).rejects.toThrow('the snapshot was closed')
  await expect(reading?.next()).resolves.toMatchObject({ done: false })
  clock.mockRestore()
  for (const snapshot of [...opened, next]) await snapshot.close()
})

test('a failed query releases its snapshot', async () => {
  const snapshots = openSnapshots(database)
  const broken = { broken: sql`select nothing from nowhere`.$castTo<unknown>() }
  const compiled = { compile: () => broken.broken.compile(database.db) }
  for (let round = 0; round < 5; round++) {
    await expect(snapshots.open({ compiled })).rejects.toThrow('nowhere')
  }
  const snapshot = await snapshots.open(everything())
  expect(await readAll(snapshot, 'one')).toHaveLength(1)
  await snapshot.close()
})

test('a reader that stops reading loses its snapshot', async () => {
  const snapshots = openSnapshots(database, { stallMsMax: 50, waitMsMax: 0 })
  const stalled = await snapshots.open(everything())
  await Promise.all([1, 2].map(() => snapshots.open(everything())))
  // All places are taken until a stalled reader loses its own. On a slow machine this test's readers may stall, too.
  await vi.waitFor(async () => {
    const next = await snapshots.open(everything())
    expect(await readAll(next, 'one')).toHaveLength(1)
    await next.close()
  }, 50_000)
  await expect(readAll(stalled, 'all')).rejects.toThrow('the snapshot was closed')
})

test('no cursor stays behind in the session', async () => {
  const { rows } = await sql`select name from pg_cursors where name like 'snapshot%'`.execute(
    database.db,
  )
  expect(rows).toEqual([])
})

test('a snapshot that fails to close frees its place', async () => {
  let isLost = false
  const pool = new Proxy(database.pool, {
    get: (target, name) =>
      name === 'connect' && isLost
        ? () => Promise.reject(new Error('no connection'))
        : Reflect.get(target, name, target),
  })
  const snapshots = openSnapshots({ ...database, pool })
  for (let round = 0; round < 4; round++) {
    isLost = false
    const snapshot = await snapshots.open(everything())
    expect(await readAll(snapshot, 'one')).toHaveLength(1)
    isLost = true
    await snapshot.close().catch(() => undefined)
  }
})
