/** Users take turns: a long queue of one user does not delay others. */
import { afterAll, afterEach, expect, test } from 'vitest'
import type { BlockAttempt } from './queue.ts'
import { resultOf } from '#test/open-test-grid.ts'
import { finishSingle, jobOf, openTestPredictions } from '#test/open-test-predictions.ts'
import { openTestUser, type TestUser } from '#test/open-test-user.ts'

const t = await openTestPredictions()
afterEach(() => t.reset())
afterAll(() => t.close())

test('a new user’s pair is predicted before another user’s long queue', async () => {
  const busy = await openTestUser(t, 100)
  t.answerMs = 0
  const many = []
  for (let count = 0; count < 30; count++) many.push(await job(busy, await busy.addPair()))
  const first = await t.queue.fetch('small', 8)
  expect(idsOf(first)).toEqual(new Set(many.slice(0, 8)))
  for (const one of first) await finishSingle(t, one, resultOf(7))
  const late = await openTestUser(t, 100)
  const [one, two] = [await job(late, late.pair), await job(late, await late.addPair())]
  expect(idsOf(await t.queue.fetch('small', 4))).toEqual(new Set([one, two, ...many.slice(8, 10)]))
  expect(idsOf(await t.queue.fetch('small', 50))).toEqual(new Set(many.slice(10)))
})

test('an empty queue restarts its turns', async () => {
  const user = await openTestUser(t, 100)
  t.answerMs = 0
  await user.askForTask()
  await user.askForTask(await user.addPair())
  for (const one of await t.queue.fetch('small', 10)) await finishSingle(t, one, resultOf(7))
  const id = await job(user, await user.addPair())
  const [queued] = await t.boss.findJobs('predict', { id })
  expect(queued?.priority).toBeCloseTo(0)
})

/** Requests a pair, and returns the id of its job. */
async function job(user: TestUser, pair: TestUser['pair']): Promise<string> {
  return jobOf(t.database, await user.askForTask(pair))
}

/** Jobs that are fetched together run together, in no order. */
function idsOf(jobs: BlockAttempt[]): Set<string> {
  return new Set(jobs.map(({ id }) => id))
}
