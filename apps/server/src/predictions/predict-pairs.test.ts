import { readFile } from 'node:fs/promises'
import { PairsAnswer, PairsQuote } from '@pkdex/contract'
import { afterAll, afterEach, expect, test } from 'vitest'
import { openTestParsing } from '#test/open-test-files.ts'
import { openTestPredictions } from '#test/open-test-predictions.ts'
import { type TestScreenUser } from '#test/open-test-user.ts'

const parsingWorkers = openTestParsing()
const SAMPLE = new URL('../../../../samples/1hpv.pdb', import.meta.url)
const structure = await readFile(SAMPLE, 'utf8')
const t = await openTestPredictions({ parsingWorkers })
afterEach(() => t.stopWorkers())
afterAll(() => t.close())

function ask(user: TestScreenUser, payload: object, key?: string) {
  const headers = key === undefined ? user.headers : { ...user.headers, 'idempotency-key': key }
  return user.call('POST', '/predict', { payload, headers })
}

async function answerOf(user: TestScreenUser, payload: object, key?: string) {
  const answer = await ask(user, payload, key)
  expect(answer.statusCode).toBe(200)
  return PairsAnswer.parse(answer.json())
}

test('SPEC 20.14: SMILES are predicted in order for a structure, each invalid one with its reason', async () => {
  const user = await t.addUser({ credits: 5, targets: 0, compounds: 0 })
  t.work()
  const answer = await answerOf(user, { smiles: ['CCO', 'C1CC', 'c1ccccc1'], structure })
  expect(answer).toMatchObject({ status: 'DONE', credits_charged: 2, model_version: 'test-1' })
  const [ethanol, broken, benzene] = answer.predictions
  expect(ethanol?.predicted_kd).toBeGreaterThan(4)
  expect(ethanol?.interval?.lower).toBeCloseTo((ethanol?.predicted_kd ?? 0) - 1)
  expect(ethanol?.domain).toMatchObject({ is_inside: true })
  expect(broken).toMatchObject({ smiles: 'C1CC', predicted_kd: null, interval: null })
  expect(broken?.reason).toMatch(/ring/i)
  expect(benzene?.smiles).toBe('c1ccccc1')
  expect(await user.balance()).toBe(3)
})

test('SPEC 20.15: nothing is added to the caller’s files, targets and compounds', async () => {
  const user = await t.addUser({ credits: 5, targets: 0, compounds: 0 })
  t.work()
  await answerOf(user, { smiles: 'CCO', structure })
  for (const table of ['targets', 'compounds'] as const) {
    const kept = t.db.selectFrom(table).select('id').where('user_id', '=', user.userId)
    expect(await kept.execute()).toEqual([])
  }
})

test('predictions stored by POST /predict are listed by kind, and can be deleted', async () => {
  const user = await t.addUser({ credits: 5, targets: 0, compounds: 0 })
  t.work()
  const { id } = await answerOf(user, { smiles: 'CCO', structure })
  const list = async (query: string) => {
    const answer = await user.call('GET', `/screens${query}`)
    return answer.json<{ screens: { id: string }[] }>().screens.map((screen) => screen.id)
  }
  expect(await list('')).toEqual([])
  expect(await list('?kind=call')).toEqual([id])
  expect((await user.call('DELETE', `/screens/${id}?forever=true`)).statusCode).toBe(200)
  expect(await list('?kind=call')).toEqual([])
})

test('SPEC 20.16: a pair is charged once: another SMILES of the compound, a later request and the same key are free', async () => {
  const user = await t.addUser({ credits: 5, targets: 0, compounds: 0 })
  t.work()
  const first = await answerOf(user, { smiles: ['CCO', 'OCC'], structure }, 'monday')
  expect(first.credits_charged).toBe(1)
  expect(await answerOf(user, { smiles: ['CCO', 'OCC'], structure }, 'monday')).toEqual(first)
  const later = await answerOf(user, { smiles: 'C(O)C', structure })
  expect(later.credits_charged).toBe(0)
  expect(later.predictions[0]?.predicted_kd).toBe(first.predictions[0]?.predicted_kd)
  expect((await ask(user, { smiles: 'CCN', structure }, 'monday')).statusCode).toBe(409)
  expect(await user.balance()).toBe(4)
})

test('the same key returns the answer after its target was deleted', async () => {
  const user = await t.addUser({ credits: 5, targets: 1, compounds: 0 })
  t.work()
  const payload = { smiles: 'CCO', target: 'T1' }
  const first = await answerOf(user, payload, 'tuesday')
  await t.db.deleteFrom('targets').where('user_id', '=', user.userId).execute()
  expect(await answerOf(user, payload, 'tuesday')).toEqual(first)
  expect(await user.balance()).toBe(4)
})

test('SPEC 31.10: a quote counts what is free, and charges and predicts nothing', async () => {
  const user = await t.addUser({ credits: 5, targets: 0, compounds: 0 })
  t.work()
  await answerOf(user, { smiles: 'CCO', structure })
  const payload = { smiles: ['OCC', 'CCN', 'CCCN', 'C1CC'], structure }
  const quote = await user.call('POST', '/predict/quote', { payload })
  expect(PairsQuote.parse(quote.json())).toEqual({
    total: 3,
    known: 1,
    to_predict: 2,
    credits_needed: 2,
    credits_left: 4,
    unusable_count: 1,
  })
  expect(await user.balance()).toBe(4)
})

test('a target of the caller can be given instead of a structure, with one of its chains', async () => {
  const user = await t.addUser({ credits: 5, targets: 1, compounds: 0 })
  t.work()
  const onB = await answerOf(user, { smiles: 'CCO', target: 'T1', chain: 'B' })
  expect(onB.target).toEqual({ name: 'T1', chain: 'B' })
  for (const wrong of [{ target: 'T9' }, { target: 'T1', chain: 'Z' }]) {
    expect((await ask(user, { smiles: 'CCO', ...wrong })).statusCode).toBe(404)
  }
})

test('a pair that the model cannot predict is refunded, with the reason', async () => {
  const user = await t.addUser({ credits: 2, targets: 1, compounds: 0 })
  t.work(async ({ smiles }) => smiles.map(() => null))
  const answer = await answerOf(user, { smiles: 'CCO', target: 'T1' })
  expect(answer.credits_charged).toBe(0)
  expect(answer.predictions[0]).toMatchObject({ predicted_kd: null })
  expect(answer.predictions[0]?.reason).toContain('refunded')
  expect(await user.balance()).toBe(2)
})

test('a request that is invalid or cannot be paid is refused and costs nothing', async () => {
  const user = await t.addUser({ credits: 1, targets: 1, compounds: 0 })
  expect((await ask(user, { smiles: ['C', 'CC'], target: 'T1' })).statusCode).toBe(402)
  const refused = [
    { smiles: 'CCO' },
    { smiles: 'CCO', target: 'T1', structure },
    { smiles: [], target: 'T1' },
    { smiles: 'C\nC', target: 'T1' },
    { smiles: Array.from({ length: 5001 }, () => 'C'), target: 'T1' },
    { smiles: 'CCO', structure: 'this is no structure' },
    { smiles: 'CCO', structure, chain: 'Z' },
  ]
  for (const payload of refused) expect((await ask(user, payload)).statusCode).toBe(400)
  const unreadable = await answerOf(user, { smiles: 'C1CC', target: 'T1' })
  expect(unreadable).toMatchObject({ id: null, status: 'DONE', credits_charged: 0 })
  expect(await user.balance()).toBe(1)
})
