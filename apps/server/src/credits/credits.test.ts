import { randomUUID } from 'node:crypto'
import { listLedger, readCredits, TOTAL_COUNT_HEADER } from '@pkdex/contract'
import { afterAll, expect, test } from 'vitest'
import { openTestSession } from '#test/factories.ts'
import { inTransaction } from '#server/platform/db/transaction.ts'
import { openTestApp } from '#test/open-test-app.ts'
import { creditsRoutes } from './routes.ts'
import { addCredits, refundCredits, setCredits, takeCredits } from './service.ts'

const t = await openTestApp({
  features: ({ db, config }) => [creditsRoutes({ db, ...config.credits })],
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

test('SPEC 7.8: GET /dta/credits returns the balance and the cost of a prediction', async () => {
  const { headers } = await openTestSession(t.db, { credits: 7 })
  const answer = await t.app.inject({ method: 'GET', url: '/dta/credits', headers })
  expect(answer.json()).toEqual({ credits: 7, credits_per_prediction: 1 })
})

test('SPEC 7.11: GET /dta/credits without a key returns 401', async () => {
  const answer = await t.app.inject({ method: 'GET', url: '/dta/credits' })
  expect(answer.statusCode).toBe(401)
})

test('SPEC 15.1: of twenty charges with one credit left, exactly one succeeds', async () => {
  const { userId, headers } = await openTestSession(t.db, { credits: 1 })
  const balances = await Promise.all(Array.from({ length: 20 }, () => take(userId, 1)))
  expect(balances.filter((balance) => balance === 0)).toHaveLength(1)
  expect(balances.filter((balance) => balance === null)).toHaveLength(19)
  expect(await balanceOf(headers)).toBe(0)
})

test('a charge above the balance removes nothing at all', async () => {
  const { userId, headers } = await openTestSession(t.db, { credits: 2 })
  expect(await take(userId, 3)).toBeNull()
  expect(await balanceOf(headers)).toBe(2)
})

test('SPEC 15.5: a task is refunded exactly once, also by simultaneous refunds', async () => {
  const { userId, headers } = await openTestSession(t.db, { credits: 5 })
  const taskId = randomUUID()
  await take(userId, 2, taskId)
  const refunds = await Promise.all(Array.from({ length: 5 }, () => refund(userId, 2, taskId)))
  expect(refunds.filter((balance) => balance !== null)).toEqual([5])
  expect(await balanceOf(headers)).toBe(5)
})

test('SPEC 15.8: every change is a ledger row, and the rows add up to the balance', async () => {
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

test('a rolled-back charge leaves neither a changed balance nor a row', async () => {
  const { userId, headers } = await openTestSession(t.db, { credits: 3 })
  const attempt = inTransaction(t.db, async (trx) => {
    await takeCredits(trx, { userId, amount: 1, reason: 'prediction', taskId: randomUUID() })
    throw new Error('the queue is away')
  })
  await expect(attempt).rejects.toThrow('the queue is away')
  expect(await balanceOf(headers)).toBe(3)
})

test('SPEC 23.7: users see every change of their balance, newest first, without the administrator’s note', async () => {
  const { userId, headers } = await openTestSession(t.db, { credits: 5 })
  const taskId = randomUUID()
  await take(userId, 2, taskId)
  await refund(userId, 2, taskId)
  await inTransaction(t.db, (trx) =>
    addCredits(trx, [{ userId, delta: 10, note: 'internal remark' }], 'admin@example.com'),
  )
  const other = await openTestSession(t.db, { credits: 3 })
  await take(other.userId, 1)

  const url = '/dta/credits/ledger?page_size=2'
  const answer = await t.app.inject({ method: 'GET', url, headers })
  expect(answer.headers[TOTAL_COUNT_HEADER.toLowerCase()]).toBe('4')
  const first = listLedger.answer.parse(answer.json()).entries
  expect(first.map(({ reason, delta }) => [reason, delta])).toEqual([
    ['administrator', 10],
    ['refund', 2],
  ])
  expect(answer.body).not.toContain('internal remark')
  expect(answer.body).not.toContain('admin@example.com')
  const rest = await t.app.inject({ method: 'GET', url: `${url}&page=2`, headers })
  expect(listLedger.answer.parse(rest.json()).entries).toMatchObject([
    { reason: 'prediction', delta: -2, balance_after: 3 },
    { delta: 5, balance_after: 5 },
  ])
})
