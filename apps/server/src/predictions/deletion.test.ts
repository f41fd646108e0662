/** Deleting a target or compound cancels and refunds waiting predictions once, and leaves no job. */
import { afterAll, afterEach, expect, test, vi } from 'vitest'
import type { PairOutcome } from '#server/inference/service.ts'
import { resultOf } from '#test/open-test-grid.ts'
import { jobOf, openTestPredictions } from '#test/open-test-predictions.ts'
import { openTestUser, type TestUser } from '#test/open-test-user.ts'

const t = await openTestPredictions()
afterEach(() => t.reset())
afterAll(() => t.close())

test('waiting predictions of a deleted target fail and are refunded, and can still be polled', async () => {
  const user = await openTestUser(t, 10)
  const taskId = await user.askForTask()
  expect(await user.balance()).toBe(9)
  const answer = await remove(user, `targets/${user.pair.target}`)
  expect(answer.json()).toMatchObject({ targets: 1, compounds: 0, predictions_ended: 1 })
  expect(await user.untilEnded(taskId)).toMatchObject({
    status: 'FAILURE',
    message: 'The target or compound was deleted. Your credits were refunded.',
    credits_charged: 0,
  })
  expect(await user.balance()).toBe(10)
  expect(await jobsOf(taskId)).toEqual([])
  expect((await user.ask()).statusCode).toBe(404)
})

test('SPEC 19.15: a preview of a deletion counts what would be deleted, cancelled and kept', async () => {
  const user = await openTestUser(t, 10)
  const preview = async (query: string) => {
    const url = `/file_manager/deletion${query}`
    return (await t.app.inject({ method: 'GET', url, headers: user.headers })).json()
  }
  const none = { predictions: 0, predictions_under_way: 0, measured_values: 0, screens: 0 }
  const ofTarget = `?target=${user.pair.target}`
  expect(await preview(ofTarget)).toEqual({ ...none, files: 0, targets: 1, compounds: 0 })
  const other = await user.addPair()
  const taskId = await user.askForTask()
  await user.askForTask({ ...other, target: user.pair.target })
  t.workPairs()
  await user.untilEnded(taskId)
  await t.reset()
  await user.askForTask(await user.addPair())
  const { targetId: target_id } = user.pair
  const measured = { compound: 'x', smiles: 'CCO', type: 'Kd', value: 'Kd 1 nM', pk: 9 } as const
  const more = { target_id, bound: null, fingerprint: Buffer.alloc(0), created_at: new Date() }
  const value = { ...measured, ...more, user_id: user.userId }
  await t.database.db.insertInto('measurements').values([value, value]).execute()
  expect(await preview(ofTarget)).toMatchObject({ predictions: 2, measured_values: 2 })
  expect(await preview(`?compound=${user.pair.compound}`)).toMatchObject({
    compounds: 1,
    predictions: 1,
    measured_values: 2,
  })
  const account = { files: 3, targets: 3, compounds: 3, predictions: 2, predictions_under_way: 1 }
  expect(await preview('')).toMatchObject({ ...account, measured_values: 2, screens: 0 })
  expect((await remove(user, `targets/${user.pair.target}`)).statusCode).toBe(200)
  expect(await preview('')).toMatchObject({ predictions: 2, measured_values: 2 })
  expect(await preview(`?file_id=no&target=${other.target}`)).toMatchObject({
    detail: 'Name one of file_id, target and compound.',
  })
})

test('a finished prediction survives the deletion of its compound', async () => {
  const user = await openTestUser(t, 10)
  const taskId = await user.askForTask()
  t.workPairs()
  await user.untilEnded(taskId)
  const answer = await remove(user, `compounds/${user.pair.compound}`)
  expect(answer.json()).toMatchObject({ compounds: 1, predictions_ended: 0 })
  expect((await user.poll(taskId)).json()).toMatchObject({ status: 'SUCCESS', credits_charged: 1 })
  expect(await user.balance()).toBe(9)
})

test('a worker whose pair is deleted writes nothing, and refunds nothing again', async () => {
  const user = await openTestUser(t, 10)
  let answerWorker = () => {}
  const isHeld = new Promise<void>((resolve) => (answerWorker = resolve))
  const predict = vi.fn<() => Promise<PairOutcome>>(async () => {
    await isHeld
    return { ok: true, result: resultOf(7) }
  })
  t.answerMs = 50
  t.workPairs(predict)
  const taskId = await user.askForTask()
  await vi.waitFor(() => expect(predict).toHaveBeenCalled(), { timeout: 20_000 })
  expect((await remove(user, `targets/${user.pair.target}`)).statusCode).toBe(200)
  answerWorker()
  await t.reset()
  expect((await user.poll(taskId)).json()).toMatchObject({ status: 'FAILURE' })
  expect(await refundsOf(user)).toHaveLength(1)
  expect(await user.balance()).toBe(10)
})

test('in any order of request, prediction and deletion, a credit is either used or refunded once', async () => {
  const user = await openTestUser(t, 100)
  const pairs = await Promise.all(Array.from({ length: 12 }, () => user.addPair()))
  t.answerMs = 20
  t.workPairs()
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

test('users cannot delete other users’ items', async () => {
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
  return t.boss.findJobs('predict', { id: await jobOf(t.database, taskId) })
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
