/** Who can sign up: everyone, people of some domains, or only invited users. */
import { afterEach, expect, test } from 'vitest'
import { openTestAuth, type TestAuth } from '#test/open-test-auth.ts'
import { addTestPerson } from '#test/factories.ts'

let t: TestAuth | undefined
afterEach(async () => {
  await t?.close()
  t = undefined
})

test('SPEC 25.1: with invitations only, an uninvited person is refused with a reason and no user is created', async () => {
  t = await openTestAuth({ SIGN_UP: 'invited' })
  const refused = await t.signIn(await t.token({ email: 'eve@gmail.com' }))
  expect(refused).toMatchObject({
    status: 403,
    message:
      'Sign-up is by invitation only, and eve@gmail.com has not been invited. Ask your administrator.',
  })
  expect(await emails(t)).toEqual([])
  const config = await t.app.inject('/connection/config')
  expect(config.json()).toMatchObject({ is_by_invitation: true })
})

test('a user created by an administrator can sign in repeatedly', async () => {
  t = await openTestAuth({ SIGN_UP: 'invited' })
  await addTestPerson(t.db, 'ada@gmail.com')
  expect((await t.signIn(await t.token({ email: 'Ada@gmail.com' }))).status).toBe(200)
  expect((await t.signIn(await t.token({ email: 'ada@elsewhere.org' }))).status).toBe(200)
  expect(await emails(t)).toEqual(['ada@gmail.com'])
})

test('SPEC 25.2: an invitation is not accepted for an address that Google does not manage', async () => {
  t = await openTestAuth({ SIGN_UP: 'invited' })
  await addTestPerson(t.db, 'ada@example.org')
  const refused = await t.signIn(await t.token({ email: 'ada@example.org', sub: '117' }))
  expect(refused.status).toBe(403)
  expect(refused.message).toBe(
    'You are invited, but Google does not manage ada@example.org, so it does not prove who you are. Ask your administrator for an invitation link.',
  )
  const vouched = await t.token({ email: 'ada@example.org', hd: 'example.org' })
  expect((await t.signIn(vouched)).status).toBe(200)
})

test('SPEC 25.3: people of a listed domain can sign up; others, and those who only claim the domain, cannot', async () => {
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
  expect(message).toMatch(/^Sign-up is limited to lab.org, example.org and invited users/)
})

async function emails({ db }: TestAuth): Promise<string[]> {
  const users = await db.selectFrom('users').select('email').execute()
  return users.map(({ email }) => email)
}
