import { sql } from 'kysely'
import { fromKysely } from 'pg-boss'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openLog } from '#server/platform/log.ts'
import { migrate } from './open.ts'
import type { OpenDatabase } from './open.ts'
import { openTestDatabase } from './open-test-database.ts'
import { closeQueue, openQueue } from '#server/platform/jobs/queue.ts'
import { inTransaction } from './transaction.ts'

let database: OpenDatabase
beforeAll(async () => {
  database = await openTestDatabase()
})
afterAll(() => database.close())

async function addUser(credits: number) {
  return database.db
    .insertInto('users')
    .values({
      issuer: null,
      subject: null,
      google_id: null,
      email: `${crypto.randomUUID()}@example.org`,
      name: '',
      credits,
      created_at: new Date(),
    })
    .returningAll()
    .executeTakeFirstOrThrow()
}

test('counts and credits come back as numbers, moments as dates', async () => {
  const user = await addUser(12.5)
  expect([user.credits, user.created_at instanceof Date]).toEqual([12.5, true])
  const { count } = await database.db
    .selectFrom('users')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  expect(count).toBe(1)
})

test('a balance below zero is refused by the database itself', async () => {
  await expect(addUser(-1)).rejects.toThrow(/check constraint/)
})

test('SPEC 15.8: a row of the ledger can be added, but never changed or deleted', async () => {
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

test('several processes that start at once migrate once, and starting again changes nothing', async () => {
  const starts = [1, 2, 3].map(() => migrate(database.db))
  await expect(Promise.all(starts)).resolves.toHaveLength(3)
})

test('a transaction that throws leaves nothing behind, its job included', async () => {
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

test('a failed statement of the queue leaves no open transaction behind', async () => {
  const boss = await openQueue(database, openLog('silent'))
  await expect(boss.getDb().executeSql('begin; select 1 / 0; commit')).rejects.toThrow(/division/)
  expect((await boss.getDb().executeSql('select 1 as one')).rows).toEqual([{ one: 1 }])
  expect(await sql`select 1 as one`.execute(database.db)).toMatchObject({ rows: [{ one: 1 }] })
  await closeQueue(boss)
})
