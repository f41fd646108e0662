import { randomUUID } from 'node:crypto'
import { readCredits } from '@pkdex/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestSession } from '#server/auth/open-test-session.ts'
import { inTransaction } from '#server/platform/db/transaction.ts'
import { openTestApp, type TestApp } from '#server/platform/http/open-test-app.ts'
import { creditsRoutes } from './routes.ts'
import { refundCredits, setCredits, takeCredits } from './service.ts'

let t: TestApp
beforeAll(async () => {
  t = await openTestApp({
    features: ({ db, config }) => [creditsRoutes({ db, ...config.credits })],
  })
})
afterAll(() => t.close())

const take = (userId: string, amount: number, taskId: string = randomUUID()) =>
  inTransaction(t.db, (trx) => takeCredits(trx, { userId, amount, reason: 'prediction', taskId }))

const refund = (userId: string, amount: number, taskId: string) =>
  inTransaction(t.db, (trx) => refundCredits(trx, { userId, amount, taskId }))

async function balanceOf(headers: { 'api-key': string }) {
  const answer = await t.app.inject({ method: 'GET', url: '/dta/credits', headers })
  return readCredits.answer.parse(answer.json()).credits
}

test('SPEC 7.8: GET /dta/credits answers the balance, and what a prediction costs', async () => {
  const { headers } = await openTestSession(t.db, { credits: 7 })
  const answer = await t.app.inject({ method: 'GET', url: '/dta/credits', headers })
  expect(answer.json()).toEqual({ credits: 7, credits_per_prediction: 1 })
})

test('SPEC 7.11: GET /dta/credits without a key answers 401', async () => {
  const answer = await t.app.inject({ method: 'GET', url: '/dta/credits' })
  expect(answer.statusCode).toBe(401)
})

test('SPEC 15.1: of twenty charges with one credit left exactly one wins', async () => {
  const { userId, headers } = await openTestSession(t.db, { credits: 1 })
  const balances = await Promise.all(Array.from({ length: 20 }, () => take(userId, 1)))
  expect(balances.filter((balance) => balance === 0)).toHaveLength(1)
  expect(balances.filter((balance) => balance === null)).toHaveLength(19)
  expect(await balanceOf(headers)).toBe(0)
})

test('a charge above the balance takes nothing, not even a part', async () => {
  const { userId, headers } = await openTestSession(t.db, { credits: 2 })
  expect(await take(userId, 3)).toBeNull()
  expect(await balanceOf(headers)).toBe(2)
})

test('SPEC 15.5: a task is refunded exactly once, however many ask at the same time', async () => {
  const { userId, headers } = await openTestSession(t.db, { credits: 5 })
  const taskId = randomUUID()
  await take(userId, 2, taskId)
  const refunds = await Promise.all(Array.from({ length: 5 }, () => refund(userId, 2, taskId)))
  expect(refunds.filter((balance) => balance !== null)).toEqual([5])
  expect(await balanceOf(headers)).toBe(5)
})

test('SPEC 15.8: every change is a row of the ledger, and the rows add up to the balance', async () => {
  const { userId, headers } = await openTestSession(t.db, { credits: 10 })
  const taskId = randomUUID()
  await take(userId, 4, taskId)
  await take(userId, 100)
  await refund(userId, 4, taskId)
  const actor = 'admin@example.org'
  await inTransaction(t.db, (trx) => setCredits(trx, { userId, credits: 2.5, actor }))
  const rows = await t.db
    .selectFrom('ledger')
    .select(['delta', 'balance_after', 'reason', 'actor'])
    .where('user_id', '=', userId)
    .orderBy('id')
    .execute()
  expect(rows).toEqual([
    { delta: 10, balance_after: 10, reason: 'first sign-in', actor: 'server' },
    { delta: -4, balance_after: 6, reason: 'prediction', actor: 'user' },
    { delta: 4, balance_after: 10, reason: 'refund', actor: 'server' },
    { delta: -7.5, balance_after: 2.5, reason: 'administrator', actor },
  ])
  expect(await balanceOf(headers)).toBe(2.5)
})

test('a charge that is rolled back leaves neither a changed balance nor a row', async () => {
  const { userId, headers } = await openTestSession(t.db, { credits: 3 })
  const attempt = inTransaction(t.db, async (trx) => {
    await takeCredits(trx, { userId, amount: 1, reason: 'prediction', taskId: randomUUID() })
    throw new Error('the queue is away')
  })
  await expect(attempt).rejects.toThrow('the queue is away')
  expect(await balanceOf(headers)).toBe(3)
})
