/** The audit log of failed administrator sign-ins. */
import { requestAdminToken } from '@pkdex/contract'
import { afterAll, expect, test } from 'vitest'
import { noteFailure } from '#server/auth/failed-sign-ins.ts'
import { openTestApp } from '#test/open-test-app.ts'
import { adminAuthRoutes } from './routes.ts'
import { AUDITED_MAX } from './service.ts'

const t = await openTestApp({
  features: ({ db, clock }) => [adminAuthRoutes({ db, now: clock.now })],
})
afterAll(() => t.close())

const signIn = (username: string, password: string, remoteAddress: string) =>
  t.app.inject({
    method: 'POST',
    url: requestAdminToken.path,
    payload: { username, password },
    remoteAddress,
  })

test('a failed sign-in is in the audit log with account and IP address, without the password', async () => {
  const name = `x${'y'.repeat(250)}\n@lab.example`
  await signIn(name, 'a wrong password', '10.8.0.1')
  const [entry] = await failedSignIns('10.8.0.1')
  expect(entry).toMatchObject({ administrator: 'nobody', after: { address: '10.8.0.1' } })
  expect(entry?.subject).toMatch(/^administrator xy{50,}/)
  expect(entry?.subject.length).toBeLessThan(300)
  expect(JSON.stringify(entry)).not.toContain('a wrong password')
})

test('failed sign-ins cannot flood the audit log, however many accounts and addresses they use', async () => {
  for (let attempt = 0; attempt < AUDITED_MAX; attempt++) {
    const now = t.clock.now()
    await noteFailure(t.db, [{ name: 'administrator audited', max: AUDITED_MAX }], now)
  }
  await signIn('flood@lab.example', 'wrong', '10.8.0.2')
  expect(await failedSignIns('10.8.0.2')).toEqual([])
  t.clock.advance(16 * 60_000)
  await signIn('flood@lab.example', 'wrong', '10.8.0.2')
  expect(await failedSignIns('10.8.0.2')).toHaveLength(1)
})

async function failedSignIns(address: string) {
  const rows = await t.db
    .selectFrom('audit_log')
    .selectAll()
    .where('action', '=', 'fail to sign in')
    .execute()
  return rows.filter(({ after }) => JSON.stringify(after).includes(`"${address}"`))
}
