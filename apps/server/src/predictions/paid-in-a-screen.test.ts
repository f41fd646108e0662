import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { openLog } from '#server/platform/log.ts'
import { predictTestGrid } from '#server/screens/open-test-screens.ts'
import { openScreens } from '#server/screens/service.ts'
import { startScreen } from '#server/screens/start.ts'
import {
  addPair,
  openTestPredictions,
  resultOf,
  type TestPredictions,
} from './open-test-predictions.ts'
import { openTestUser } from './open-test-user.ts'

let t: TestPredictions
beforeAll(async () => {
  t = await openTestPredictions()
})
afterAll(() => t.close())

test('a pair that a screen has predicted costs nothing by itself, and gets all that its panel shows', async () => {
  const user = await openTestUser(t, 1)
  const screens = await openScreens({
    database: t.database,
    boss: t.boss,
    creditsPerPrediction: 1,
    modelVersion: 'test-1',
    log: openLog('silent'),
    now: () => new Date(),
  })
  screens.startWorker({
    modelVersion: 'test-1',
    threads: 1,
    predict: async () => [],
    predictGrid: predictTestGrid,
    close: async () => {},
  })
  const { userId, pair } = user
  const request = { targets: [pair.target], compounds: [pair.compound] }
  const { id } = await startScreen(screens.requests, {
    userId,
    request,
    idempotencyKey: null,
    reqId: 'call-1',
  })
  await vi.waitFor(
    async () => expect((await screens.requests.store.read(userId, id))?.status).toBe('DONE'),
    { timeout: 50_000, interval: 50 },
  )
  await screens.stop()
  expect(await user.balance()).toBe(0)
  t.work()
  const answer = await user.ask()
  expect(answer.json()).toEqual({ predicted_kd: 7, result: resultOf(7), credits_charged: 0 })
  expect((await user.ledger()).map(({ delta }) => delta)).toEqual([1, -1])
})

test('what is known on a target is listed by name, two names of one structure included, with what the rest would cost', async () => {
  const user = await openTestUser(t, 5)
  const { target, compound } = user.pair
  await addPair(t.database, user.userId, { compound: 'ethanol again', smiles: 'CCO' })
  await addPair(t.database, user.userId, { compound: 'butane', smiles: 'CCCC' })
  const ofTarget = (name: string) =>
    t.app.inject({
      method: 'GET',
      url: '/dta/known',
      query: { protein_id: name },
      headers: user.headers,
    })
  expect((await ofTarget(target)).json()).toEqual({ known: [], to_predict: 2, credits_needed: 2 })
  t.work()
  await user.ask()
  expect((await ofTarget(target)).json()).toEqual({
    known: [
      { compound_id: compound, predicted_kd: 7 },
      { compound_id: 'ethanol again', predicted_kd: 7 },
    ],
    to_predict: 1,
    credits_needed: 1,
  })
  const stranger = await openTestUser(t, 1)
  const url = '/dta/known'
  const asked = {
    method: 'GET',
    url,
    query: { protein_id: target },
    headers: stranger.headers,
  } as const
  expect((await t.app.inject(asked)).statusCode).toBe(404)
})
