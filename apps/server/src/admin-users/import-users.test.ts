/** A list of users from a CSV: every line is taken in or none, each is answered, and the same list does nothing twice. */
import { randomUUID } from 'node:crypto'
import { type ImportedUsers, importUsers } from '@pkdex/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { INITIAL_CREDITS, openTestAdmin, type TestAdmin } from './open-test-admin.ts'

let t: TestAdmin
beforeAll(async () => {
  t = await openTestAdmin()
})
afterAll(() => t.close())

/** E-mails of their own for each test. */
function emails(count: number): string[] {
  const group = randomUUID().slice(0, 8)
  return Array.from({ length: count }, (_, at) => `u${at + 1}-${group}@lab.example`)
}

test('a list creates users, credits those who are there, and takes away', async () => {
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

test('the same list again credits nobody, whoever sends it, and says when it was taken in', async () => {
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

test('what is kept of a list names nobody', async () => {
  const [email = ''] = emails(1)
  await send({ csv: `email,credits\n${email},7\n`, apply: true })
  const kept = await t.db.selectFrom('administrator_requests').selectAll().execute()
  expect(kept.length).toBeGreaterThan(0)
  expect(JSON.stringify(kept)).not.toContain(email)
})

test('a key that was used for one list takes in no other', async () => {
  const [first = '', second = ''] = emails(2)
  await send({ csv: `email\n${first}`, apply: true }, 'one key')
  for (const apply of [true, false]) {
    const payload = { csv: `email\n${second}`, apply }
    const answer = await post(payload, 'one key')
    expect(answer.statusCode).toBe(409)
  }
  expect(await find(second)).toBeUndefined()
})

test('the same list from several pages at once is taken in once', async () => {
  const [first = '', second = ''] = emails(2)
  const csv = `email,credits\n${first},3\n${second},4`
  const answers = await Promise.all([1, 2, 3, 4].map(() => send({ csv, apply: true })))
  expect(answers.filter(({ repeated }) => !repeated)).toHaveLength(1)
  expect([await find(first), await find(second)]).toMatchObject([{ credits: 3 }, { credits: 4 }])
})

test('one line that cannot be used stops the whole list, and each says its own reason', async () => {
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
    [3, 'refused', 'The balance is 2, and 3 cannot be taken from it.'],
    [4, 'refused', 'This is not an e-mail address.'],
    [5, 'refused', 'There is no e-mail.'],
    [6, 'create', null],
    [7, 'refused', 'Line 6 has the same e-mail.'],
    [8, 'refused', 'A new user cannot begin with less than nothing.'],
    [9, 'refused', '“1e3” is no number of credits.'],
    [10, 'refused', '“0.0001” is no number of credits.'],
    [11, 'refused', 'The line has more cells than there are columns.'],
  ])
  expect(await find(good)).toBeUndefined()
  expect(await find(poor)).toMatchObject({ credits: 2 })
  // Mended, it is another list; and so is the same one once it can be used.
  await addUser(`x${twice}`, 1)
  const mended = await send({ csv: `email,credits\n${good},1\nx${twice},-1`, apply: true })
  expect(mended.rows.map(({ outcome }) => outcome)).toEqual(['create', 'credit'])
})

test('two users of one e-mail are told apart by nobody', async () => {
  const [email = ''] = emails(1)
  await addUser(email, 1)
  await t.db
    .updateTable('users')
    .set({ issuer: 'i', subject: email })
    .where('email', '=', email)
    .execute()
  await t.db
    .insertInto('users')
    .values({
      email,
      name: '',
      google_id: null,
      issuer: null,
      subject: null,
      credits: 1,
      created_at: new Date(),
    })
    .execute()
  const { rows } = await send({ csv: `email,credits\n${email},5`, apply: true })
  expect(rows).toMatchObject([{ outcome: 'refused', reason: '2 users have this e-mail.' }])
})

test.each([
  ['nothing but blank lines', '\n\n', 'It is empty.'],
  ['no column of e-mails', 'name,credits\nAda,1', 'It has no column “email”'],
  ['an unknown column', 'email,colour\na@b.example,red', 'It has a column “colour”'],
  ['a column twice', 'email,e-mail\na@b.example,a@b.example', 'It has two columns “email”.'],
  ['columns and no user', 'email,credits\n', 'It names its columns, and no user.'],
  ['a quote that never ends', 'email,name\na@b.example,"Ada', 'The list cannot be read.'],
  ['1,001 users', `email\n${'a@b.example\n'.repeat(1001)}`, '1,001 users; 1,000 are taken in'],
])('a list with %s is refused as a whole', async (_, csv, sentence) => {
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
