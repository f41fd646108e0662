/** The clock is set by a day while there is work: back, nothing waits until it has caught up; forward, nothing fails. */
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { openTestPredictions, type TestPredictions } from './open-test-predictions.ts'
import { openTestUser } from './open-test-user.ts'

let t: TestPredictions
beforeAll(async () => {
  t = await openTestPredictions()
})
afterEach(() => t.reset())
afterAll(() => t.close())

/** As tasks and jobs look that were written before the clock was set, back by a day (1) or forward (-1). */
async function setClock(back: 1 | -1): Promise<void> {
  const day = sql`${back}::int * interval '1 day'`
  await sql`update pgboss.job set start_after = start_after + ${day},
    created_on = created_on + ${day}, started_on = started_on + ${day},
    heartbeat_on = heartbeat_on + ${day}, keep_until = keep_until + ${day}`.execute(t.database.db)
  await sql`update tasks set created_at = created_at + ${day}`.execute(t.database.db)
}

test('a task that waits is worked, not in a day', async () => {
  t.answerMs = 0
  const user = await openTestUser(t, 10)
  const taskId = await user.askForTask()
  await setClock(1)
  expect(await t.queue.fetch(1)).toEqual([])
  t.work()
  expect(await user.untilEnded(taskId)).toMatchObject({ status: 'SUCCESS' })
  expect(await user.balance()).toBe(9)
})

test('a task whose worker has died comes to another one, not in a day', async () => {
  t.answerMs = 0
  const user = await openTestUser(t, 10)
  const taskId = await user.askForTask()
  await t.store.markStarted(await t.queue.fetch(1))
  await setClock(1)
  t.work()
  expect(await user.untilEnded(taskId)).toMatchObject({ status: 'SUCCESS' })
  expect(await user.balance()).toBe(9)
})

test('set forward, a task that waits is neither failed nor refunded, but worked', async () => {
  t.answerMs = 0
  const user = await openTestUser(t, 10)
  const taskId = await user.askForTask()
  await setClock(-1)
  expect(await t.store.failAbandoned()).toEqual([])
  expect(await user.balance()).toBe(9)
  t.work()
  expect(await user.untilEnded(taskId)).toMatchObject({ status: 'SUCCESS' })
  expect(await user.balance()).toBe(9)
})

test('set forward, a task whose worker has died comes to another one', async () => {
  t.answerMs = 0
  const user = await openTestUser(t, 10)
  const taskId = await user.askForTask()
  await t.store.markStarted(await t.queue.fetch(1))
  await setClock(-1)
  expect(await t.store.failAbandoned()).toEqual([])
  t.work()
  expect(await user.untilEnded(taskId)).toMatchObject({ status: 'SUCCESS' })
  expect(await user.balance()).toBe(9)
})
