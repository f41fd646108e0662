/** Deleting a target or compound ends what waits for it, returns its cost once, and leaves no job behind. */
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import type { PairOutcome } from '#server/inference/service.ts'
import { openTestPredictions, resultOf, type TestPredictions } from './open-test-predictions.ts'
import { openTestUser, type TestUser } from './open-test-user.ts'

let t: TestPredictions
beforeAll(async () => {
  t = await openTestPredictions()
})
afterEach(() => t.reset())
afterAll(() => t.close())

test('what waits for a deleted target ends, its credit comes back, and it can still be asked after', async () => {
  const user = await openTestUser(t, 10)
  const taskId = await user.askForTask()
  expect(await user.balance()).toBe(9)
  const answer = await remove(user, `targets/${user.pair.target}`)
  expect(answer.json()).toMatchObject({ targets: 1, compounds: 0, predictions_ended: 1 })
  expect(await user.untilEnded(taskId)).toMatchObject({
    status: 'FAILURE',
    message: 'Its target or compound was deleted; what the prediction cost was returned.',
    credits_charged: 0,
  })
  expect(await user.balance()).toBe(10)
  expect(await jobsOf(taskId)).toEqual([])
  expect((await user.ask()).statusCode).toBe(404)
})

test('a number that is there stays with its task when its compound is deleted', async () => {
  const user = await openTestUser(t, 10)
  const taskId = await user.askForTask()
  t.work()
  await user.untilEnded(taskId)
  const answer = await remove(user, `compounds/${user.pair.compound}`)
  expect(answer.json()).toMatchObject({ compounds: 1, predictions_ended: 0 })
  expect((await user.poll(taskId)).json()).toMatchObject({ status: 'SUCCESS', credits_charged: 1 })
  expect(await user.balance()).toBe(9)
})

test('a worker that has a pair while it is deleted writes nothing, and its end refunds nothing more', async () => {
  const user = await openTestUser(t, 10)
  let answerWorker = () => {}
  const isHeld = new Promise<void>((resolve) => (answerWorker = resolve))
  const predict = vi.fn<() => Promise<PairOutcome>>(async () => {
    await isHeld
    return { ok: true, result: resultOf(7) }
  })
  t.answerMs = 50
  t.work(predict)
  const taskId = await user.askForTask()
  await vi.waitFor(() => expect(predict).toHaveBeenCalled(), { timeout: 20_000 })
  expect((await remove(user, `targets/${user.pair.target}`)).statusCode).toBe(200)
  answerWorker()
  await t.reset()
  expect((await user.poll(taskId)).json()).toMatchObject({ status: 'FAILURE' })
  expect(await refundsOf(user)).toHaveLength(1)
  expect(await user.balance()).toBe(10)
})

test('whatever comes first of asking, predicting and deleting, a credit is kept for a number or comes back once', async () => {
  const user = await openTestUser(t, 100)
  const pairs = await Promise.all(Array.from({ length: 12 }, () => user.addPair()))
  t.answerMs = 20
  t.work()
  const answers = await Promise.all(
    pairs.flatMap((pair, index) => [
      user.ask(pair),
      remove(user, index % 2 ? `targets/${pair.target}` : `compounds/${pair.compound}`),
      remove(user, index % 2 ? `targets/${pair.target}` : `compounds/${pair.compound}`),
      user.ask(pair),
    ]),
  )
  expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(new Set([200, 404]))
  expect(answers.filter((answer) => answer.json().files === 0)).toHaveLength(pairs.length)
  await vi.waitFor(async () => expect(await openTasks(user)).toEqual([]), { timeout: 20_000 })
  const numbers = await tasksOf(user, 'SUCCESS')
  expect(await user.balance()).toBe(100 - numbers.length)
  const refunded = (await refundsOf(user)).map(({ taskId }) => taskId)
  expect(new Set(refunded).size).toBe(refunded.length)
})

test('nobody deletes what is another user’s', async () => {
  const [owner, stranger] = [await openTestUser(t, 1), await openTestUser(t, 1)]
  const answer = await remove(stranger, `targets/${owner.pair.target}`)
  expect([answer.statusCode, answer.json().code]).toEqual([404, 'not_found'])
  expect((await owner.ask()).statusCode).toBe(200)
})

function remove({ headers }: TestUser, path: string) {
  return t.app.inject({ method: 'DELETE', url: `/file_manager/${path}`, headers })
}

async function refundsOf(user: TestUser) {
  return (await user.ledger()).filter(({ reason }) => reason === 'refund')
}

async function jobsOf(taskId: string) {
  return t.boss.findJobs('predict', { id: taskId })
}

function tasksOf(user: TestUser, ...statuses: ('PENDING' | 'STARTED' | 'SUCCESS')[]) {
  return t.database.db
    .selectFrom('tasks')
    .select('id')
    .where('user_id', '=', user.userId)
    .where('status', 'in', statuses)
    .execute()
}

function openTasks(user: TestUser) {
  return tasksOf(user, 'PENDING', 'STARTED')
}
