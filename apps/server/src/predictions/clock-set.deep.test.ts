/** The clock is changed by a day while predictions run: set back, nothing waits; set forward, nothing fails. */
import { sql } from 'kysely'
import { afterAll, afterEach, expect, test } from 'vitest'
import { openTestPredictions } from '#test/open-test-predictions.ts'
import { openTestUser } from '#test/open-test-user.ts'

const t = await openTestPredictions()
afterEach(() => t.reset())
afterAll(() => t.close())

/** Changes tasks and jobs as if they had been written before the clock was set back a day (1) or forward (-1). */
async function setClock(back: 1 | -1): Promise<void> {
  const day = sql`${back}::int * interval '1 day'`
  await sql`update pgboss.job set start_after = start_after + ${day},
    created_on = created_on + ${day}, started_on = started_on + ${day},
    heartbeat_on = heartbeat_on + ${day}, keep_until = keep_until + ${day}`.execute(t.database.db)
  await sql`update orders set created_at = created_at + ${day}`.execute(t.database.db)
}

test.each([
  ['back a waiting task is predicted immediately', 1, 'waits'],
  ['back a dead worker’s task is taken over within the normal time', 1, 'was begun'],
  ['forward a waiting task is predicted, not failed or refunded', -1, 'waits'],
  ['forward a dead worker’s task is taken over', -1, 'was begun'],
] as const)('after the clock is set %s', async (_, back, state) => {
  t.answerMs = 0
  const user = await openTestUser(t, 10)
  const taskId = await user.askForTask()
  if (state === 'was begun') {
    await t.queue.fetch('small', 1)
    await t.store.markStarted([taskId])
  }
  await setClock(back)
  const affected = back === 1 ? await t.queue.fetch('small', 1) : await t.store.failAbandoned()
  expect(affected).toEqual([])
  expect(await user.balance()).toBe(9)
  t.workPairs()
  expect(await user.untilEnded(taskId)).toMatchObject({ status: 'SUCCESS' })
  expect(await user.balance()).toBe(9)
})
