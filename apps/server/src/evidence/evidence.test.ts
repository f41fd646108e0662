/** Evidence is available only to users who have the prediction, and is computed once. */
import { type PredictionResult, Receipt } from '@pkdex/contract'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import type { Explainer } from '#server/inference/service.ts'
import { plainEstimates } from '#test/plain-estimates.ts'
import { readTestConfig } from '#test/open-test-app.ts'
import { buildApp } from '#server/platform/http/build-app.ts'
import { openLog } from '#server/platform/log.ts'
import { resultOf } from '#test/open-test-grid.ts'
import { addPair } from '#test/factories.ts'
import { openTestPredictions, type TestPredictions } from '#test/open-test-predictions.ts'
import { openTestUser, type TestUser } from '#test/open-test-user.ts'
import { noStructures } from '#server/predictions/no-structures.ts'
import { startScreen } from '#server/predictions/order.ts'
import { evidenceRoutes } from './routes.ts'
import { createEvidence } from './service.ts'

let t: TestPredictions
let app: Awaited<ReturnType<typeof buildApp>>
let explained: string[]
/** Makes the next request get the response for a compound that is too large. */
let isTooMuch = false

const picture = { image: 'data:,', width: 1, height: 1, alt: 'A molecule', atoms: [] }
const similarTo = (similarity: number) => ({
  similarity,
  name: null,
  smiles: null,
  picture: null,
  common: { own: [], other: [] },
  measurements: [],
  measurement_count: 1,
})
const explainer: Explainer = {
  async atoms(pair, theme) {
    explained.push(`${pair.smiles} ${pair.segments.join('/')} ${theme}`)
    return isTooMuch ? null : { picture, contributions: [] }
  },
  async similar() {
    explained.push('similar compounds')
    return {
      scope: 'anywhere',
      target: null,
      accuracy: null,
      ranking: null,
      shift: 0,
      own: picture,
      compounds: [0.41, 0.39].map(similarTo),
    }
  },
  async target(segments) {
    explained.push(segments.join('/'))
    return { target: null, accuracy: null }
  },
  async describe(pair) {
    explained.push(`${pair.smiles} ${pair.segments.join('/')}`)
    return isTooMuch ? null : resultOf(6)
  },
  close: async () => {},
}

beforeAll(async () => {
  t = await openTestPredictions()
  const { db } = t.database
  const { store } = t
  const now = () => new Date()
  const evidence = createEvidence({
    predictions: { db, store, modelVersion: 'test-1', now },
    model: { version: 'test-1', cardSha256: 'c'.repeat(64) },
    figures: { model_version: 'test-1', series: null },
    explainer,
  })
  const config = readTestConfig()
  app = await buildApp({
    config,
    db,
    log: openLog('silent'),
    now,
    features: [evidenceRoutes(evidence, { ...plainEstimates, complete })],
  })
  t.workPairs()
})
afterAll(async () => {
  await app.close()
  await t.close()
})
beforeEach(() => {
  explained = []
  isTooMuch = false
})

const interval = { lower: 4, upper: 6, level: 0.95 }
const bestEstimate = { predicted_kd: 5, interval, own_values: 1 }
async function complete(_of: unknown, result: PredictionResult): Promise<PredictionResult> {
  return { ...result, best_estimate: bestEstimate }
}

const calls = ['details', 'atoms', 'similar', 'receipt']

function read(user: TestUser, call: string, pair = user.pair, more = {}) {
  const { target, compound } = pair
  const query = { target, compound, ...more }
  return app.inject({ method: 'GET', url: `/evidence/${call}`, query, headers: user.headers })
}

test('evidence for a pair not yet predicted returns 404', async () => {
  const user = await openTestUser(t, 1)
  for (const call of calls) {
    const answer = await read(user, call)
    expect([call, answer.statusCode]).toEqual([call, 404])
    expect(answer.json().message).toContain('Predict this pair first')
  }
  expect(explained).toEqual([])
  expect(await user.balance()).toBe(1)
})

test('after a model update the error names the version that predicted the pair', async () => {
  const user = await openTestUser(t, 1)
  await user.ask()
  await t.database.db.updateTable('pairs').set({ model_version: 'test-0' }).execute()
  for (const table of ['readings', 'orders'] as const) {
    await t.database.db
      .updateTable(table)
      .set({ model_version: 'test-0' })
      .where('user_id', '=', user.userId)
      .execute()
  }
  for (const call of calls) {
    const answer = await read(user, call)
    expect([call, answer.statusCode]).toEqual([call, 404])
    expect(answer.json().message).toContain('was predicted by model test-0')
    expect(answer.json().message).toContain('now test-1')
  }
})

