/** Importing users from a CSV: all lines or none, a result per line, and the same list is imported once. */
import { randomUUID } from 'node:crypto'
import { type ImportedUsers, importUsers } from '@pkdex/contract'
import { afterAll, expect, test } from 'vitest'
import { INITIAL_CREDITS, openTestAdmin } from '#test/open-test-admin.ts'
import { addTestPerson } from '#test/factories.ts'

const t = await openTestAdmin()
afterAll(() => t.close())

/** A separate email for each test. */
function emails(count: number): string[] {
  const group = randomUUID().slice(0, 8)
  return Array.from({ length: count }, (_, at) => `u${at + 1}-${group}@lab.example`)
}

test('a list creates users, and adds or removes credits of existing ones', async () => {
  const [fresh = '', plain = '', there = '', less = '', same = ''] = emails(5)
  for (const email of [there, less, same]) await addUser(email, 10)
  const csv = [
    'Email;Name;Credits;Note',
    `${fresh};"Okafor; Chidi";2.5;spring`,
    `${plain};;;`,
    '',
    `${there.toUpperCase()};Another name;+5;spring`,
    `${less};;-10;`,
    `${same};;;`,
  ].join('\r\n')
  const check = await send({ csv })
  expect(check).toMatchObject({ applied_at: null, repeated: false })
  expect(await find(fresh)).toBeUndefined()
  const done = await send({ csv, apply: true })
  expect(done).toEqual({ rows: check.rows, applied_at: expect.any(String), repeated: false })
  expect(done.rows).toEqual([
    row(2, fresh, ['create', 2.5, 2.5]),
    row(3, plain, ['create', INITIAL_CREDITS, INITIAL_CREDITS]),
    row(5, there.toUpperCase(), ['credit', 5, 15]),
    row(6, less, ['credit', -10, 0]),
    row(7, same, ['unchanged', 0, 10]),
  ])
  expect(await find(fresh)).toMatchObject({ name: 'Okafor; Chidi', credits: 2.5, is_active: true })
  expect(await find(plain)).toMatchObject({ name: '', credits: INITIAL_CREDITS })
  expect(await find(there)).toMatchObject({ name: '', credits: 15 })
  expect(await find(less)).toMatchObject({ credits: 0 })
  expect(await ledgerOf(fresh)).toEqual([
    { delta: 2.5, balance_after: 2.5, note: 'spring', actor: t.administrator.email },
  ])
  expect(await ledgerOf(same)).toHaveLength(1)
})

test('SPEC 26.4: importing the same list again changes nothing and says when it was imported', async () => {
  const [email = ''] = emails(1)
  const csv = `email,credits\n${email},7\n`
  const first = await send({ csv, apply: true })
  t.clock.advance(60_000)
  for (const request of [{ csv, apply: true }, { csv }, { csv: `${csv}\n`, apply: true }]) {
    expect(await send(request)).toEqual({ ...first, repeated: true })
  }
  expect(await find(email)).toMatchObject({ credits: 7 })
  const again = await send({ csv, apply: true }, 'next month')
  expect(again).toMatchObject({ repeated: false, rows: [{ outcome: 'credit', credits: 14 }] })
  expect(await send({ csv, apply: true }, 'next month')).toEqual({ ...again, repeated: true })
  expect(await find(email)).toMatchObject({ credits: 14 })
})

test('the stored import result contains no emails', async () => {
  const [email = ''] = emails(1)
  await send({ csv: `email,credits\n${email},7\n`, apply: true })
  const kept = await t.db.selectFrom('administrator_requests').selectAll().execute()
  expect(kept.length).toBeGreaterThan(0)
  expect(JSON.stringify(kept)).not.toContain(email)
})

test('a key used for one list cannot import another', async () => {
  const [first = '', second = ''] = emails(2)
  await send({ csv: `email\n${first}`, apply: true }, 'one key')
  for (const apply of [true, false]) {
    const payload = { csv: `email\n${second}`, apply }
    const answer = await post(payload, 'one key')
    expect(answer.statusCode).toBe(409)
  }
  expect(await find(second)).toBeUndefined()
})

test('the same list sent from several pages at the same time is imported once', async () => {
  const [first = '', second = ''] = emails(2)
  const csv = `email,credits\n${first},3\n${second},4`
  const answers = await Promise.all([1, 2, 3, 4].map(() => send({ csv, apply: true })))
  expect(answers.filter(({ repeated }) => !repeated)).toHaveLength(1)
  expect([await find(first), await find(second)]).toMatchObject([{ credits: 3 }, { credits: 4 }])
})

