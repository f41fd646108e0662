import { afterAll, afterEach, expect, test, vi } from 'vitest'
import type { PairOutcome } from '#server/inference/service.ts'
import { resultOf } from '#test/open-test-grid.ts'
import { finishSingle, jobOf, openTestPredictions } from '#test/open-test-predictions.ts'
import { openTestUser, type TestUser } from '#test/open-test-user.ts'

const t = await openTestPredictions()
afterEach(() => t.reset())
afterAll(() => t.close())

/** The rows of the ledger add up to the balance. */
async function expectBalanced(user: TestUser) {
  const sum = (await user.ledger()).reduce((total, row) => total + row.delta, 0)
  expect(await user.balance()).toBe(sum)
}

test('SPEC 15.5: a pair that cannot be predicted ends as FAILURE with a message, and is refunded once', async () => {
  const user = await openTestUser(t, 5)
  t.workPairs(() => ({ ok: false, error: new Error('no') }))
  const task = await user.untilEnded(await user.askForTask())
  expect(task).toMatchObject({ status: 'FAILURE', credits_charged: 0 })
  expect(task.message).toContain('Your credits were refunded')
  expect((await user.ledger()).map((row) => row.reason)).toEqual([
    'first sign-in',
    'prediction',
    'refund',
  ])
  expect(await user.balance()).toBe(5)
})

test('SPEC 15.1: twenty simultaneous predictions with one credit left: one is charged and predicted, nineteen get 402', async () => {
  const user = await openTestUser(t, 1)
  const pairs = [user.pair]
  while (pairs.length < 20) pairs.push(await user.addPair())
  t.workPairs()
  const answers = await Promise.all(pairs.map((pair) => user.ask(pair)))
  expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1)
  const refused = answers.filter(({ statusCode }) => statusCode === 402)
  expect(refused).toHaveLength(19)
  expect(refused[0]?.json()).toMatchObject({
    code: 'out_of_credits',
    message: 'Not enough credits. Ask your administrator for more.',
  })
  expect(await user.balance()).toBe(0)
  await expectBalanced(user)
})

test('SPEC 15.1: twenty simultaneous requests for one pair on the last credit: exactly one is charged', async () => {
  const user = await openTestUser(t, 1)
  const refused = Promise.withResolvers<void>()
  t.workPairs(async () => {
    await refused.promise
    return { ok: true, result: resultOf(7) }
  })
  let ended = 0
  const asked = Array.from({ length: 20 }, async () => {
    const answer = await user.ask()
    ended += 1
    // The charged request gets its prediction only after all others have a response.
    if (ended === 19) refused.resolve()
    return answer
  })
  const answers = await Promise.all(asked)
  expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1)
  expect(answers.filter(({ statusCode }) => statusCode === 402)).toHaveLength(19)
})

test('SPEC 15.3: twenty simultaneous requests for one pair are one task and cost one credit', async () => {
  const user = await openTestUser(t, 50)
  t.workPairs()
  const answers = await Promise.all(Array.from({ length: 20 }, () => user.ask()))
  expect(answers.map(({ statusCode }) => statusCode)).toEqual(Array(20).fill(200))
  expect(await user.balance()).toBe(49)
  expect((await user.ledger()).filter((row) => row.delta < 0)).toHaveLength(1)
})

test('SPEC 15.6: a worker that has lost its job changes nothing when it finishes', async () => {
  const user = await openTestUser(t, 5)
  const taskId = await user.askForTask()
  const [stale] = await t.queue.fetch('small', 1)
  if (stale === undefined) throw new Error('no job')
  await t.boss.fail('predict', await jobOf(t.database, taskId), { message: 'the lease ran out' })
  const fresh = await vi.waitFor(
    async () => {
      const [job] = await t.queue.fetch('small', 1)
      if (job === undefined) throw new Error('not back yet')
      return job
    },
    { timeout: 50_000 },
  )
  await finishSingle(t, stale, resultOf(1))
  await finishSingle(t, stale, null)
  expect((await user.poll(taskId)).json()).toMatchObject({ status: 'PENDING' })
  await finishSingle(t, fresh, resultOf(9))
  await finishSingle(t, fresh, null)
  await finishSingle(t, fresh, resultOf(2))
  expect((await user.poll(taskId)).json()).toMatchObject({
    status: 'SUCCESS',
    result: resultOf(9),
  })
  expect(await user.balance()).toBe(4)
})

test('SPEC 15.5: a task whose job failed, was cancelled or vanished fails and is refunded exactly once', async () => {
  const user = await openTestUser(t, 5)
  const pairs = [user.pair, await user.addPair()]
  pairs.push(await user.addPair(), await user.addPair())
  const ids = await Promise.all(pairs.map((pair) => user.askForTask(pair)))
  const [cancelled = '', vanished = '', completed = '', alive = ''] = ids
  await t.boss.cancel('predict', await jobOf(t.database, cancelled))
  await t.boss.deleteJob('predict', await jobOf(t.database, vanished))
  await t.boss.complete('predict', await jobOf(t.database, completed), null, {
    includeQueued: true,
  })
  const sweeps = await Promise.all([t.store.failAbandoned(), t.store.failAbandoned()])
  expect(sweeps.flat().toSorted()).toEqual([cancelled, vanished, completed].toSorted())
  expect(await t.store.failAbandoned()).toEqual([])
  expect((await user.poll(vanished)).json()).toMatchObject({ status: 'FAILURE' })
  expect((await user.poll(alive)).json()).toMatchObject({ status: 'PENDING' })
  expect(await user.balance()).toBe(4)
  await expectBalanced(user)
})

test('SPEC 15.7: an abandoned task fails after an hour, with its job', async () => {
  const user = await openTestUser(t, 5)
  const taskId = await user.askForTask()
  expect(await t.store.failAbandoned()).toEqual([])
  t.laterMs += 3_500_000
  expect(await t.store.failAbandoned()).toEqual([])
  t.laterMs += 200_000
  expect(await t.store.failAbandoned()).toEqual([taskId])
  expect(await t.queue.fetch('small', 1)).toEqual([])
  expect(await user.balance()).toBe(5)
})

test('two workers on one queue end each task once', async () => {
  const user = await openTestUser(t, 100)
  const pairs = [user.pair]
  while (pairs.length < 40) pairs.push(await user.addPair())
  const seen = vi.fn<() => Promise<PairOutcome>>(async () => {
    await new Promise((resolve) => setImmediate(resolve))
    return { ok: true, result: resultOf(7) }
  })
  t.workPairs(seen)
  t.workPairs(seen)
  const answers = await Promise.all(pairs.map((pair) => user.ask(pair)))
  expect(answers.filter((answer) => 'predicted_kd' in answer.json())).toHaveLength(40)
  expect(seen).toHaveBeenCalledTimes(40)
  expect(await user.balance()).toBe(60)
})
