/** Several users in one step: changing or setting credits with a note, or deactivating; all or none, and once per key. */
import { randomUUID } from 'node:crypto'
import { changeCredits, createUser, CREDITS_MAX, listUserLedger } from '@pkdex/contract'
import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { openTestAdministrator, openTestSession } from '#test/factories.ts'
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

test('removing credits changes no balance if one is too low', async () => {
  const [rich, poor] = [await addUser(10), await addUser(2)]
  const answer = await credit({ user_ids: [rich, poor], delta: -3 })
  expect(answer.statusCode).toBe(409)
  expect(answer.json().message).toContain('The balance is 2; 3 cannot be removed.')
  expect([await balanceOf(rich), await balanceOf(poor)]).toEqual([10, 2])
  const more = await credit({ user_ids: [poor], delta: -1000.5 })
  expect(more.json().message).toContain('The balance is 2; 1,000.5 cannot be removed.')
  expect(await credit({ user_ids: [rich, poor], delta: -2 })).toMatchObject({ statusCode: 200 })
  expect([await balanceOf(rich), await balanceOf(poor)]).toEqual([8, 0])
})

test('SPEC 26.13: several users are set to one balance, each with its difference in the ledger', async () => {
  const [low, high, same] = [await addUser(10), await addUser(60.125), await addUser(50)]
  const answer = await credit({ user_ids: [low, high, same], credits: 50, note: 'Autumn course' })
  const { users } = changeCredits.answer.parse(answer.json())
  expect(users.map(({ _id }) => _id).toSorted()).toEqual([low, high, same].toSorted())
  expect(users.map(({ credits }) => credits)).toEqual([50, 50, 50])
  expect(await Promise.all([low, high, same].map(balanceOf))).toEqual([50, 50, 50])
  const said = { reason: 'administrator', actor: t.administrator.email, note: 'Autumn course' }
  expect((await ledgerOf(low))[0]).toMatchObject({ ...said, delta: 40, balance_after: 50 })
  expect((await ledgerOf(high))[0]).toMatchObject({ ...said, delta: -10.125, balance_after: 50 })
  expect((await ledgerOf(same)).map(({ delta }) => delta)).toEqual([50])
  const entries = await changesNoted('Autumn course')
  const after = { credits: 50, note: 'Autumn course', count: 2, emails: expect.any(Array) }
  expect(entries).toEqual([
    { subject: '2 users', before: null, after: { ...after, ids: expect.any(Array) } },
  ])
  expect(entries[0]?.after).toHaveProperty('ids', expect.not.arrayContaining([same]))
})

test('setting one user’s balance has the old and the new one in the audit log', async () => {
  const user = await addUser(7.5)
  await credit({ user_ids: [user], credits: 0, note: 'left' })
  expect(await changesNoted('left')).toEqual([
    { subject: `user ${user}`, before: { credits: 7.5 }, after: { credits: 0, note: 'left' } },
  ])
})

test('users who have that balance already are unchanged, without a ledger or audit entry', async () => {
  const user = await addUser(5)
  const answer = await credit({ user_ids: [user], credits: 5, note: 'the same' })
  expect(answer.json()).toEqual({ users: [{ _id: user, credits: 5 }] })
  expect(await ledgerOf(user)).toHaveLength(1)
  expect(await changesNoted('the same')).toEqual([])
})

test('a balance is set once per Idempotency-Key, and simultaneous changes add up in the ledger', async () => {
  const user = await addUser(5)
  const order = { user_ids: [user], credits: 5 }
  const key = randomUUID()
  await credit(order, key)
  await credit({ user_ids: [user], delta: 3 })
  expect((await credit(order, key)).statusCode).toBe(200)
  expect(await balanceOf(user)).toBe(8)
  expect((await credit({ user_ids: [user], delta: 5 }, key)).statusCode).toBe(409)
  const changes = [{ credits: 20 }, { delta: 1 }, { credits: 30 }, { delta: -1 }]
  await Promise.all(changes.map((change) => credit({ user_ids: [user], ...change })))
  const entries = await ledgerOf(user)
  const sum = entries.reduce((total, { delta }) => total + delta, 0)
  expect([sum, entries[0]?.balance_after]).toEqual(Array(2).fill(await balanceOf(user)))
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
  ['no user', { user_ids: [], delta: 1 }],
  ['an invalid id', { user_ids: ['ada'], delta: 1 }],
  ['an amount of 0', { user_ids: [randomUUID()], delta: 0 }],
  ['an amount with more than three decimals', { user_ids: [randomUUID()], delta: 0.0001 }],
  ['neither an amount nor a balance', { user_ids: [randomUUID()] }],
  ['both an amount and a balance', { user_ids: [randomUUID()], delta: 1, credits: 1 }],
  ['a negative balance', { user_ids: [randomUUID()], credits: -1 }],
  ['a balance with more than three decimals', { user_ids: [randomUUID()], credits: 0.0001 }],
  ['more than the largest balance', { user_ids: [randomUUID()], credits: CREDITS_MAX + 1 }],
  ['a note of two lines', { user_ids: [randomUUID()], delta: 1, note: 'a\nb' }],
])('changing credits: %s returns 400', async (_, payload) => {
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

/** Audit entries of changes with this note. */
function changesNoted(note: string) {
  return t.db
    .selectFrom('audit_log')
    .select(['subject', 'before', 'after'])
    .where('action', '=', 'change credits')
    .where(sql<boolean>`after->>'note' = ${note}`)
    .execute()
}

async function balanceOf(userId: string): Promise<number> {
  return (await t.call('GET', `/admin/users/${userId}`)).json().credits
}

async function ledgerOf(userId: string) {
  const answer = await t.call('GET', `/admin/users/${userId}/ledger`)
  return listUserLedger.answer.parse(answer.json()).entries
}
