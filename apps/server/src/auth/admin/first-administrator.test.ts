import { afterAll, expect, test } from 'vitest'
import { openTestDatabase } from '#test/open-test-database.ts'
import { makeFirstAdministrator } from './administrators.ts'
import { hashPassword, isPassword } from './passwords.ts'

const database = await openTestDatabase()
afterAll(() => database.close())

test('SPEC 11.3: simultaneous first starts create one administrator, and only its printed password works', async () => {
  const account = { email: 'admin@example.org', password: undefined }
  const starts = [1, 2, 3].map(() => makeFirstAdministrator(database.db, account, new Date()))
  const made = (await Promise.all(starts)).filter((administrator) => administrator !== null)
  expect(made).toEqual([{ email: 'admin@example.org', password: expect.any(String) }])
  const kept = await database.db.selectFrom('administrators').selectAll().execute()
  expect(kept).toHaveLength(1)
  expect(kept[0]?.password_hash).not.toContain(made[0]?.password)
  expect(await isPassword(made[0]?.password ?? '', kept[0]?.password_hash ?? '')).toBe(true)
  expect(await makeFirstAdministrator(database.db, account, new Date())).toBeNull()
  const noted = await database.db.selectFrom('audit_log').select(['action', 'subject']).execute()
  expect(noted).toEqual([
    { action: 'create administrator', subject: 'administrator admin@example.org' },
  ])
})

test('SPEC 17.1: passwords are stored with a memory-hard hash and a random salt', async () => {
  const [one, other] = await Promise.all([hashPassword('swordfish'), hashPassword('swordfish')])
  expect(one).toMatch(/^argon2id\$19456\$2\$1\$/)
  expect(one).not.toBe(other)
  expect(await isPassword('swordfish', other)).toBe(true)
  expect(await isPassword('Swordfish', other)).toBe(false)
})
