import { afterAll, expect, test, vi } from 'vitest'
import { noStructures } from './no-structures.ts'
import { startScreen } from './order.ts'
import { orderNumber } from './screen-table.ts'
import { findPredictedPair } from './predicted-pair.ts'
import { resultOf } from '#test/open-test-grid.ts'
import { addPair } from '#test/factories.ts'
import { openTestPredictions } from '#test/open-test-predictions.ts'
import { openTestUser } from '#test/open-test-user.ts'

const t = await openTestPredictions()
afterAll(() => t.close())

test('a pair predicted in a screen is free as a single prediction, with all details', async () => {
  const user = await openTestUser(t, 1)
  t.workPairs()
  const { userId, pair } = user
  const request = { targets: [pair.target], compounds: [pair.compound] }
  const { id } = await startScreen(
    { ...t.requests, structures: noStructures, readFacts: async () => new Map() },
    {
      userId,
      request,
      idempotencyKey: null,
      reqId: 'call-1',
    },
  )
  await vi.waitFor(async () => expect((await t.store.read(userId, id))?.status).toBe('DONE'), {
    timeout: 50_000,
    interval: 50,
  })
  expect(await user.balance()).toBe(0)
  const answer = await user.ask()
  // The prediction is the one that the screen showed.
  const interval = { lower: 6.03, upper: 8.53, level: 0.95 }
  const best_estimate = { predicted_kd: 7.03, interval, own_values: 0 }
  const result = { ...resultOf(7), predicted_kd: 7.03, interval, best_estimate }
  expect(answer.json()).toEqual({ predicted_kd: 7.03, result, credits_charged: 0 })
  expect((await user.ledger()).map(({ delta }) => delta)).toEqual([1, -1])
})

test('known predictions on a target are listed by name, duplicates included, with the cost of the rest', async () => {
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
  expect((await ofTarget(target)).json()).toEqual({
    known: [],
    earlier: [],
    to_predict: 2,
    credits_needed: 2,
  })
  t.workPairs()
  await user.ask()
  expect((await ofTarget(target)).json()).toEqual({
    known: [
      { compound_id: compound, predicted_kd: 7, best_kd: 7, measured_pk: null },
      { compound_id: 'ethanol again', predicted_kd: 7, best_kd: 7, measured_pk: null },
    ],
    earlier: [],
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

test('SPEC 27.10: predictions of an earlier model in a screen are listed with its version, and cost again', async () => {
  const user = await openTestUser(t, 5)
  t.workPairs()
  const { userId, pair } = user
  const request = { targets: [pair.target], compounds: [pair.compound] }
  const order = { userId, request, idempotencyKey: null, reqId: 'call-1' }
  const { id } = await startScreen(
    { ...t.requests, structures: noStructures, readFacts: async () => new Map() },
    order,
  )
  await vi.waitFor(async () => expect((await t.store.read(userId, id))?.status).toBe('DONE'), {
    timeout: 50_000,
    interval: 50,
  })
  const known = { url: '/dta/known', query: { protein_id: pair.target }, headers: user.headers }
  const before = (await t.app.inject(known)).json()
  expect(before).toMatchObject({ known: [{ compound_id: pair.compound }], earlier: [] })
  const { db } = t.database
  await db
    .updateTable('pairs')
    .set({ model_version: '1.4.1' })
    .where('order_number', '=', orderNumber(id))
    .execute()
  const { predicted_kd } = before.known[0]
  expect((await t.app.inject(known)).json()).toEqual({
    known: [],
    earlier: [
      {
        compound_id: pair.compound,
        predicted_kd,
        best_kd: predicted_kd,
        measured_pk: null,
        model_version: '1.4.1',
      },
    ],
    to_predict: 1,
    credits_needed: 1,
  })
  const asked = { userId, target: pair.target, compound: pair.compound }
  await expect(findPredictedPair(t.requests, asked)).rejects.toThrow(
    'was predicted by model 1.4.1, and the model is now test-1. Predict this pair again',
  )
  const inScreen = { userId, screen: id, row: 1, column: 1 }
  await expect(findPredictedPair(t.requests, inScreen)).rejects.toThrow('by model 1.4.1')
  expect((await user.ask()).json()).toMatchObject({ credits_charged: 1 })
  expect((await t.app.inject(known)).json()).toMatchObject({ known: [{}], earlier: [] })
  await expect(findPredictedPair(t.requests, asked)).resolves.toMatchObject({ pair: {} })
})
