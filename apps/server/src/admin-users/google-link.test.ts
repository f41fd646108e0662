import { afterAll, expect, test } from 'vitest'
import { openTestAuth } from '#test/open-test-auth.ts'
import { createInvitation } from './invitations.ts'
import { createUser, readUser, updateUser } from './service.ts'

const t = await openTestAuth()
afterAll(() => t.close())

const action = () => ({ administrator: 'admin@lab.example', now: t.clock.now() })

const invite = (email: string, googleId: string | null = null) =>
  createUser(t.db, action(), {
    email,
    googleId,
    password: '',
    name: '',
    is_active: true,
    credits: 7,
  })

const signIn = async (sub: string, email: string) =>
  t.signIn(await t.token({ sub, email, hd: 'example.org' }))

const usersOf = (email: string) =>
  t.db
    .selectFrom('users')
    .innerJoin('identities', 'identities.user_id', 'users.id')
    .select(['users.id', 'subject'])
    .where('users.email', '=', email)
    .execute()

test('SPEC 12.6: signing in with the invited email links the account and keeps its credits', async () => {
  const invited = await invite('grace@example.org')
  expect((await signIn('google-grace', 'grace@example.org')).status).toBe(200)
  expect(await usersOf('grace@example.org')).toEqual([{ id: invited._id, subject: 'google-grace' }])
  expect(await readUser(t.db, invited._id)).toMatchObject({ credits: 7, googleId: 'google-grace' })
})

test('a Google ID entered by an administrator links that account, whatever its email', async () => {
  const invited = await invite('office@example.org', 'google-hedy')
  await signIn('google-hedy', 'hedy@example.org')
  expect(await usersOf('office@example.org')).toEqual([{ id: invited._id, subject: 'google-hedy' }])
  expect(await usersOf('hedy@example.org')).toEqual([])
})

test('changing the Google ID ends the former owner’s sessions and links the new account', async () => {
  const { _id: userId } = await invite('shared@example.org')
  const { key } = await signIn('google-first', 'shared@example.org')
  await updateUser(t.db, { ...action(), userId }, { googleId: 'google-second' })
  const login = { method: 'POST', url: '/dta/login', headers: { 'api-key': key } } as const
  expect((await t.app.inject(login)).statusCode).toBe(401)
  await signIn('google-second', 'second@example.org')
  expect(await usersOf('shared@example.org')).toEqual([{ id: userId, subject: 'google-second' }])
  await signIn('google-first', 'shared@example.org')
  const found = new Map(
    (await usersOf('shared@example.org')).map((user) => [user.subject, user.id]),
  )
  expect(found.get('google-second')).toBe(userId)
  expect(found.has('google-first')).toBe(true)
  expect(found.size).toBe(2)
})

const linkFor = (userId: string) => createInvitation(t.db, { ...action(), userId })
const openLink = async (code: string, sub: string, email: string) =>
  t.signIn(await t.token({ sub, email }), '127.0.0.1', code)
const refusal = {
  status: 403,
  message:
    'This invitation link was used, replaced or has expired. Ask your administrator for a new one.',
}

test('SPEC 25.5: an invitation link makes any verified Google account the invited user, once', async () => {
  const { _id: userId } = await invite('ada@university.example')
  const { code } = await linkFor(userId)
  const together = await Promise.all(
    ['google-ada', 'google-eve'].map((sub) => openLink(code, sub, 'somebody@elsewhere.example')),
  )
  expect(together.filter(({ status }) => status === 200)).toHaveLength(1)
  expect(together.find(({ status }) => status !== 200)).toMatchObject(refusal)
  expect(await readUser(t.db, userId)).toMatchObject({
    email: 'ada@university.example',
    credits: 7,
    googleId: expect.stringMatching(/^google-(ada|eve)$/),
  })
  expect(await usersOf('somebody@elsewhere.example')).toEqual([])
  await expect(linkFor(userId)).rejects.toThrow(
    'This user can sign in already, or has a Google ID.',
  )
})

test('an invitation link does not work after seven days, or once a newer one was created', async () => {
  const { _id: userId } = await invite('grace@university.example')
  const first = await linkFor(userId)
  const second = await linkFor(userId)
  expect(await openLink(first.code, 'google-g', 'g@x.example')).toMatchObject(refusal)
  t.clock.advance(7 * 24 * 3_600_000)
  expect(second.expires_at).toBe(t.clock.now().toISOString())
  expect(await openLink(second.code, 'google-g', 'g@x.example')).toMatchObject(refusal)
  expect(await usersOf('g@x.example')).toEqual([])
})

test('an existing user signs in as before and does not use up the link', async () => {
  const { _id: userId } = await invite('lise@university.example')
  await signIn('google-known', 'known@example.org')
  const { code } = await linkFor(userId)
  expect((await openLink(code, 'google-known', 'known@example.org')).status).toBe(200)
  expect((await readUser(t.db, userId)).googleId).toBeNull()
  expect((await openLink(code, 'google-lise', 'lise@gmail.com')).status).toBe(200)
  expect((await readUser(t.db, userId)).googleId).toBe('google-lise')
})

test('the link of a deactivated user is refused, and works once the user is active again', async () => {
  const { _id: userId } = await invite('emmy@university.example')
  const { code } = await linkFor(userId)
  await updateUser(t.db, { ...action(), userId }, { is_active: false })
  expect((await openLink(code, 'google-emmy', 'emmy@x.example')).status).toBe(403)
  await updateUser(t.db, { ...action(), userId }, { is_active: true })
  expect((await openLink(code, 'google-emmy', 'emmy@x.example')).status).toBe(200)
})
