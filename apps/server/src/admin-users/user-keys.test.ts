import { randomUUID } from 'node:crypto'
import { type AdminUser, createUser, createUserKey, listUserKeys } from '@pkdex/contract'
import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { openTestSession } from '#test/factories.ts'
import { openTestAdmin } from '#test/open-test-admin.ts'

const t = await openTestAdmin()
afterAll(() => t.close())

async function addUser(fields: Partial<AdminUser> = {}): Promise<AdminUser> {
  const payload = { email: `${randomUUID()}@example.org`, ...fields }
  return createUser.answer.parse((await t.call('POST', '/admin/users', payload)).json())
}

const balanceBy = (key: string) =>
  t.app.inject({ method: 'GET', url: '/dta/credits', headers: { 'api-key': key } })

test('SPEC 7.20, 6.6: an API key is returned once, works, and does not affect other keys', async () => {
  const { _id } = await addUser({ credits: 3 })
  const make = async () =>
    createUserKey.answer.parse((await t.call('POST', `/admin/users/${_id}/api-key`)).json())
  const [first, second] = [await make(), await make()]
  for (const { key, prefix } of [first, second]) {
    expect((await balanceBy(key)).json().credits).toBe(3)
    expect([key.startsWith(prefix), key.length - prefix.length]).toEqual([true, 37])
  }
  const listed = await t.call('GET', `/admin/users/${_id}/api-keys`)
  const { keys } = listUserKeys.answer.parse(listed.json())
  expect(new Set(keys.map(({ prefix }) => prefix))).toEqual(new Set([first.prefix, second.prefix]))
  expect(listed.body).not.toContain(first.key)
  const audit = await t.db.selectFrom('audit_log').selectAll().execute()
  expect(JSON.stringify(audit)).not.toContain(first.key)
})

test('the list of keys shows the last use; a revoked key stops working immediately', async () => {
  const { _id } = await addUser()
  const url = `/admin/users/${_id}/api-keys`
  const { key } = (await t.call('POST', `/admin/users/${_id}/api-key`)).json()
  const read = async () => listUserKeys.answer.parse((await t.call('GET', url)).json()).keys
  expect((await read())[0]?.last_used_at).toBeNull()
  await sql`update keys set created_at = created_at - interval '2 hours',
    last_used_at = last_used_at - interval '2 hours' where user_id = ${_id}`.execute(t.db)
  await balanceBy(key)
  const [used] = await read()
  expect(Date.now() - Date.parse(used?.last_used_at ?? '')).toBeLessThan(60_000)
  const other = await addUser()
  const foreign = await t.call('DELETE', `/admin/users/${other._id}/api-keys/${used?.id}`)
  expect(foreign.statusCode).toBe(404)
  expect((await t.call('DELETE', `${url}/${used?.id}`)).statusCode).toBe(200)
  expect((await balanceBy(key)).statusCode).toBe(401)
  expect(await read()).toEqual([])
  for (const id of [used?.id, 'nothing']) {
    expect((await t.call('DELETE', `${url}/${id}`)).statusCode).toBe(404)
  }
})

test('a revoked key is reported as revoked; an unknown key is not', async () => {
  const { _id } = await addUser()
  const { key } = (await t.call('POST', `/admin/users/${_id}/api-key`)).json()
  const [{ id } = { id: '' }] = listUserKeys.answer.parse(
    (await t.call('GET', `/admin/users/${_id}/api-keys`)).json(),
  ).keys
  await t.call('DELETE', `/admin/users/${_id}/api-keys/${id}`)
  const revoked = await balanceBy(key)
  expect([revoked.statusCode, revoked.json()]).toMatchObject([
    401,
    {
      code: 'not_signed_in',
      message: 'This API key was revoked. Create a new one, or ask your administrator.',
    },
  ])
  const madeUp = await balanceBy(`${key}x`)
  expect([madeUp.statusCode, madeUp.json().message]).toEqual([401, 'This API key is not valid.'])
})

test('creating a key for a deactivated or unknown user is refused', async () => {
  const { _id } = await addUser({ is_active: false })
  expect((await t.call('POST', `/admin/users/${_id}/api-key`)).statusCode).toBe(409)
  const nobody = await t.call('POST', `/admin/users/${randomUUID()}/api-key`)
  expect([nobody.statusCode, nobody.json().detail]).toEqual([404, 'User not found'])
})

test('SPEC 16.6, 17.6: deactivating a user ends sessions and keys immediately and says why; activating restores none', async () => {
  const { userId, key: session } = await openTestSession(t.db)
  const { key } = (await t.call('POST', `/admin/users/${userId}/api-key`)).json()
  const url = `/admin/users/${userId}`
  expect((await t.call('PUT', url, { is_active: false })).json().is_active).toBe(false)
  for (const refused of [await balanceBy(session), await balanceBy(key)]) {
    expect([refused.statusCode, refused.json()]).toMatchObject([
      403,
      { code: 'forbidden', message: 'This account is deactivated. Contact your administrator.' },
    ])
  }
  await t.call('PUT', url, { is_active: true })
  expect((await balanceBy(session)).statusCode).toBe(401)
  expect((await balanceBy(key)).statusCode).toBe(401)
})
