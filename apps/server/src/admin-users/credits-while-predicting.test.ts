import { afterAll, expect, test } from 'vitest'
import { openTestPredictions } from '#test/open-test-predictions.ts'
import { openTestUser } from '#test/open-test-user.ts'
import { updateUser } from './service.ts'

const t = await openTestPredictions()
afterAll(() => t.close())

test('SPEC 6.5: credits set while a prediction runs keep its refund, and the ledger adds up', async () => {
  const user = await openTestUser(t, 5)
  const decided = Promise.withResolvers<void>()
  t.answerMs = 200
  t.workPairs(async () => {
    await decided.promise
    return { ok: false, error: new Error('the pair cannot be predicted') }
  })
  const taskId = await user.askForTask()
  const action = { administrator: 'admin@lab.example', userId: user.userId, now: new Date() }
  await updateUser(t.database.db, action, { credits: 20 })
  decided.resolve()
  expect((await user.untilEnded(taskId)).status).toBe('FAILURE')
  expect(await user.balance()).toBe(21)
  expect((await user.ledger()).map(({ delta, reason }) => [delta, reason])).toEqual([
    [5, 'first sign-in'],
    [-1, 'prediction'],
    [16, 'administrator'],
    [1, 'refund'],
  ])
})
