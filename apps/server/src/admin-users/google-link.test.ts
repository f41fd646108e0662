import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestAuth, type TestAuth } from '#server/auth/user/open-test-auth.ts'
import { createUser, readUser, updateUser } from './service.ts'

let t: TestAuth
beforeAll(async () => {
  t = await openTestAuth()
})
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
  t.db.selectFrom('users').select(['id', 'subject']).where('email', '=', email).execute()

test('SPEC 12.6: whoever signs in with the invited e-mail is linked, and keeps the given credits', async () => {
  const invited = await invite('grace@example.org')
  expect((await signIn('google-grace', 'grace@example.org')).status).toBe(200)
  expect(await usersOf('grace@example.org')).toEqual([{ id: invited._id, subject: 'google-grace' }])
  expect(await readUser(t.db, invited._id)).toMatchObject({ credits: 7, googleId: 'google-grace' })
})

test('a Google ID that an administrator gives links its owner, whatever the e-mail', async () => {
  const invited = await invite('office@example.org', 'google-hedy')
  await signIn('google-hedy', 'hedy@example.org')
  expect(await usersOf('office@example.org')).toEqual([{ id: invited._id, subject: 'google-hedy' }])
  expect(await usersOf('hedy@example.org')).toEqual([])
})

test('another Google ID lets the former owner go, sessions included, and links the new one', async () => {
  const { _id: userId } = await invite('shared@example.org')
  const { key } = await signIn('google-first', 'shared@example.org')
  await updateUser(t.db, { ...action(), userId }, { googleId: 'google-second' })
  const login = { method: 'POST', url: '/dta/login', headers: { 'api-key': key } } as const
  expect((await t.app.inject(login)).statusCode).toBe(401)
  await signIn('google-second', 'second@example.org')
  expect(await usersOf('shared@example.org')).toEqual([{ id: userId, subject: 'google-second' }])
  await signIn('google-first', 'shared@example.org')
  const [, newcomer] = await usersOf('shared@example.org')
  expect(newcomer).toMatchObject({ subject: 'google-first' })
  expect(newcomer?.id).not.toBe(userId)
})
