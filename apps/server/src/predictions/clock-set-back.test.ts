/** The clock is set back by a day while there is work: nothing waits until it has caught up. */
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

/** As jobs look that were written before the clock was set back. */
async function setClockBackADay(): Promise<void> {
  await sql`update pgboss.job set start_after = start_after + interval '1 day',
    created_on = created_on + interval '1 day', started_on = started_on + interval '1 day',
    heartbeat_on = heartbeat_on + interval '1 day', keep_until = keep_until + interval '1 day'`.execute(
    t.database.db,
  )
  await sql`update tasks set created_at = created_at + interval '1 day'`.execute(t.database.db)
}

test('a task that waits is worked, not in a day', async () => {
  t.answerMs = 0
  const user = await openTestUser(t, 10)
  const taskId = await user.askForTask()
  await setClockBackADay()
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
  await setClockBackADay()
  t.work()
  expect(await user.untilEnded(taskId)).toMatchObject({ status: 'SUCCESS' })
  expect(await user.balance()).toBe(9)
})
