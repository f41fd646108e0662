import { AdminUser } from '@pkdex/contract'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestAdmin, type TestAdmin } from '#test/open-test-admin.ts'

let t: TestAdmin
beforeAll(async () => {
  t = await openTestAdmin()
  // Groups of five have equal credits, and the emails are not in id order.
  await sql`insert into users (email, name, credits, created_at)
    select 'user' || lpad((i * 37 % 101)::text, 3, '0') || '@Lab.example', 'Person ' || i, i / 5, now()
    from generate_series(0, 56) i`.execute(t.db)
  await sql`insert into users (email, name, credits, created_at) values
    ('percent@x.example', '100% Sure', 1000, now()), ('percent2@x.example', '100 Sure', 1001, now()),
    ('under_score@x.example', 'Back\\slash', 1002, now()), ('underscore@x.example', 'ÅSE Öst', 1003, now())`.execute(
    t.db,
  )
})
afterAll(() => t.close())

const USERS = 61

async function list(query: string) {
  const answer = await t.call('GET', `/admin/users?${query}`)
  const users = AdminUser.array().parse(answer.json())
  return { users, total: Number(answer.headers['x-total-count']) }
}

test('SPEC 7.15: GET /admin/users without a page returns the whole list as one JSON array', async () => {
  const answer = await t.call('GET', '/admin/users')
  expect(answer.headers['content-type']).toBe('application/json; charset=utf-8')
  const users = AdminUser.array().parse(answer.json())
  const emails = users.map(({ email }) => email.toLowerCase())
  expect([emails.length, new Set(emails).size]).toEqual([USERS, USERS])
  expect(emails).toEqual(emails.toSorted((a, b) => (a < b ? -1 : 1)))
  expect((await t.call('GET', '/admin/users?search=nobody')).json()).toEqual([])
})

test('SPEC 9.5: a page has ten users, sorted by email, and the header has the total', async () => {
  const { users, total } = await list('page=1')
  expect([users.length, total]).toEqual([10, USERS])
  const all = AdminUser.array().parse((await t.call('GET', '/admin/users')).json())
  expect(users).toEqual(all.slice(0, 10))
})

/** By code point, ignoring case; a user without a name sorts as an empty one. */
const sortKeys = {
  name: ({ name }: AdminUser) => name.toLowerCase(),
  email: ({ email }: AdminUser) => email.toLowerCase(),
  credits: ({ credits }: AdminUser) => String(credits).padStart(9, '0'),
}

test.each(['name', 'email', 'credits'] as const)(
  'SPEC 9.5: sorted by %s, in both directions, the pages contain each user once',
  async (sort) => {
    for (const order of ['asc', 'desc']) {
      const pages = []
      for (let page = 1; page <= 7; page++) {
        pages.push(...(await list(`page=${page}&sort=${sort}&order=${order}`)).users)
      }
      const all = await t.call('GET', `/admin/users?sort=${sort}&order=${order}`)
      expect(pages).toEqual(all.json())
      expect(new Set(pages.map(({ _id }) => _id)).size).toBe(USERS)
      const keys = pages.map(sortKeys[sort])
      const sorted = keys.toSorted((a, b) => (a < b ? -1 : Number(a > b)))
      expect(keys).toEqual(order === 'asc' ? sorted : sorted.toReversed())
    }
  },
)

