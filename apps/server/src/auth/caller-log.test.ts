/** The log identifies callers by ids only: no key, token or email. */
import { listUsers, readUsage } from '@pkdex/contract'
import pino from 'pino'
import { expect, test } from 'vitest'
import { readTestConfig } from '#test/open-test-app.ts'
import { openTestDatabase } from '#test/open-test-database.ts'
import { buildApp } from '#server/platform/http/build-app.ts'
import { openTestAdministrator, openTestSession } from '#test/factories.ts'
import { adminRoute, route } from './guarded-routes.ts'

test('a log line names the user and key, or the administrator, of the request', async () => {
  const lines: string[] = []
  const database = await openTestDatabase()
  const app = await buildApp({
    config: readTestConfig(),
    db: database.db,
    log: pino({ level: 'info' }, { write: (line) => void lines.push(line) }),
    now: () => new Date(),
    features: [
      (to) => route(to, readUsage, async () => ({ bytes_used: 0, bytes_max: 1 })),
      (to) => adminRoute(to, listUsers, async () => []),
    ],
  })
  const user = await openTestSession(database.db)
  const administrator = await openTestAdministrator(database.db)
  const key = await database.db
    .selectFrom('keys')
    .select('id')
    .where('user_id', '=', user.userId)
    .executeTakeFirstOrThrow()
  await app.inject({ url: readUsage.path, headers: user.headers })
  await app.inject({ url: listUsers.path, headers: administrator.headers })
  await app.inject({ url: readUsage.path, headers: { 'api-key': 'pkdex_s_invented' } })
  await app.close()
  await database.close()
  const answered = lines
    .map((line) => JSON.parse(line))
    .filter(({ msg }) => msg === 'answered')
    .map(({ path, status, user: by, key: withKey, administrator: admin }) => {
      return { path, status, by, withKey, admin }
    })
  expect(answered).toEqual([
    { path: readUsage.path, status: 200, by: user.userId, withKey: key.id },
    { path: listUsers.path, status: 200, admin: administrator.id },
    { path: readUsage.path, status: 401 },
  ])
  const parsed = lines.map((line) => JSON.parse(line))
  expect(parsed.find(({ status }) => status === 401)).toMatchObject({ address: '127.0.0.1' })
  expect(parsed.find(({ msg }) => msg === 'refused')).toMatchObject({
    reason: 'Session expired. Please login again.',
  })
  const log = lines.join('')
  for (const secret of [user.key, user.email, administrator.token, administrator.email]) {
    expect(log).not.toContain(secret)
  }
})
