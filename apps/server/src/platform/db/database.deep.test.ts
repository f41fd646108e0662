import { PGlite } from '@electric-sql/pglite'
import { sql } from 'kysely'
import { fromKysely } from 'pg-boss'
import { afterAll, expect, test } from 'vitest'
import { openLog } from '#server/platform/log.ts'
import { migrate, overPglite } from './open.ts'
import { openTestDatabase } from '#test/open-test-database.ts'
import { addTestPerson } from '#test/factories.ts'
import { closeQueue, openQueue } from '#server/platform/jobs/queue.ts'
import { inTransaction } from './transaction.ts'

const database = await openTestDatabase()
afterAll(() => database.close())

const addUser = (credits: number) =>
  addTestPerson(database.db, `${crypto.randomUUID()}@example.org`, { credits })

test('counts and credits are read as numbers, timestamps as dates', async () => {
  const user = await addUser(12.5)
  expect([user.credits, user.created_at instanceof Date]).toEqual([12.5, true])
  const { count } = await database.db
    .selectFrom('users')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  expect(count).toBe(1)
})

test('the database refuses a balance below zero', async () => {
  await expect(addUser(-1)).rejects.toThrow(/check constraint/)
})

test('SPEC 15.8: a ledger row can be added, but never changed or deleted', async () => {
  const user = await addUser(1)
  await database.db
    .insertInto('ledger')
    .values({
      user_id: user.id,
      delta: 1,
      balance_after: 1,
      reason: 'first sign-in',
      task_id: null,
      actor: 'server',
      created_at: new Date(),
    })
    .execute()
  const refused = /append-only/
  await expect(database.db.updateTable('ledger').set({ delta: 5 }).execute()).rejects.toThrow(
    refused,
  )
  await expect(database.db.deleteFrom('ledger').execute()).rejects.toThrow(refused)
  await expect(sql`truncate ledger`.execute(database.db)).rejects.toThrow(refused)
})

test('processes that start together migrate once, and a restart changes nothing', async () => {
  const starts = [1, 2, 3].map(() => migrate(database.db))
  await expect(Promise.all(starts)).resolves.toHaveLength(3)
})

test('a transaction that throws leaves nothing, not even its job', async () => {
  const boss = await openQueue(database, openLog('silent'))
  await boss.createQueue('test')
  await boss.findJobs('test', { id: crypto.randomUUID() })
  const attempt = (id: string, fails: boolean) =>
    inTransaction(database.db, async (trx) => {
      await boss.send('test', {}, { id, db: fromKysely(trx) })
      if (fails) throw new Error('changed my mind')
    })
  const [kept, dropped] = [crypto.randomUUID(), crypto.randomUUID()]
  await attempt(kept, false)
  await expect(attempt(dropped, true)).rejects.toThrow('changed my mind')
  expect(await boss.findJobs('test', { id: kept })).toHaveLength(1)
  expect(await boss.findJobs('test', { id: dropped })).toHaveLength(0)
  await closeQueue(boss)
})

test('a failed queue statement leaves no open transaction', async () => {
  const boss = await openQueue(database, openLog('silent'))
  await expect(boss.getDb().executeSql('begin; select 1 / 0; commit')).rejects.toThrow(/division/)
  expect((await boss.getDb().executeSql('select 1 as one')).rows).toEqual([{ one: 1 }])
  expect(await sql`select 1 as one`.execute(database.db)).toMatchObject({ rows: [{ one: 1 }] })
  await closeQueue(boss)
})

test('SPEC 27.11: a database written by a newer version is refused with one sentence', async () => {
  const database = overPglite(await PGlite.create(), openLog('silent'))
  await migrate(database.db)
  await sql`insert into kysely_migration (name, timestamp) values ('9999-from-tomorrow', 'x')`.execute(
    database.db,
  )
  const refused = await migrate(database.db).catch((error: unknown) => error)
  expect(refused).toMatchObject({ name: 'OperatorError', mayPass: false })
  expect(String(refused)).toContain('newer version of pKdex (it has 9999-from-tomorrow)')
  await database.close()
})
