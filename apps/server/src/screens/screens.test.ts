import { ScreenQuote, Screen } from '@pkdex/contract'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { CELL_BYTES } from './cells.ts'
import { isPairPaid } from './service.ts'
import { openTestScreens, type TestScreens, type TestScreenUser } from './open-test-screens.ts'

let t: TestScreens
beforeAll(async () => {
  t = await openTestScreens()
})
afterEach(() => t.stopWorkers())
afterAll(() => t.close())

const quoteOf = async (user: TestScreenUser, payload: object) =>
  ScreenQuote.parse((await user.call('POST', '/screens/quote', { payload })).json())

/** Every row of the ledger says what the balance was after it, and the last one is the balance. */
async function expectBalanced(user: TestScreenUser): Promise<void> {
  let sum = 0
  for (const { delta, balance } of await user.ledger()) {
    sum = Math.round((sum + delta) * 1000) / 1000
    expect(balance).toBe(sum)
  }
  expect(await user.balance()).toBe(sum)
}

test('a quote counts pairs, says what cannot be used and why, and spends nothing', async () => {
  const user = await t.addUser({ credits: 50, targets: 2, compounds: 3 })
  const quote = await quoteOf(user, {
    targets: ['T1', { name: 'T1', chain: 'B' }, { name: 'T2', chain: 'Z' }, 'nobody'],
    compounds: ['C2', 'C1', 'missing', 'C2'],
  })
  expect(quote).toMatchObject({
    targets: 2,
    compounds: 3,
    total: 6,
    known: 2,
    to_predict: 4,
    credits_needed: 4,
    credits_left: 50,
    unusable_count: 3,
  })
  expect(quote.unusable).toEqual([
    { kind: 'target', name: 'T2', reason: 'T2 has no protein chain Z.' },
    { kind: 'target', name: 'nobody', reason: 'You have no target named “nobody”.' },
    { kind: 'compound', name: 'missing', reason: 'You have no compound named “missing”.' },
  ])
  expect(await user.balance()).toBe(50)
})

test('a screen is paid at its start, predicted, and the same pairs are free the next time', async () => {
  const user = await t.addUser({ credits: 10, targets: 2, compounds: 4 })
  t.work()
  const screen = await user.started()
  expect(screen).toMatchObject({ total: 8, known: 0, credits_charged: 8, compounds: 4 })
  expect(await user.untilEnded(screen.id)).toMatchObject({
    status: 'DONE',
    done: 8,
    credits_charged: 8,
    message: null,
  })
  const again = await user.started()
  expect(again).toMatchObject({ status: 'DONE', done: 8, known: 8, credits_charged: 0 })
  expect(again.finished_at).not.toBeNull()
  expect(await quoteOf(user, { targets: ['T1'], compounds: ['C1'] })).toMatchObject({ known: 1 })
  expect((await user.ledger()).map(({ delta, reason }) => [delta, reason])).toEqual([
    [10, 'first sign-in'],
    [-8, 'screen'],
  ])
  await expectBalanced(user)
})

test('what is partly known costs the rest only, and gets all of its numbers', async () => {
  const user = await t.addUser({ credits: 20, targets: 2, compounds: 3 })
  t.work()
  await user.untilEnded((await user.started({ targets: ['T1'], compounds: ['C1', 'C2'] })).id)
  const all = await user.started()
  expect(all).toMatchObject({ known: 2, credits_charged: 4 })
  await user.untilEnded(all.id)
  const { rows } = (await user.call('GET', `/screens/${all.id}/results`)).json<{ rows: object[] }>()
  expect(rows).toHaveLength(6)
  for (const row of rows) expect(row).toMatchObject({ reason: null, lower: expect.any(Number) })
  expect(await user.balance()).toBe(14)
})

test('a pair of a screen has been paid, too, when it is asked for by itself', async () => {
  const user = await t.addUser({ credits: 20, targets: 2, compounds: 3 })
  t.work()
  await user.untilEnded((await user.started({ targets: ['T1'], compounds: ['C1', 'C3'] })).id)
  const isPaid = (residues: number, smiles: string, userId = user.userId) =>
    isPairPaid(t.db, { userId, segments: ['M'.repeat(residues)], smiles, modelVersion: 'test-1' })
  expect(await isPaid(3, 'CCC')).toBe(true)
  expect(await isPaid(3, 'CC')).toBe(false)
  expect(await isPaid(4, 'CCC')).toBe(false)
  const other = await t.addUser({ credits: 20, targets: 2, compounds: 3 })
  expect(await isPaid(3, 'CCC', other.userId)).toBe(false)
})

