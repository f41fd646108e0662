/** Deleting an account deletes everything, and cannot happen by mistake, with an API key, or for another user. */
import { afterAll, expect, test } from 'vitest'
import { openTestSession, type TestSession } from '#test/factories.ts'
import { inTransaction } from '#server/platform/db/transaction.ts'
import { mintKey } from '#server/auth/keys.ts'
import { openTestProduct } from '#test/open-test-product.ts'

const t = await openTestProduct()
afterAll(() => t.close())

test('SPEC 23.5: deleting an account deletes all its data and no other user’s', async () => {
  const [user, other] = [await open(), await open()]
  const session = await mint(user, 'session')
  for (const { headers } of [user, other]) await t.upload(headers, 'drug_smiles', 'a.txt', 'CCO a')
  const confirm = (await emailOf(user)).toUpperCase()
  const answer = await leave(user.headers, confirm)
  expect(answer.statusCode).toBe(200)
  expect(await filesOf(user)).toBe(0)
  expect(await filesOf(other)).toBe(1)
  for (const headers of [user.headers, { 'api-key': session }]) {
    const { statusCode } = await t.app.inject({ url: '/dta/credits', headers })
    expect(statusCode).toBe(401)
  }
  const logged = await t.db
    .selectFrom('audit_log')
    .select(['administrator', 'action'])
    .where('subject', '=', `user ${user.userId}`)
    .execute()
  expect(logged).toEqual([{ administrator: 'user', action: 'delete user' }])
})

test('a wrong confirmation email deletes nothing', async () => {
  const [user, other] = [await open(), await open()]
  for (const confirm of ['', 'yes', await emailOf(other)]) {
    const answer = await leave(user.headers, confirm)
    expect(answer.statusCode).toBe(400)
    expect(answer.json().message).toContain('Nothing was deleted.')
  }
  expect(
    (await t.app.inject({ method: 'DELETE', url: '/account', headers: user.headers })).statusCode,
  ).toBe(400)
  expect(await emailOf(user)).toContain('@')
})

test('an API key deletes no account', async () => {
  const user = await open()
  const key = await mint(user, 'programmatic')
  const answer = await leave({ 'api-key': key }, await emailOf(user))
  expect(answer.statusCode).toBe(403)
  expect(await emailOf(user)).toContain('@')
})

function open(): Promise<TestSession> {
  return openTestSession(t.db, { now: t.clock.now() })
}

function mint({ userId }: TestSession, kind: 'session' | 'programmatic'): Promise<string> {
  return inTransaction(t.db, (trx) => mintKey(trx, { userId, kind, now: t.clock.now() }))
}

async function emailOf({ headers }: TestSession): Promise<string> {
  return (await t.app.inject({ method: 'POST', url: '/dta/login', headers })).json().email
}

function leave(headers: Record<string, string>, confirm: string) {
  return t.app.inject({ method: 'DELETE', url: '/account', headers, payload: { confirm } })
}

async function filesOf({ userId }: TestSession): Promise<number> {
  const files = t.db.selectFrom('files').select('id').where('user_id', '=', userId)
  return (await files.execute()).length
}
