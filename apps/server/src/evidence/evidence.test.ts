/** What a number rests on is told to whoever has the number, once computed, and to nobody else. */
import { Receipt } from '@pkdex/contract'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Explainer } from '#server/inference/service.ts'
import { readConfig } from '#server/main/settings.ts'
import { buildApp } from '#server/platform/http/build-app.ts'
import { openLog } from '#server/platform/log.ts'
import {
  addPair,
  openTestPredictions,
  type TestPredictions,
} from '#server/predictions/open-test-predictions.ts'
import { openTestUser, type TestUser } from '#server/predictions/open-test-user.ts'
import { evidenceRoutes } from './routes.ts'
import { createEvidence } from './service.ts'

let t: TestPredictions
let app: Awaited<ReturnType<typeof buildApp>>
let explained: string[]
/** Answers next what a compound that is too large gets. */
let isTooMuch = false

const picture = { image: 'data:,', width: 1, height: 1, alt: 'A molecule', atoms: [] }
const explainer: Explainer = {
  async atoms(pair, theme) {
    explained.push(`${pair.smiles} ${pair.segments.join('/')} ${theme}`)
    return isTooMuch ? null : { picture, adds: [] }
  },
  alike: async () => ({ scope: 'anywhere', target: null, own: picture, compounds: [] }),
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
    explainer,
  })
  const config = readConfig({ RATE_LIMIT: 'off', WEB_DIR: '/nowhere' })
  app = await buildApp({
    config,
    db,
    log: openLog('silent'),
    now,
    features: [evidenceRoutes(evidence)],
  })
  t.work()
})
afterAll(async () => {
  await app.close()
  await t.close()
})
beforeEach(() => {
  explained = []
  isTooMuch = false
})

const calls = ['atoms', 'alike', 'receipt']

function read(user: TestUser, call: string, pair = user.pair, more = {}) {
  const { target, compound } = pair
  const query = { target, compound, ...more }
  return app.inject({ method: 'GET', url: `/evidence/${call}`, query, headers: user.headers })
}

test('a pair without a number has no evidence: it is no way around paying', async () => {
  const user = await openTestUser(t, 1)
  for (const call of calls) {
    const answer = await read(user, call)
    expect([call, answer.statusCode]).toEqual([call, 404])
    expect(answer.json().message).toContain('Predict this pair first')
  }
  expect(explained).toEqual([])
  expect(await user.balance()).toBe(1)
})

test('a pair with its number has it for nothing', async () => {
  const user = await openTestUser(t, 1)
  await user.ask()
  for (const call of calls) {
    expect([call, (await read(user, call)).statusCode]).toEqual([call, 200])
  }
  expect((await read(user, 'atoms')).json()).toMatchObject({ predicted_kd: 7, picture, adds: [] })
  expect(await user.balance()).toBe(0)
})

test('nobody gets another’s evidence, by whatever name', async () => {
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

test('the same question is computed once, another chain and another theme are other questions', async () => {
  const user = await openTestUser(t, 2)
  // Answers are kept for all who ask about the same: a compound of its own.
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

test('what cannot be explained is said in a sentence, and is tried again the next time', async () => {
  const user = await openTestUser(t, 1)
  // Answers are kept for all who ask about the same: a compound of its own.
  const pair = await addPair(t.database, user.userId, { smiles: 'CCCCCO' })
  await user.ask(pair)
  isTooMuch = true
  const refused = await read(user, 'atoms', pair)
  expect(refused.statusCode).toBe(422)
  expect(refused.json().message).toContain('too large or too complicated')
  isTooMuch = false
  expect((await read(user, 'atoms', pair)).statusCode).toBe(200)
})

test('a receipt names the number, the model, the features and both inputs', async () => {
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
