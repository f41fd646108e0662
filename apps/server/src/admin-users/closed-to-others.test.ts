import * as contract from '@pkdex/contract'
import { afterAll, expect, test } from 'vitest'
import { openTestAdministrator } from '#test/open-test-administrator.ts'
import { openTestSession } from '#test/open-test-session.ts'
import { openTestAdmin } from '#test/open-test-admin.ts'

const t = await openTestAdmin()
afterAll(() => t.close())

/** From the contract, so that no endpoint is missed. */
const everyCall = Object.values<unknown>(contract)
  .filter(isAdminCall)
  .map(({ method, path }) => [method, path.replaceAll(/:\w+/g, 'x')] as const)

function isAdminCall(value: unknown): value is contract.Endpoint {
  return typeof value === 'object' && value !== null && 'auth' in value && value.auth === 'admin'
}

test('the list of endpoints is not empty', () => {
  expect(everyCall.length).toBeGreaterThanOrEqual(18)
})

test('a token and a key of different administrators: the token identifies the caller', async () => {
  const other = await openTestAdministrator(t.db)
  const own = await t.call('GET', '/admin/auth/api-key')
  const headers = { ...other.headers, 'x-api-key': own.json().api_key }
  const send = (email: string) =>
    t.app.inject({ url: '/admin/audit', headers: { ...headers, 'x-admin-email': email } })
  expect((await send(other.email)).statusCode).toBe(200)
  expect((await send(t.administrator.email)).statusCode).toBe(403)
})

test.each(everyCall)(
  'SPEC 6.4: %s %s is refused to everyone but administrators',
  async (method, url) => {
    const user = await openTestSession(t.db)
    const send = (headers: Record<string, string>) => t.app.inject({ method, url, headers })
    const strangers = [{}, { 'x-admin-email': t.administrator.email }, user.headers]
    for (const headers of [...strangers, { 'x-api-key': user.key }]) {
      const answer = await send(headers)
      expect([answer.statusCode, contract.ErrorBody.parse(answer.json()).code]).toEqual([
        401,
        'not_signed_in',
      ])
    }
    const other = { ...t.administrator.headers, 'x-admin-email': 'other@example.org' }
    expect((await send(other)).statusCode).toBe(403)
  },
)
