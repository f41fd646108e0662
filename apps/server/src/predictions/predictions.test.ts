import type { PredictionResult } from '@pkdex/contract'
import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, expect, test, vi } from 'vitest'
import type { Pair } from '#server/inference/open-model.ts'
import type { PairOutcome } from '#server/inference/service.ts'
import { plainEstimates } from '#test/plain-estimates.ts'
import { resultOf } from '#test/open-test-grid.ts'
import { addPair } from '#test/factories.ts'
import { openTestPredictions } from '#test/open-test-predictions.ts'
import { openTestUser } from '#test/open-test-user.ts'
import { ANSWER_MS, askForPrediction } from './single.ts'

const t = await openTestPredictions()
afterEach(() => t.reset())
afterAll(() => t.close())

test('the same molecule on the same chain is charged once, whatever the names of target and compound', async () => {
  const user = await openTestUser(t, 3)
  t.workPairs()
  expect((await user.ask()).json()).toMatchObject({ credits_charged: 1 })
  const sameByAnotherName = await addPair(t.database, user.userId)
  expect((await user.ask(sameByAnotherName)).json()).toMatchObject({ credits_charged: 0 })
  const mixed = { target: user.pair.target, compound: sameByAnotherName.compound }
  expect((await user.ask(mixed)).json()).toMatchObject({ credits_charged: 0 })
  const another = await user.addPair()
  expect((await user.ask(another)).json()).toMatchObject({ credits_charged: 1 })
  const stranger = await openTestUser(t, 1)
  expect((await stranger.ask()).json()).toMatchObject({ credits_charged: 1 })
  expect(await user.balance()).toBe(1)
})

/** The result of a pair that no pose and no own value has moved. */
function readAs(pkd: number): PredictionResult {
  const { predicted_kd, interval, ...result } = resultOf(pkd)
  const best_estimate = { predicted_kd, interval, own_values: 0 }
  return { ...result, predicted_kd, interval, best_estimate }
}

test('SPEC 7.9: POST /dta/predict returns predicted_kd if it is ready in time', async () => {
  const user = await openTestUser(t, 5)
  t.workPairs()
  const answer = await user.ask()
  expect(answer.statusCode).toBe(200)
  expect(answer.json()).toEqual({ predicted_kd: 7, result: readAs(7), credits_charged: 1 })
  expect(await user.balance()).toBe(4)
})

test('SPEC 7.9: POST /dta/predict returns task_id if it takes longer', async () => {
  const user = await openTestUser(t, 5)
  const answer = await user.ask()
  expect(answer.json()).toEqual({ task_id: expect.any(String), credits_charged: 1 })
})

test('SPEC 15.9: a request waits for its prediction, but less than a second', async () => {
  const user = await openTestUser(t, 5)
  let waitedMs = 0
  const arrivedAt = new Date()
  const answer = await askForPrediction(
    {
      db: t.database.db,
      store: t.store,
      // Only waiting advances this clock; no other time counts.
      finishedTasks: { wait: async (_taskId, ms) => void (waitedMs += ms) },
      creditsPerPrediction: 1,
      storedBytesPerUser: 1e9,
      waitingMax: { perUser: 10, inAll: 10 },
      modelVersion: 'test-1',
      best: plainEstimates,
      wakeWorker: () => {},
      now: () => arrivedAt,
      elapsedMs: () => waitedMs,
      answerMs: ANSWER_MS,
      lookMs: 150,
    },
    {
      userId: user.userId,
      targetName: user.pair.target,
      compoundName: user.pair.compound,
      arrivedAt,
      reqId: 'call-1',
    },
  )
  expect(answer).toEqual({ task_id: expect.any(String), credits_charged: 1 })
  expect(waitedMs).toBeGreaterThan(ANSWER_MS / 2)
  expect(waitedMs).toBeLessThan(1000)
})

test('SPEC 7.10: GET /dta/predict/{taskId} goes from PENDING through STARTED to SUCCESS with its result', async () => {
  const user = await openTestUser(t, 5)
  const taskId = await user.askForTask()
  expect((await user.poll(taskId)).json()).toMatchObject({ status: 'PENDING', result: null })
  const { promise, resolve } = Promise.withResolvers<void>()
  t.workPairs(async () => {
    await promise
    return { ok: true, result: resultOf(6.5) }
  })
  await vi.waitFor(async () => {
    expect((await user.poll(taskId)).json()).toMatchObject({ status: 'STARTED' })
  }, 50_000)
  resolve()
  const task = await user.untilEnded(taskId)
  expect(task).toMatchObject({ status: 'SUCCESS', result: resultOf(6.5), credits_charged: 1 })
})

