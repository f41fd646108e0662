/** Predictions per day and credits used: correct numbers, days and users. */
import { randomUUID } from 'node:crypto'
import { listUserUsage, readUsageByDay, USAGE_DAYS } from '@pkdex/contract'
import { afterAll, expect, test } from 'vitest'
import {
  addOldScreen,
  addOldTasks,
  openTestAdministrator,
  openTestSession,
} from '#test/factories.ts'
import { takeCredits } from '#server/credits/service.ts'
import { forgetOld } from '#server/platform/db/retention.ts'
import { inTransaction } from '#server/platform/db/transaction.ts'
import { resultOf } from '#test/open-test-grid.ts'
import { openTestAdmin } from '#test/open-test-admin.ts'

const DAY_MS = 24 * 3_600_000

const t = await openTestAdmin()
afterAll(() => t.close())

test('SPEC 26.5: predictions and pairs of screens are counted per day in UTC, including days without any', async () => {
  const [user, other] = [await openTestSession(t.db), await openTestSession(t.db)]
  const today = dayStart()
  await addTask(user.userId, new Date(today + 1000))
  await addTask(user.userId, new Date(today + 2000))
  await addTask(user.userId, new Date(today - 1))
  await addTask(user.userId, new Date(today + 3000), 'failed')
  await addTask(user.userId, new Date(today + 4000), 'known already')
  await addTask(user.userId, new Date(today - 10 * DAY_MS))
  await addTask(other.userId, new Date(today + 1000))
  await addScreen(user.userId, new Date(today - 2 * DAY_MS), [5, 7])
  const own = await byDay(`days=3&user_id=${user.userId}`)
  expect(own).toEqual([
    { day: dayOf(today - 2 * DAY_MS), predictions: 0, screen_pairs: 12 },
    { day: dayOf(today - DAY_MS), predictions: 1, screen_pairs: 0 },
    { day: dayOf(today), predictions: 2, screen_pairs: 0 },
  ])
  const all = await byDay('')
  expect(all).toHaveLength(USAGE_DAYS)
  expect(all.at(-1)).toEqual({ day: dayOf(today), predictions: 3, screen_pairs: 0 })
  expect(all.at(-11)?.predictions).toBe(1)
})

test.each(['days=0', 'days=367', 'days=x', 'user_id=x'])(
  'usage over %s returns 400',
  async (query) => {
    expect((await t.call('GET', `/admin/usage?${query}`)).statusCode).toBe(400)
  },
)

test('credits used and predictions in 30 days are reported, minus refunds', async () => {
  const [user, idle] = [await openTestSession(t.db), await openTestSession(t.db)]
  const { userId } = user
  const now = t.clock.now().getTime()
  await addTask(userId, new Date(now - 1000))
  await addTask(userId, new Date(now - 1000), 'known already')
  await addTask(userId, new Date(now - 40 * DAY_MS))
  await addScreen(userId, new Date(now - 1000), [4])
  const taskId = randomUUID()
  const charge = { userId, amount: 2.5, reason: 'prediction' as const, taskId }
  await inTransaction(t.db, (trx) => takeCredits(trx, charge))
  const [used, nothing] = await usageOf([userId, idle.userId])
  expect(used).toMatchObject({ predictions: 5, credits_used: 2.5 })
  expect(nothing).toMatchObject({ predictions: 0, credits_used: 0 })
})

test('“last seen” follows the last request, and is written at most once a minute', async () => {
  const { userId, headers } = await openTestSession(t.db, { now: t.clock.now() })
  t.clock.advance(2 * 60_000)
  const seen = t.clock.now().toISOString()
  await t.app.inject({ url: '/dta/credits', headers })
  t.clock.advance(30_000)
  await t.app.inject({ url: '/dta/credits', headers })
  expect(await usageOf([userId])).toMatchObject([{ last_seen_at: seen }])
})

test('creating an API key does not change “last seen”', async () => {
  const email = `${randomUUID()}@lab.example`
  const { _id: invited } = (await t.call('POST', '/admin/users', { email })).json()
  const { key } = (await t.call('POST', `/admin/users/${invited}/api-key`)).json()
  expect(await usageOf([invited])).toMatchObject([{ last_seen_at: null }])
  t.clock.advance(2 * 60_000)
  await t.app.inject({ url: '/dta/credits', headers: { 'api-key': key } })
  const used = t.clock.now().toISOString()
  expect(await usageOf([invited])).toMatchObject([{ last_seen_at: used }])
})

test('“last seen” outlives the session', async () => {
  const { userId, headers } = await openTestSession(t.db, { now: t.clock.now() })
  t.clock.advance(2 * 60_000)
  const seen = t.clock.now().toISOString()
  await t.app.inject({ url: '/dta/credits', headers })
  await forgetOld(t.db, new Date(t.clock.now().getTime() + 60 * DAY_MS))
  const kept = await t.db.selectFrom('keys').select('id').where('user_id', '=', userId).execute()
  expect(kept).toEqual([])
  // By then the administrator's session has expired as well.
  const administrator = await openTestAdministrator(t.db, t.clock.now())
  expect(await usageOf([userId], administrator)).toMatchObject([{ last_seen_at: seen }])
})

async function byDay(query: string) {
  const answer = await t.call('GET', `/admin/usage?${query}`)
  return readUsageByDay.answer.parse(answer.json()).days
}

async function usageOf(userIds: string[], { headers } = t.administrator) {
  const url = `/admin/users/usage?user_ids=${userIds.join(',')}`
  const answer = await t.app.inject({ url, headers })
  const { users } = listUserUsage.answer.parse(answer.json())
  return userIds.map((id) => users.find(({ _id }) => _id === id))
}

function dayStart(): number {
  return Math.floor(t.clock.now().getTime() / DAY_MS) * DAY_MS
}

function dayOf(moment: number): string {
  return new Date(moment).toISOString().slice(0, 10)
}

async function addTask(
  userId: string,
  created_at: Date,
  outcome: 'charged' | 'known already' | 'failed' = 'charged',
): Promise<void> {
  const result = outcome === 'failed' ? null : resultOf(7)
  const credits = outcome === 'charged' ? 1 : 0
  await addOldTasks(t.db, userId, 1, { at: created_at, result, credits })
}

const addScreen = (userId: string, at: Date, predicted: number[]) =>
  addOldScreen(t.db, userId, { at, predicted })
