/** The queue is limited: requests beyond the limit are refused and cost nothing. */
import { afterAll, afterEach, expect, test } from 'vitest'
import { finishSingle, jobOf, openTestPredictions } from '#test/open-test-predictions.ts'
import { openTestUser } from '#test/open-test-user.ts'

const t = await openTestPredictions()
afterEach(() => t.reset())
afterAll(() => t.close())

test('SPEC 24.5: beyond the limit of waiting predictions per user, the next request gets Retry-After and is not charged; other users are served', async () => {
  t.waitingMax = { perUser: 2, inAll: 1000 }
  t.answerMs = 0
  const user = await openTestUser(t, 10)
  await user.askForTask()
  await user.askForTask(await user.addPair())
  const third = await user.addPair()
  const refused = await user.ask(third)
  expect([refused.statusCode, refused.headers['retry-after']]).toEqual([503, '10'])
  expect(refused.json().message).toBe(
    'You already have 2 predictions waiting, the maximum per user. Try again in a few minutes.',
  )
  expect(await user.balance()).toBe(8)
  // A request for a pair that is already waiting does not count again.
  expect((await user.ask()).json()).toMatchObject({ credits_charged: 0 })
  const other = await openTestUser(t, 10)
  await other.askForTask()
})

test('simultaneous requests of one user cannot exceed the limit', async () => {
  t.waitingMax = { perUser: 3, inAll: 1000 }
  t.answerMs = 0
  const user = await openTestUser(t, 100)
  const pairs = []
  for (let count = 0; count < 12; count++) pairs.push(await user.addPair())
  const answers = await Promise.all(pairs.map((pair) => user.ask(pair)))
  const statuses = answers.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)
  expect(statuses).toEqual([...Array(3).fill(200), ...Array(9).fill(503)])
  expect(await user.balance()).toBe(97)
})

test('beyond the total limit every user gets Retry-After until there is room again', async () => {
  t.waitingMax = { perUser: 2, inAll: 3 }
  t.answerMs = 0
  const one = await openTestUser(t, 10)
  const two = await openTestUser(t, 10)
  const three = await openTestUser(t, 10)
  const first = await one.askForTask()
  await two.askForTask()
  await two.askForTask(await two.addPair())
  expect((await three.ask()).statusCode).toBe(503)
  expect(await three.balance()).toBe(10)
  const [job] = await t.queue.fetch('small', 1)
  if (job === undefined) throw new Error('nothing waits')
  expect(job.id).toBe(await jobOf(t.database, first))
  await finishSingle(t, job, null)
  expect((await three.ask()).statusCode).toBe(200)
})

test('a job carries the id of the request that created it, as returned to the caller', async () => {
  t.answerMs = 0
  const user = await openTestUser(t, 10)
  const answer = await user.ask()
  const [job] = await t.queue.fetch('small', 1)
  expect(job?.reqId).toBe(answer.headers['x-request-id'])
})