test('a pair that was predicted by itself is known to a screen', async () => {
  const user = await t.addUser({ credits: 20, targets: 1, compounds: 2 })
  const { id: target_id } = await t.db
    .selectFrom('targets')
    .select('id')
    .where('user_id', '=', user.userId)
    .executeTakeFirstOrThrow()
  const { id: compound_id } = await t.db
    .selectFrom('compounds')
    .select('id')
    .where('user_id', '=', user.userId)
    .where('name', '=', 'C2')
    .executeTakeFirstOrThrow()
  const result = {
    predicted_kd: 6.125,
    unit: 'pKd',
    interval: { lower: 5, upper: 7.5, level: 0.95 },
    domain: { is_inside: true, is_ligand_driven: false, reason: '' },
    nearest_compound: { similarity: 0.6 },
    nearest_targets: [],
    model_version: 'test-1',
  }
  await t.db
    .insertInto('tasks')
    .values({
      user_id: user.userId,
      target_id,
      compound_id,
      target_chain: 'A',
      status: 'SUCCESS',
      result: JSON.stringify(result),
      model_version: 'test-1',
      credits_charged: 1,
      created_at: new Date(),
    })
    .execute()
  expect(await quoteOf(user, { targets: ['T1'], compounds: 'all' })).toMatchObject({ known: 1 })
  const other = { targets: [{ name: 'T1', chain: 'B' }], compounds: 'all' }
  expect(await quoteOf(user, other)).toMatchObject({ known: 0 })
  const { id } = await user.started({ targets: ['T1'], compounds: ['C2'] })
  expect((await user.call('GET', `/screens/${id}/results`)).json()).toMatchObject({
    rows: [{ predicted_kd: 6.125, lower: 5, upper: 7.5, in_domain: true }],
  })
})

test('a start that is repeated under its Idempotency-Key is the same screen, paid once', async () => {
  const user = await t.addUser({ credits: 100, targets: 1, compounds: 5 })
  const order = { targets: ['T1'], compounds: 'all' }
  const answers = await Promise.all([1, 2, 3].map(() => user.start(order, 'monday')))
  const ids = answers.map((answer) => Screen.parse(answer.json()).id)
  expect(new Set(ids).size).toBe(1)
  expect(await user.balance()).toBe(95)
  const other = await user.start({ targets: ['T1'], compounds: ['C1'] }, 'monday')
  expect(other.statusCode).toBe(409)
  await user.call('DELETE', `/screens/${ids[0]}`)
})

test('of two simultaneous starts with credits for one, one is served and one is out of credits', async () => {
  const user = await t.addUser({ credits: 6, targets: 1, compounds: 10 })
  const orders = [
    { targets: ['T1'], compounds: ['C1', 'C2', 'C3', 'C4'] },
    { targets: ['T1'], compounds: ['C5', 'C6', 'C7', 'C8'] },
  ]
  const answers = await Promise.all(orders.map((order) => user.start(order)))
  expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(new Set([200, 402]))
  expect(await user.balance()).toBe(2)
  await expectBalanced(user)
  const { screens } = (await user.call('GET', '/screens')).json<{ screens: { id: string }[] }>()
  expect(screens).toHaveLength(1)
  await user.call('DELETE', `/screens/${screens[0]?.id}`)
})

test('a screen of nothing that can be used is refused with the reason', async () => {
  const user = await t.addUser({ credits: 5, targets: 1, compounds: 1 })
  const answer = await user.start({ targets: ['T9'], compounds: 'all' })
  expect([answer.statusCode, answer.json<{ message: string }>().message]).toEqual([
    400,
    'You have no target named “T9”.',
  ])
})

test('the job of a block carries the id of the call that started the screen', async () => {
  const user = await t.addUser({ credits: 5, targets: 1, compounds: 1 })
  const answer = await user.start()
  const [attempt] = await t.queue.fetch(1)
  if (attempt === undefined) throw new Error('there is no job')
  expect(attempt.reqId).toBe(answer.headers['x-request-id'])
  await t.store.finishBlock(attempt, { cells: Buffer.alloc(CELL_BYTES), failed: 0 })
})

test('a cancelled screen keeps what is predicted and returns the rest exactly once', async () => {
  const user = await t.addUser({ credits: 1000, targets: 1, compounds: 600 })
  const { id } = await user.started()
  const [attempt] = await t.queue.fetch(1)
  if (attempt === undefined) throw new Error('there is no job')
  await t.store.finishBlock(attempt, { cells: Buffer.alloc(256 * CELL_BYTES), failed: 0 })
  const answers = await Promise.all([1, 2, 3].map(() => user.call('DELETE', `/screens/${id}`)))
  for (const answer of answers) {
    expect(answer.json()).toMatchObject({ status: 'CANCELLED', done: 256, credits_charged: 256 })
  }
  expect((await user.ledger()).map(({ delta, reason }) => [delta, reason])).toEqual([
    [1000, 'first sign-in'],
    [-600, 'screen'],
    [344, 'screen refund'],
  ])
  await expectBalanced(user)
  expect(await t.queue.fetch(1)).toEqual([])
})

test('screens of others are not there', async () => {
  const [user, other] = [
    await t.addUser({ credits: 5, targets: 1, compounds: 1 }),
    await t.addUser({ credits: 5, targets: 1, compounds: 1 }),
  ]
  const { id } = await user.started()
  for (const path of [
    '',
    '/results',
    '/results.csv',
    '/results.xlsx',
    '/results.sdf',
    '/matrix',
    '/events',
  ]) {
    expect((await other.call('GET', `/screens/${id}${path}`)).statusCode).toBe(404)
  }
  expect((await other.call('DELETE', `/screens/${id}`)).statusCode).toBe(404)
  expect((await user.read(id)).status).toBe('QUEUED')
  expect((await user.call('GET', '/screens/none')).statusCode).toBe(404)
  await user.call('DELETE', `/screens/${id}`)
})