test('what is known about a target needs no prediction, and is of the user’s own targets', async () => {
  const user = await openTestUser(t, 1)
  const ask = (target: string) =>
    app.inject({ url: '/evidence/target', query: { target }, headers: user.headers })
  const { target } = user.pair
  expect((await ask(target)).json()).toMatchObject({ target, known: null, accuracy: null })
  expect(explained).toEqual([expect.not.stringContaining('similar')])
  expect((await ask('nobody’s')).statusCode).toBe(404)
  expect((await app.inject({ url: '/evidence/model' })).json()).toEqual({
    model_version: 'test-1',
    series: null,
  })
})

test('SPEC 22.1: evidence for a predicted pair is free', async () => {
  const user = await openTestUser(t, 1)
  await user.ask()
  for (const call of calls) {
    expect([call, (await read(user, call)).statusCode]).toEqual([call, 200])
  }
  expect((await read(user, 'atoms')).json()).toMatchObject({
    predicted_kd: 7,
    picture,
    contributions: [],
    adds: [],
  })
  expect(await user.balance()).toBe(0)
})

test('SPEC 22.2: other users’ evidence cannot be read', async () => {
  const owner = await openTestUser(t, 1)
  const stranger = await openTestUser(t, 1)
  await owner.ask()
  await stranger.ask()
  const mixed = { ...owner.pair, compound: stranger.pair.compound }
  for (const call of calls) {
    expect([call, (await read(stranger, call, owner.pair)).statusCode]).toEqual([call, 404])
    expect([call, (await read(stranger, call, mixed)).statusCode]).toEqual([call, 404])
  }
})

test('the same evidence is computed once; another chain or theme is computed separately', async () => {
  const user = await openTestUser(t, 2)
  // Results are cached for all users, so this test uses its own compound.
  const pair = await addPair(t.database, user.userId, { smiles: 'CCN' })
  await user.ask(pair)
  await Promise.all([
    read(user, 'atoms', pair),
    read(user, 'atoms', pair),
    read(user, 'atoms', pair),
  ])
  await read(user, 'atoms', pair)
  expect(explained).toHaveLength(1)
  await read(user, 'atoms', pair, { theme: 'dark' })
  expect(explained).toHaveLength(2)
  const { db } = t.database
  await db.updateTable('targets').set({ chain: 'B' }).where('id', '=', pair.targetId).execute()
  expect((await read(user, 'atoms', pair)).statusCode).toBe(404)
  await user.ask(pair)
  await read(user, 'atoms', pair)
  expect(explained.map((one) => one.split(' ')[1])).toEqual(['MKVLA/GGH', 'MKVLA/GGH', 'MKV'])
})

test('a pair that cannot be explained returns a message, and is tried again the next time', async () => {
  const user = await openTestUser(t, 1)
  // Results are cached for all users, so this test uses its own compound.
  const pair = await addPair(t.database, user.userId, { smiles: 'CCCCCO' })
  await user.ask(pair)
  isTooMuch = true
  const refused = await read(user, 'atoms', pair)
  expect(refused.statusCode).toBe(422)
  expect(refused.json().message).toContain('too large or too complex')
  isTooMuch = false
  expect((await read(user, 'atoms', pair)).statusCode).toBe(200)
})

test('SPEC 22.3: a receipt contains prediction, model, features and both inputs', async () => {
  const user = await openTestUser(t, 1)
  await user.ask()
  const receipt = Receipt.parse((await read(user, 'receipt')).json())
  expect(receipt).toMatchObject({
    predicted_kd: 7,
    interval: { lower: 5, upper: 9, level: 0.95 },
    model: { version: 'test-1', card_sha256: 'c'.repeat(64) },
    structure: { name: user.pair.target, chain: 'A', segments: ['MKVLA', 'GGH'] },
    compound: { name: user.pair.compound, standard_smiles: 'CCO' },
  })
  expect(receipt.structure.file_sha256).toMatch(/^[0-9a-f]{64}$/)
})

/** Returns a finished screen with the user's pair, and the number of the user's orders. */
async function screenPair({ userId, pair }: TestUser, more = {}) {
  const request = { targets: [pair.target], compounds: [pair.compound], ...more }
  const asked = { userId, request, idempotencyKey: null, reqId: 'call-1' }
  const { id } = await startScreen(
    { ...t.requests, structures: noStructures, readFacts: async () => new Map() },
    asked,
  )
  await vi.waitFor(async () => expect((await t.store.read(userId, id))?.status).toBe('DONE'), {
    timeout: 50_000,
    interval: 50,
  })
  return { screen: id, row: '1', column: '1' }
}

