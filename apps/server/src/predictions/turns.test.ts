/** Users take turns: whoever asks for much keeps nobody else waiting for all of it. */
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import type { Job } from './queue.ts'
import { openTestPredictions, type TestPredictions } from './open-test-predictions.ts'
import { openTestUser } from './open-test-user.ts'

let t: TestPredictions
beforeAll(async () => {
  t = await openTestPredictions()
})
afterEach(() => t.reset())
afterAll(() => t.close())

test('a pair that is asked for behind many of somebody else is worked next', async () => {
  const busy = await openTestUser(t, 100)
  t.answerMs = 0
  const many = []
  for (let count = 0; count < 30; count++) many.push(await busy.askForTask(await busy.addPair()))
  const first = await t.queue.fetch(8)
  expect(idsOf(first)).toEqual(new Set(many.slice(0, 8)))
  await t.store.markStarted(first)
  const late = await openTestUser(t, 100)
  const [one, two] = [await late.askForTask(), await late.askForTask(await late.addPair())]
  expect(idsOf(await t.queue.fetch(4))).toEqual(new Set([one, two, ...many.slice(8, 10)]))
  expect(idsOf(await t.queue.fetch(50))).toEqual(new Set(many.slice(10)))
})

test('an empty queue begins its turns anew', async () => {
  const user = await openTestUser(t, 100)
  t.answerMs = 0
  await user.askForTask()
  await user.askForTask(await user.addPair())
  await t.store.markStarted(await t.queue.fetch(10))
  const taskId = await user.askForTask(await user.addPair())
  const [job] = await t.boss.findJobs('predict', { id: taskId })
  expect(job?.priority).toBeCloseTo(0)
})

/** What is fetched together is worked together, in no order. */
function idsOf(jobs: Job[]): Set<string> {
  return new Set(jobs.map(({ id }) => id))
}
