/** Attack: deleting an account and signing up again, for the initial credits. */
import { expect, test } from 'vitest'
import { openTestAdministrator } from '#test/factories.ts'
import { openTestProduct, type TestProduct } from '#test/open-test-product.ts'

const email = 'ada@example.org'

test('SPEC 23.6: signing up again restores the remaining credits, whoever deleted the account', async () => {
  const t = await openTestProduct({ INITIAL_CREDITS: '100' })
  try {
    const { headers } = await openTestAdministrator(t.db, t.clock.now())
    const administer = (method: 'PUT' | 'DELETE', url: string) =>
      t.app.inject({ method, url, headers })

    const first = await signUp(t)
    expect(first.credits).toBe(100)
    await administer('PUT', `/admin/users/${first.userId}/credits?credits=7.5`)
    const payload = { confirm: email }
    const left = { method: 'DELETE', url: '/account', headers: first.headers, payload } as const
    expect((await t.app.inject(left)).statusCode).toBe(200)

    const second = await signUp(t)
    expect(second.credits).toBe(7.5)
    await administer('PUT', `/admin/users/${second.userId}/credits?credits=0`)
    expect((await administer('DELETE', `/admin/users/${second.userId}`)).statusCode).toBe(200)

    expect((await signUp(t)).credits).toBe(0)
    expect((await signUp(t, 'bob@example.org')).credits).toBe(100)
    const kept = await t.db.selectFrom('deleted_people').selectAll().execute()
    expect(kept).toHaveLength(1)
    expect(JSON.stringify(kept)).not.toContain('ada')
  } finally {
    await t.close()
  }
})

async function signUp(t: TestProduct, address = email) {
  const post = async (url: string, payload: object) => {
    const headers = { host: 'localhost:8000' }
    return (await t.app.inject({ method: 'POST', url, payload, headers })).json()
  }
  const { id_token } = await post('/dev/identity/token', { email: address, name: 'Ada' })
  const { api_key } = await post('/connection/verify-google', { id_token })
  const headers = { 'api-key': api_key }
  const { credits } = (await t.app.inject({ url: '/dta/credits', headers })).json()
  const user = await t.db
    .selectFrom('users')
    .select('id')
    .where('email', '=', address)
    .executeTakeFirstOrThrow()
  return { headers, credits, userId: user.id }
}
