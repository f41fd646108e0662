/** Several users in one step: adding credits with a note, or deactivating; all or none, and once per key. */
import { randomUUID } from 'node:crypto'
import { changeCredits, createUser, listUserLedger } from '@pkdex/contract'
import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { openTestAdministrator } from '#test/open-test-administrator.ts'
import { openTestSession } from '#test/open-test-session.ts'
import { openTestAdmin } from '#test/open-test-admin.ts'

const t = await openTestAdmin()
afterAll(() => t.close())

test('SPEC 26.1: several users get credits with a note, each recorded in ledger and audit log', async () => {
  const [first, second] = [await addUser(10), await addUser(0.5)]
  const answer = await credit({ user_ids: [first, second], delta: 2.5, note: 'Course of spring' })
  const { users } = changeCredits.answer.parse(answer.json())
  expect(new Map(users.map(({ _id, credits }) => [_id, credits]))).toEqual(
    new Map([
      [first, 12.5],
      [second, 3],
    ]),
  )
  for (const [userId, credits] of [
    [first, 12.5],
    [second, 3],
  ] as const) {
    expect(await balanceOf(userId)).toBe(credits)
    const [entry] = await ledgerOf(userId)
    const actor = t.administrator.email
    const said = { delta: 2.5, balance_after: credits, actor, note: 'Course of spring' }
    expect(entry).toMatchObject({ reason: 'administrator', ...said })
  }
  const entries = await t.db
    .selectFrom('audit_log')
    .select(['subject', 'after'])
    .where('action', '=', 'change credits')
    .execute()
  const ids = expect.toSatisfy(
    (all: string[]) => all.toSorted().join() === [first, second].toSorted().join(),
  )
  const after = { delta: 2.5, note: 'Course of spring', count: 2, ids }
  expect(entries).toEqual([
    { subject: '2 users', after: { ...after, emails: [expect.any(String), expect.any(String)] } },
  ])
})

test('removing credits changes nobody if one balance is too low', async () => {
  const [rich, poor] = [await addUser(10), await addUser(2)]
  const answer = await credit({ user_ids: [rich, poor], delta: -3 })
  expect(answer.statusCode).toBe(409)
  expect(answer.json().message).toContain('The balance is 2; 3 cannot be removed.')
  expect([await balanceOf(rich), await balanceOf(poor)]).toEqual([10, 2])
  expect(await credit({ user_ids: [rich, poor], delta: -2 })).toMatchObject({ statusCode: 200 })
  expect([await balanceOf(rich), await balanceOf(poor)]).toEqual([8, 0])
})

test('a user listed twice gets credits once; an unknown user stops the whole request', async () => {
  const user = await addUser(1)
  await credit({ user_ids: [user, user.toUpperCase()], delta: 1 })
  expect(await balanceOf(user)).toBe(2)
  const gone = await credit({ user_ids: [user, randomUUID()], delta: 1 })
  expect([gone.statusCode, gone.json().message]).toEqual([
    404,
    '1 user no longer exists. Nothing was changed.',
  ])
  expect(await balanceOf(user)).toBe(2)
})

test('with one Idempotency-Key credits are added once, however often and simultaneously it is sent', async () => {
  const user = await addUser(1)
  const order = { user_ids: [user], delta: 5, note: 'once' }
  const key = randomUUID()
  const answers = await Promise.all([1, 2, 3].map(() => credit(order, key)))
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200])
  expect(answers.map((answer) => answer.json())).toEqual(
    Array.from({ length: 3 }, () => ({ users: [{ _id: user, credits: 6 }] })),
  )
  expect(await balanceOf(user)).toBe(6)
  expect((await credit({ ...order, delta: 6 }, key)).statusCode).toBe(409)
  expect((await credit(order, 'x'.repeat(201))).statusCode).toBe(400)
  const other = await openTestAdministrator(t.db)
  await credit(order, key, other.headers)
  expect(await balanceOf(user)).toBe(11)
})

test.each([
  ['nobody', { user_ids: [], delta: 1 }],
  ['no user’s id', { user_ids: ['ada'], delta: 1 }],
  ['no credits', { user_ids: [randomUUID()], delta: 0 }],
  ['a part of a thousandth', { user_ids: [randomUUID()], delta: 0.0001 }],
  ['a note of two lines', { user_ids: [randomUUID()], delta: 1, note: 'a\nb' }],
])('adding credits to %s returns 400', async (_, payload) => {
  expect((await credit(payload)).statusCode).toBe(400)
})

test('SPEC 26.2: several users can be deactivated in one step, and their keys and sessions end', async () => {
  const [first, second] = [await openTestSession(t.db), await openTestSession(t.db)]
  const user_ids = [first.userId, second.userId, await addUser(1)]
  const off = await t.call('POST', '/admin/users/status', { user_ids, is_active: false })
  expect(off.json()).toEqual({ changed: 3 })
  for (const { headers } of [first, second]) {
    expect((await t.app.inject({ url: '/dta/credits', headers })).statusCode).toBe(403)
  }
  const again = await t.call('POST', '/admin/users/status', { user_ids, is_active: false })
  expect(again.json()).toEqual({ changed: 0 })
  const on = await t.call('POST', '/admin/users/status', { user_ids, is_active: true })
  expect(on.json()).toEqual({ changed: 3 })
  const entries = await t.db
    .selectFrom('audit_log')
    .select(['subject', 'before', 'after'])
    .where('action', '=', 'update user')
    .where(sql<boolean>`after::text like ${`%${first.userId}%`}`)
    .orderBy('id')
    .execute()
  expect(entries).toMatchObject([
    { subject: '3 users', before: { is_active: true }, after: { is_active: false, count: 3 } },
    { subject: '3 users', before: { is_active: false }, after: { is_active: true, count: 3 } },
  ])
})

function credit(payload: object, key?: string, headers = t.administrator.headers) {
  return t.app.inject({
    method: 'POST',
    url: '/admin/users/credits',
    headers: { ...headers, ...(key !== undefined && { 'idempotency-key': key }) },
    payload,
  })
}

async function addUser(credits: number): Promise<string> {
  const email = `${randomUUID()}@lab.example`
  const answer = await t.call('POST', '/admin/users', { email, credits })
  return createUser.answer.parse(answer.json())._id
}

async function balanceOf(userId: string): Promise<number> {
  return (await t.call('GET', `/admin/users/${userId}`)).json().credits
}

async function ledgerOf(userId: string) {
  const answer = await t.call('GET', `/admin/users/${userId}/ledger`)
  return listUserLedger.answer.parse(answer.json()).entries
}
