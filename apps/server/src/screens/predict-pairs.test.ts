import { readFile } from 'node:fs/promises'
import { PairsAnswer } from '@pkdex/contract'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { openParsingWorkers } from '#server/files/parsing/service.ts'
import { openTestScreens, type TestScreens, type TestScreenUser } from './open-test-screens.ts'

const parsingWorkers = openParsingWorkers({ threads: 1 })
const SAMPLE = new URL('../../../../samples/1hpv.pdb', import.meta.url)
let t: TestScreens
let structure: string
beforeAll(async () => {
  structure = await readFile(SAMPLE, 'utf8')
  t = await openTestScreens({ parsingWorkers })
})
afterEach(() => t.stopWorkers())
afterAll(async () => {
  await t.close()
  await parsingWorkers.close()
})

function ask(user: TestScreenUser, payload: object, key?: string) {
  const headers = key === undefined ? user.headers : { ...user.headers, 'idempotency-key': key }
  return user.call('POST', '/predict', { payload, headers })
}

async function answerOf(user: TestScreenUser, payload: object, key?: string) {
  const answer = await ask(user, payload, key)
  expect(answer.statusCode).toBe(200)
  return PairsAnswer.parse(answer.json())
}

test('SMILES on a structure are predicted in their order, each that cannot be read with its reason', async () => {
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

test('nothing is added to the files, targets and compounds of the caller', async () => {
  const user = await t.addUser({ credits: 5, targets: 0, compounds: 0 })
  t.work()
  await answerOf(user, { smiles: 'CCO', structure })
  for (const table of ['targets', 'compounds'] as const) {
    const kept = t.db.selectFrom(table).select('id').where('user_id', '=', user.userId)
    expect(await kept.execute()).toEqual([])
  }
})

test('a pair is paid once: another SMILES of the molecule, a later call and the same key cost nothing', async () => {
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

test('a target of the caller is named instead of a structure, on a chain that it has', async () => {
  const user = await t.addUser({ credits: 5, targets: 1, compounds: 0 })
  t.work()
  const onB = await answerOf(user, { smiles: 'CCO', target: 'T1', chain: 'B' })
  expect(onB.target).toEqual({ name: 'T1', chain: 'B' })
  for (const wrong of [{ target: 'T9' }, { target: 'T1', chain: 'Z' }]) {
    expect((await ask(user, { smiles: 'CCO', ...wrong })).statusCode).toBe(404)
  }
})

test('a pair that the model cannot predict is refunded and says so', async () => {
  const user = await t.addUser({ credits: 2, targets: 1, compounds: 0 })
  t.work(async ({ smiles }) => smiles.map(() => null))
  const answer = await answerOf(user, { smiles: 'CCO', target: 'T1' })
  expect(answer.credits_charged).toBe(0)
  expect(answer.predictions[0]).toMatchObject({ predicted_kd: null })
  expect(answer.predictions[0]?.reason).toContain('returned')
  expect(await user.balance()).toBe(2)
})

test('what cannot be asked or paid for is refused and takes no credit', async () => {
  const user = await t.addUser({ credits: 1, targets: 1, compounds: 0 })
  expect((await ask(user, { smiles: ['C', 'CC'], target: 'T1' })).statusCode).toBe(402)
  const refused = [
    { smiles: 'CCO' },
    { smiles: 'CCO', target: 'T1', structure },
    { smiles: [], target: 'T1' },
    { smiles: 'C\nC', target: 'T1' },
    { smiles: Array.from({ length: 501 }, () => 'C'), target: 'T1' },
    { smiles: 'CCO', structure: 'this is no structure' },
    { smiles: 'CCO', structure, chain: 'Z' },
  ]
  for (const payload of refused) expect((await ask(user, payload)).statusCode).toBe(400)
  const unreadable = await answerOf(user, { smiles: 'C1CC', target: 'T1' })
  expect(unreadable).toMatchObject({ id: null, status: 'DONE', credits_charged: 0 })
  expect(await user.balance()).toBe(1)
})