test('SPEC 26.3: one invalid line stops the whole import, and each invalid line has its reason', async () => {
  const [good = '', poor = '', twice = ''] = emails(3)
  await addUser(poor, 2)
  const csv = [
    'email,name,credits',
    `${good},,1`,
    `${poor},,-3`,
    'no-address,,1',
    `,Nobody,1`,
    `${twice},,1`,
    `${twice.toUpperCase()},,1`,
    `x${twice},,-1`,
    `y${twice},,1e3`,
    `z${twice},,0.0001`,
    `w${twice},,1,2,3`,
  ].join('\n')
  const answer = await send({ csv, apply: true })
  expect(answer.applied_at).toBeNull()
  expect(answer.rows.map(({ line, outcome, reason }) => [line, outcome, reason])).toEqual([
    [2, 'create', null],
    [3, 'refused', 'The balance is 2; 3 cannot be removed.'],
    [4, 'refused', 'The email address is not valid.'],
    [5, 'refused', 'The email is missing.'],
    [6, 'create', null],
    [7, 'refused', 'Line 6 has the same email.'],
    [8, 'refused', 'A new user cannot start with negative credits.'],
    [9, 'refused', '“1e3” is not a valid number of credits.'],
    [10, 'refused', '“0.0001” is not a valid number of credits.'],
    [11, 'refused', 'The line has more cells than columns.'],
  ])
  expect(await find(good)).toBeUndefined()
  expect(await find(poor)).toMatchObject({ credits: 2 })
  // Corrected, it is another list; so is the same list once it is valid.
  await addUser(`x${twice}`, 1)
  const mended = await send({ csv: `email,credits\n${good},1\nx${twice},-1`, apply: true })
  expect(mended.rows.map(({ outcome }) => outcome)).toEqual(['create', 'credit'])
})

test('a line whose email matches two users is rejected', async () => {
  const [email = ''] = emails(1)
  await addUser(email, 1)
  await t.db.updateTable('users').set({ has_signed_in: true }).where('email', '=', email).execute()
  await addTestPerson(t.db, email)
  const { rows } = await send({ csv: `email,credits\n${email},5`, apply: true })
  expect(rows).toMatchObject([{ outcome: 'refused', reason: '2 users have this email.' }])
})

test.each([
  ['nothing but blank lines', '\n\n', 'The list is empty.'],
  ['no email column', 'name,credits\nAda,1', 'Column “email” is missing'],
  [
    'a column named as what JavaScript objects have',
    'email,constructor\na@b.example,x',
    'Unknown column “constructor”',
  ],
  ['an unknown column', 'email,colour\na@b.example,red', 'Unknown column “colour”'],
  ['a column twice', 'email,e-mail\na@b.example,a@b.example', 'Column “email” appears twice.'],
  ['columns and no user', 'email,credits\n', 'The list has a header line but no users.'],
  [
    'a quote that never ends',
    'email,name\na@b.example,"Ada',
    'a quotation mark is opened and never closed',
  ],
  [
    '1,001 users',
    `email\n${'a@b.example\n'.repeat(1001)}`,
    'The list has 1,001 users; the maximum is 1,000.',
  ],
])('a list with %s is rejected as a whole', async (_, csv, sentence) => {
  const answer = await t.call('POST', '/admin/users/import', { csv })
  expect(answer.statusCode).toBe(400)
  expect(answer.json().message).toContain(sentence)
})

async function send(payload: object, key?: string): Promise<ImportedUsers> {
  return importUsers.answer.parse((await post(payload, key)).json())
}

function post(payload: object, key?: string) {
  return t.app.inject({
    method: 'POST',
    url: '/admin/users/import',
    headers: {
      ...t.administrator.headers,
      ...(key !== undefined && { 'idempotency-key': key }),
    },
    payload,
  })
}

function row(line: number, email: string, [outcome, delta, credits]: [string, number, number]) {
  return { line, email, outcome, delta, credits, reason: null }
}

async function addUser(email: string, credits: number): Promise<void> {
  await t.call('POST', '/admin/users', { email, credits })
}

function find(email: string) {
  return t.db
    .selectFrom('users')
    .select(['id', 'name', 'credits', 'is_active'])
    .where('email', '=', email)
    .executeTakeFirst()
}

async function ledgerOf(email: string) {
  return t.db
    .selectFrom('ledger')
    .select(['delta', 'balance_after', 'note', 'actor'])
    .where('user_id', '=', (await find(email))?.id ?? '')
    .execute()
}
