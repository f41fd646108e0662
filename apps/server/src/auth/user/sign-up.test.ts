/** Who may become a user: everybody, people of some domains, or only those whom an administrator has invited. */
import { afterEach, expect, test } from 'vitest'
import { openTestAuth, type TestAuth } from './open-test-auth.ts'

let t: TestAuth | undefined
afterEach(async () => {
  await t?.close()
  t = undefined
})

test('by invitation only, a stranger is refused with a sentence and leaves no user behind', async () => {
  t = await openTestAuth({ SIGN_UP: 'invited' })
  const refused = await t.signIn(await t.token({ email: 'eve@gmail.com' }))
  expect(refused).toMatchObject({
    status: 403,
    message:
      'This pKdex is open by invitation only, and eve@gmail.com has not been invited. Please ask its administrator.',
  })
  expect(await emails(t)).toEqual([])
})

test('whom an administrator has made a user signs in, now and again', async () => {
  t = await openTestAuth({ SIGN_UP: 'invited' })
  await invite(t, 'ada@gmail.com')
  expect((await t.signIn(await t.token({ email: 'Ada@gmail.com' }))).status).toBe(200)
  expect((await t.signIn(await t.token({ email: 'ada@elsewhere.org' }))).status).toBe(200)
  expect(await emails(t)).toEqual(['ada@gmail.com'])
})

test('an invitation is not taken by somebody for whose address Google does not vouch', async () => {
  t = await openTestAuth({ SIGN_UP: 'invited' })
  await invite(t, 'ada@example.org')
  expect((await t.signIn(await t.token({ email: 'ada@example.org' }))).status).toBe(403)
  const vouched = await t.token({ email: 'ada@example.org', hd: 'example.org' })
  expect((await t.signIn(vouched)).status).toBe(200)
})

test('people of a domain sign up, others do not, nor those who only say that they are of it', async () => {
  t = await openTestAuth({ SIGN_UP_DOMAINS: 'lab.org, Example.org' })
  const arrivals = [
    { email: 'ada@example.org', hd: 'example.org', sub: '1' },
    { email: 'bob@lab.org', hd: 'LAB.org', sub: '2' },
    { email: 'eve@lab.org', sub: '3' },
    { email: 'eve@lab.org', hd: 'evil.org', sub: '4' },
    { email: 'eve@evil-lab.org', hd: 'evil-lab.org', sub: '5' },
    { email: 'eve@gmail.com', sub: '6' },
  ]
  const statuses = []
  for (const claims of arrivals) statuses.push((await t.signIn(await t.token(claims))).status)
  expect(statuses).toEqual([200, 200, 403, 403, 403, 403])
  const { message } = await t.signIn(await t.token({ email: 'eve@gmail.com', sub: '6' }))
  expect(message).toMatch(/^This pKdex is open to people of lab.org, example.org and by invitation/)
})

function invite({ db }: TestAuth, email: string) {
  const user = { email, name: '', google_id: null, credits: 5, is_active: true }
  const created_at = new Date()
  return db
    .insertInto('users')
    .values({ ...user, issuer: null, subject: null, created_at })
    .execute()
}

async function emails({ db }: TestAuth): Promise<string[]> {
  const users = await db.selectFrom('users').select('email').execute()
  return users.map(({ email }) => email)
}
