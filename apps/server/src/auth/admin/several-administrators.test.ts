/** Administrators on the page: listing, adding, deleting, and changing one's password. */
import { randomUUID } from 'node:crypto'
import { createAdministrator, listAdministrators } from '@pkdex/contract'
import { afterAll, expect, test } from 'vitest'
import { openTestApp } from '#test/open-test-app.ts'
import { openTestAdministrator, TEST_PASSWORD, type TestAdministrator } from '#test/factories.ts'
import { adminAuthRoutes } from './routes.ts'

const t = await openTestApp({
  features: ({ db, clock }) => [adminAuthRoutes({ db, now: clock.now })],
})
const own = await openTestAdministrator(t.db, t.clock.now())
afterAll(() => t.close())

const anEmail = () => `${randomUUID()}@lab.example`
const NEW_PASSWORD = 'another long enough one'

test('SPEC 26.6: an administrator adds another, whose password is returned only once and works', async () => {
  const email = anEmail()
  const made = createAdministrator.answer.parse((await send('POST', '', { email })).json())
  expect(made.email).toBe(email)
  expect(made.password.length).toBeGreaterThanOrEqual(20)
  expect((await signIn(email, made.password)).statusCode).toBe(200)
  const listed = await send('GET', '')
  expect(listed.body).not.toContain(made.password)
  const { administrators } = listAdministrators.answer.parse(listed.json())
  expect(administrators.map(({ email: one, is_you }) => [one, is_you])).toEqual(
    expect.arrayContaining([
      [own.email, true],
      [email, false],
    ]),
  )
  const again = await send('POST', '', { email: email.toUpperCase() })
  expect(again.statusCode).toBe(409)
  expect(await actionsOn(email)).toEqual([
    { administrator: own.email, action: 'create administrator' },
    { administrator: email, action: 'sign in' },
  ])
})

test('a deleted administrator is refused immediately; administrators cannot delete themselves', async () => {
  const other = await openTestAdministrator(t.db, t.clock.now())
  const path = `/${encodeURIComponent(other.email.toUpperCase())}`
  expect((await send('DELETE', path)).statusCode).toBe(200)
  const { headers } = other
  expect((await t.app.inject({ url: '/admin/administrators', headers })).statusCode).toBe(401)
  expect((await send('DELETE', path)).statusCode).toBe(404)
  const self = await send('DELETE', `/${encodeURIComponent(own.email)}`)
  expect([self.statusCode, self.json().message]).toEqual([
    409,
    'You cannot delete your own account. Ask another administrator.',
  ])
  expect((await send('GET', '')).statusCode).toBe(200)
})

test('SPEC 26.7: changing the password ends the other sessions but not the current one', async () => {
  const one = await openTestAdministrator(t.db, t.clock.now())
  const { access_token: elsewhere } = (await signIn(one.email, TEST_PASSWORD)).json()
  expect((await change(one, TEST_PASSWORD, NEW_PASSWORD)).statusCode).toBe(200)
  expect((await t.app.inject(listAs(one.headers))).statusCode).toBe(200)
  const other = { authorization: `Bearer ${elsewhere}` }
  expect((await t.app.inject(listAs(other))).statusCode).toBe(401)
  expect((await signIn(one.email, TEST_PASSWORD)).statusCode).toBe(401)
  expect((await signIn(one.email, NEW_PASSWORD)).statusCode).toBe(200)
  const actions = (await actionsOn(one.email)).map(({ action }) => action)
  expect(actions).toContain('change own password')
})

test('a wrong current password changes nothing, is in the audit log, and is limited to ten attempts', async () => {
  const one = await openTestAdministrator(t.db, t.clock.now())
  for (let attempt = 0; attempt < 10; attempt += 1) {
    const wrong = await change(one, 'a guess', NEW_PASSWORD)
    expect([wrong.statusCode, wrong.json().message]).toEqual([
      400,
      'The current password is wrong.',
    ])
  }
  expect((await change(one, TEST_PASSWORD, NEW_PASSWORD)).statusCode).toBe(429)
  const actions = (await actionsOn(one.email)).map(({ action }) => action)
  expect(actions).toEqual(Array.from({ length: 10 }, () => 'fail to change own password'))
  t.clock.advance(16 * 60_000)
  expect((await change(one, TEST_PASSWORD, NEW_PASSWORD)).statusCode).toBe(200)
})

test('a new password of eleven characters is refused', async () => {
  expect((await change(own, TEST_PASSWORD, 'x'.repeat(11))).statusCode).toBe(400)
  expect((await signIn(own.email, TEST_PASSWORD)).statusCode).toBe(200)
})

function send(method: 'GET' | 'POST' | 'DELETE', path: string, payload?: object) {
  const url = `/admin/administrators${path}`
  return t.app.inject({ method, url, headers: own.headers, ...(payload && { payload }) })
}

function listAs(headers: Record<string, string>) {
  return { url: '/admin/administrators', headers }
}

function change({ headers }: TestAdministrator, current: string, next: string) {
  const payload = { current_password: current, new_password: next }
  return t.app.inject({ method: 'PUT', url: '/admin/auth/password', headers, payload })
}

function signIn(username: string, password: string) {
  const payload = { username, password }
  return t.app.inject({ method: 'POST', url: '/admin/auth/token', payload })
}

function actionsOn(email: string) {
  return t.db
    .selectFrom('audit_log')
    .select(['administrator', 'action'])
    .where('subject', '=', `administrator ${email}`)
    .orderBy('id')
    .execute()
}