test('SPEC 26.12: sorted by when users were last seen, those never seen count as the earliest', async () => {
  const seen = [
    ['user000@Lab.example', '2026-01-02T00:00:00Z'],
    ['user037@Lab.example', '2026-01-03T00:00:00Z'],
  ]
  for (const [email, at] of seen) {
    await sql`update users set last_seen_at = ${at} where email = ${email}`.execute(t.db)
  }
  // The current session's last request is later than the stored time of earlier ones.
  await sql`insert into keys (user_id, kind, prefix, hash, created_at, last_used_at)
    select id, 'session', 'pkdex_s_', 'x', ${'2026-01-01T00:00:00Z'}, ${'2026-01-04T00:00:00Z'}
    from users where email = 'user000@Lab.example'`.execute(t.db)
  for (const search of ['', '&search=user0']) {
    const newest = await list(`page=1&sort=last_seen&order=desc${search}`)
    const emails = newest.users.map(({ email }) => email)
    expect(emails.slice(0, 2)).toEqual(['user000@Lab.example', 'user037@Lab.example'])
    const last = await list(`page=${Math.ceil(newest.total / 10)}&sort=last_seen${search}`)
    expect(last.users.at(-1)?.email).toBe('user000@Lab.example')
  }
  const all = AdminUser.array().parse((await t.call('GET', '/admin/users?sort=last_seen')).json())
  expect(all.at(-1)?.email).toBe('user000@Lab.example')
})

test('a page after the last is empty and still has the total', async () => {
  expect(await list('page=8')).toEqual({ users: [], total: USERS })
  expect(await list('page=9007199254740991&page_size=200')).toEqual({ users: [], total: USERS })
})

test.each([
  ['PERSON 1', 11],
  ['@LAB.example', 57],
  ['åse ö', 1],
  ['100%', 1],
  ['under_', 1],
  ['k\\s', 1],
  ['%', 1],
  ["'; drop table users; --", 0],
])('SPEC 5.9: a search for %s in email or name finds %i users', async (search, found) => {
  const { users, total } = await list(`page=1&page_size=200&search=${encodeURIComponent(search)}`)
  expect([users.length, total]).toEqual([found, found])
  const text = (user: AdminUser) => `${user.email}\n${user.name}`.toLowerCase()
  expect(users.every((user) => text(user).includes(search.toLowerCase()))).toBe(true)
})

test('SPEC 5.9: search results are sorted and paged like the list', async () => {
  const first = await list('page=1&search=lab&sort=credits&order=desc')
  expect([first.users.length, first.total, first.users[0]?.credits]).toEqual([10, 57, 11])
  const last = await list('page=6&search=lab&sort=credits&order=desc')
  expect([last.users.length, last.users.at(-1)?.credits]).toEqual([7, 0])
})

test.each([
  'page=0',
  'page=1.5',
  'page=x',
  'page=1&page_size=0',
  'page=1&page_size=201',
  'sort=password_hash',
  'order=up',
  'search=%00',
  `search=${'x'.repeat(400)}`,
])('a list with %s returns 400', async (query) => {
  expect((await t.call('GET', `/admin/users?${query}`)).statusCode).toBe(400)
})

test('SPEC 9.5: a search with thousands of matches is paged like any other, from both ends', async () => {
  await sql`insert into users (email, name, credits, created_at)
    select 'crowd' || lpad(i::text, 4, '0') || '@x.example', 'Crowd', 1, now()
    from generate_series(1, 2100) i`.execute(t.db)
  try {
    const first = await list('page=1&search=crowd')
    const last = await list('page=210&search=crowd')
    expect([first.total, last.total]).toEqual([2100, 2100])
    expect(first.users.map(({ email }) => email).at(-1)).toBe('crowd0010@x.example')
    expect(last.users.map(({ email }) => email).at(-1)).toBe('crowd2100@x.example')
    expect((await list('page=211&search=crowd')).users).toEqual([])
  } finally {
    await t.db.deleteFrom('users').where('name', '=', 'Crowd').execute()
  }
})

test('the list can be filtered by active and inactive users', async () => {
  await sql`update users set is_active = false where email like 'under%'`.execute(t.db)
  const off = await list('page=1&status=inactive')
  expect(off.total).toBe(2)
  expect(off.users.map(({ is_active }) => is_active)).toEqual([false, false])
  expect((await list('page=1&status=active')).total).toBe(USERS - 2)
  expect((await list('page=1&status=inactive&search=back')).total).toBe(1)
  await sql`update users set is_active = true`.execute(t.db)
})
