/** The queue is bounded: what cannot be done in good time is refused, and costs nothing. */
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { openTestPredictions, type TestPredictions } from './open-test-predictions.ts'
import { openTestUser } from './open-test-user.ts'

let t: TestPredictions
beforeAll(async () => {
  t = await openTestPredictions()
})
afterEach(() => t.reset())
afterAll(() => t.close())

test('beyond what one user may have waiting the next is told when to come back and pays nothing; others are served', async () => {
  t.waitingMax = { perUser: 2, inAll: 1000 }
  t.answerMs = 0
  const user = await openTestUser(t, 10)
  await user.askForTask()
  await user.askForTask(await user.addPair())
  const third = await user.addPair()
  const refused = await user.ask(third)
  expect([refused.statusCode, refused.headers['retry-after']]).toEqual([503, '10'])
  expect(refused.json().message).toBe(
    'You have 2 predictions waiting, as many as one user can have. Please try again in a moment.',
  )
  expect(await user.balance()).toBe(8)
  // What waits already is no further one.
  expect((await user.ask()).json()).toMatchObject({ credits_charged: 0 })
  const other = await openTestUser(t, 10)
  await other.askForTask()
})

test('requests of one user in the same moment do not pass the bound', async () => {
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

test('beyond what may wait in all everybody is told when to come back, until there is room again', async () => {
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
  const [job] = await t.queue.fetch(1)
  if (job === undefined) throw new Error('nothing waits')
  expect(job.id).toBe(first)
  await t.store.fail(job)
  expect((await three.ask()).statusCode).toBe(200)
})

test('a job carries the id of the call that asked for it, as that call was answered', async () => {
  t.answerMs = 0
  const user = await openTestUser(t, 10)
  const answer = await user.ask()
  const [job] = await t.queue.fetch(1)
  expect(job?.reqId).toBe(answer.headers['x-request-id'])
  expect(job?.pair).toEqual({ segments: ['MKVLA', 'GGH'], smiles: 'CCO' })
})