test('the model gets the segments of the selected chain and the standard SMILES', async () => {
  const user = await openTestUser(t, 5)
  const predict = vi.fn<(pair: Pair) => PairOutcome>(() => ({ ok: true, result: resultOf(7) }))
  t.workPairs(predict)
  await user.ask()
  expect(predict).toHaveBeenCalledWith({ segments: ['MKVLA', 'GGH'], smiles: 'CCO' })
})

test('SPEC 15.2: an already predicted pair is returned directly and costs nothing, even without credits', async () => {
  const user = await openTestUser(t, 1)
  t.workPairs()
  await user.ask()
  const again = await user.ask()
  expect(again.json()).toEqual({ predicted_kd: 7, result: readAs(7), credits_charged: 0 })
})

test('a repeated request during a prediction gets the same task, even without credits', async () => {
  const user = await openTestUser(t, 1)
  t.answerMs = ANSWER_MS
  const taskId = await user.askForTask()
  const again = await user.ask()
  expect(again.json()).toEqual({ task_id: taskId, credits_charged: 0 })
})

test('another chain of the target is another pair', async () => {
  const user = await openTestUser(t, 5)
  t.workPairs()
  await user.ask()
  await t.database.db
    .updateTable('targets')
    .set({ chain: 'B' })
    .where('id', '=', user.pair.targetId)
    .execute()
  expect((await user.ask()).json()).toMatchObject({ credits_charged: 1 })
})

test('a failed pair can be requested again', async () => {
  const user = await openTestUser(t, 5)
  let isBroken = true
  t.workPairs(() =>
    isBroken ? { ok: false, error: new Error('no') } : { ok: true, result: resultOf(7) },
  )
  await user.untilEnded(await user.askForTask())
  isBroken = false
  expect((await user.ask()).json()).toMatchObject({ predicted_kd: 7, credits_charged: 1 })
})

test.each([
  ['target', { target: 'no such target' }, 'You have no target named “no such target”.'],
  ['compound', { compound: 'no such compound' }, 'You have no compound named “no such compound”.'],
])('SPEC 15.4: an unknown %s returns 404 and costs nothing', async (_kind, wrong, message) => {
  const user = await openTestUser(t, 5)
  const answer = await user.ask({ ...user.pair, ...wrong })
  expect(answer.statusCode).toBe(404)
  expect(answer.json()).toMatchObject({ code: 'not_found', message })
  expect(await user.balance()).toBe(5)
})

test.each(['target', 'compound'])(
  'a %s with a name longer than allowed is refused, without repeating the name',
  async (kind) => {
    const user = await openTestUser(t, 5)
    const answer = await user.ask({ ...user.pair, [kind]: 'x'.repeat(200_000) })
    expect(answer.statusCode).toBe(400)
    expect(answer.json().message).toContain('at most 1000 characters')
    expect(answer.body.length).toBeLessThan(1000)
  },
)

test('SPEC 15.4: a request without a compound returns 400 and costs nothing', async () => {
  const user = await openTestUser(t, 5)
  const answer = await t.app.inject({
    method: 'POST',
    url: '/dta/predict',
    headers: user.headers,
    payload: { protein_id: user.pair.target },
  })
  expect(answer.statusCode).toBe(400)
  expect(await user.balance()).toBe(5)
})

test('SPEC 6.2: another user’s target, compound and task return 404', async () => {
  const owner = await openTestUser(t, 5)
  const other = await openTestUser(t, 5)
  const taskId = await owner.askForTask()
  expect((await other.ask(owner.pair)).statusCode).toBe(404)
  const mixed = { target: other.pair.target, compound: owner.pair.compound }
  expect((await other.ask(mixed)).statusCode).toBe(404)
  expect((await other.poll(taskId)).statusCode).toBe(404)
  expect((await owner.poll(taskId)).statusCode).toBe(200)
})

test.each(['1', 'not-a-uuid', '%2e%2e', randomUUID()])(
  'the unknown task id %s returns 404',
  async (taskId) => {
    const user = await openTestUser(t, 0)
    const answer = await user.poll(taskId)
    expect(answer.statusCode).toBe(404)
    expect(answer.json()).toMatchObject({ code: 'not_found' })
  },
)