async function countOrders({ userId }: TestUser): Promise<number> {
  const orders = t.database.db.selectFrom('orders').where('user_id', '=', userId)
  return (await orders.select('id').execute()).length
}

function readCell(user: TestUser, call: string, cell: Record<string, string>) {
  const url = `/evidence/${call}`
  return app.inject({ method: 'GET', url, query: cell, headers: user.headers })
}

test('SPEC 22.5: details and evidence of a screen’s cell are free, need no order, and survive deleting the target', async () => {
  const user = await openTestUser(t, 1)
  const cell = await screenPair(user)
  for (const call of calls) {
    expect([call, (await readCell(user, call, cell)).statusCode]).toEqual([call, 200])
  }
  const { target, compound } = user.pair
  // The prediction and interval stored in the screen, and domain and neighbours computed now.
  const number = { predicted_kd: 7.03, interval: { lower: 6.03, upper: 8.53, level: 0.95 } }
  const result = { ...resultOf(6), ...number }
  const named = { target, chain: 'A', compound }
  const withOwn = { ...named, result: { ...result, best_estimate: bestEstimate } }
  expect((await readCell(user, 'details', cell)).json()).toEqual(withOwn)
  expect((await read(user, 'details')).json()).toEqual(withOwn)
  expect((await readCell(user, 'atoms', cell)).json()).toMatchObject({ predicted_kd: 7.03 })
  expect((await readCell(user, 'receipt', cell)).json()).toMatchObject(number)
  const { db } = t.database
  await db.deleteFrom('targets').where('id', '=', user.pair.targetId).execute()
  expect((await readCell(user, 'details', cell)).json()).toEqual(withOwn)
  expect((await readCell(user, 'similar', cell)).statusCode).toBe(200)
  const receipt = await readCell(user, 'receipt', cell)
  expect([receipt.statusCode, receipt.json().message]).toEqual([
    404,
    `A receipt needs the structure file, but ${target} was deleted.`,
  ])
  expect([await countOrders(user), await user.balance()]).toEqual([1, 0])
})

test('a cell uses its screen’s chain, whatever chain the target uses now', async () => {
  const user = await openTestUser(t, 1)
  const pair = await addPair(t.database, user.userId, { smiles: 'CCCN' })
  const request = { targets: [{ name: pair.target, chain: 'B' }], compounds: [pair.compound] }
  const cell = await screenPair(user, request)
  expect((await readCell(user, 'details', cell)).json()).toMatchObject({ chain: 'B' })
  expect(explained).toEqual(['CCCN MKV'])
  expect((await read(user, 'details', pair)).statusCode).toBe(404)
})

test('an unknown cell, or one without a prediction, returns a message', async () => {
  const [user, stranger] = [await openTestUser(t, 1), await openTestUser(t, 0)]
  const compounds = [user.pair.compound, 'missing']
  const cell = await screenPair(user, { compounds })
  const refusal = async (by: TestUser, more: object) => {
    const answer = await readCell(by, 'details', { ...cell, ...more })
    return [answer.statusCode, answer.json().message]
  }
  expect(await refusal(stranger, {})).toEqual([404, 'Screen not found.'])
  expect(await refusal(user, { screen: 'x' })).toEqual([404, 'Screen not found.'])
  expect(await refusal(user, { row: '3' })).toEqual([404, 'The screen has no such pair.'])
  expect(await refusal(user, { column: '2' })).toEqual([404, 'The screen has no such pair.'])
  expect(await refusal(user, { row: '2' })).toEqual([404, 'You have no compound named “missing”.'])
  expect(await refusal(user, { target: 'both' })).toEqual([
    400,
    'Name a pair by target and compound, or by screen, row and column.',
  ])
  await t.database.db
    .updateTable('pairs')
    .set({ model_version: 'test-0' })
    .where('order_number', '=', sql<number>`(select number from orders where id = ${cell.screen})`)
    .execute()
  const [status, message] = await refusal(user, {})
  expect([status, message]).toEqual([404, expect.stringContaining('predicted by model test-0')])
})

test('compounds measured on other targets are listed from similarity 0.4 up', async () => {
  const user = await openTestUser(t, 1)
  await user.ask()
  const answer = await read(user, 'similar')
  const { compounds } = answer.json()
  expect(compounds).toEqual([similarTo(0.41)])
  // Under its earlier path too.
  expect((await read(user, 'alike')).json()).toEqual(answer.json())
})
