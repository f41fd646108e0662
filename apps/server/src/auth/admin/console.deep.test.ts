import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { bucketsOf, noteFailure, refuseAfterFailures } from '#server/auth/failed-sign-ins.ts'
import { isPassword } from './passwords.ts'
import { markAsMade } from '#server/platform/db/embedded/open-folder.ts'
import { lockFolder } from '#server/platform/db/embedded/folder-lock.ts'
import type { OpenDatabase } from '#server/platform/db/open.ts'
import { openTestDatabase } from '#test/open-test-database.ts'
import { runCommand } from './console.ts'
import { openTestAdministrator } from '#test/factories.ts'

let database: OpenDatabase
beforeEach(async () => {
  database = await openTestDatabase()
})
afterEach(() => database.close())

let made = 0
const run = (...args: string[]) =>
  runCommand(args, {
    db: database.db,
    now: new Date('2026-11-21T08:00:00Z'),
    makePassword: () => `password number ${++made}`,
  })

const passwordOf = (printed: string) => /password {2}(.+) {3}\(shown/.exec(printed)?.[1] ?? ''

const hashOf = async (email: string) =>
  (
    await database.db
      .selectFrom('administrators')
      .select('password_hash')
      .where('email', '=', email)
      .executeTakeFirstOrThrow()
  ).password_hash

test('SPEC 26.9: an administrator is created, listed, and signs in with the printed password', async () => {
  expect(await run('list')).toBe('No administrators yet.')
  const password = passwordOf(await run('create', 'ada@lab.example'))
  expect(await isPassword(password, await hashOf('ada@lab.example'))).toBe(true)
  await expect(run('create', 'ADA@lab.example')).rejects.toThrow('already')
  expect(await run('list')).toBe('ada@lab.example   since 2026-11-21')
})

test('resetting a password ends the old one, every session and the rate limit', async () => {
  const { id, email } = await openTestAdministrator(database.db)
  const buckets = bucketsOf('administrator', email, '10.0.0.1').slice(0, 1)
  const now = new Date()
  for (let failure = 0; failure < 10; failure++) await noteFailure(database.db, buckets, now)
  await expect(refuseAfterFailures(database.db, buckets, now)).rejects.toThrow('Too many')
  const password = passwordOf(await run('reset-password', email.toUpperCase()))
  await refuseAfterFailures(database.db, buckets, now)
  expect(await isPassword(password, await hashOf(email))).toBe(true)
  const keys = database.db.selectFrom('administrator_keys').where('administrator_id', '=', id)
  expect(await keys.selectAll().execute()).toEqual([])
  await expect(run('reset-password', 'nobody@lab.example')).rejects.toThrow('No administrator')
})

test('the last administrator cannot be deleted, not even by two simultaneous deletions', async () => {
  const all = [await openTestAdministrator(database.db), await openTestAdministrator(database.db)]
  const outcomes = await Promise.allSettled(all.map(({ email }) => run('delete', email)))
  const refused = outcomes.filter((outcome) => outcome.status === 'rejected')
  expect(refused).toHaveLength(1)
  expect(String(refused[0]?.reason)).toContain('is the last administrator and cannot be deleted')
  expect(await database.db.selectFrom('administrators').selectAll().execute()).toHaveLength(1)
})

test('console commands are in the audit log, without passwords', async () => {
  await run('create', 'ada@lab.example')
  const entries = await database.db.selectFrom('audit_log').selectAll().orderBy('id').execute()
  expect(entries[0]).toMatchObject({
    administrator: 'server',
    action: 'create administrator',
    subject: 'administrator ada@lab.example',
  })
  expect(JSON.stringify(entries)).not.toContain('password number')
})

test.each([[], ['create'], ['create', 'ada'], ['create', 'a@b.org', 'c'], ['promote', 'a@b.org']])(
  'an invalid command prints its usage: %j',
  async (...args) => {
    await expect(run(...args)).rejects.toThrow('Usage: npm run admin')
  },
)

test('while a server uses the embedded database, the command reports it and changes nothing', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'pkdex-console-'))
  await mkdir(join(folder, 'database'))
  await markAsMade(join(folder, 'database'))
  const lock = lockFolder(folder)
  const main = fileURLToPath(new URL('../../main/admin.ts', import.meta.url))
  const { PATH, HOME, TMPDIR } = process.env
  const child = spawn(process.execPath, [main, 'list'], {
    env: { PATH, HOME, TMPDIR, DATA_DIR: folder },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let complaint = ''
  child.stderr.on('data', (chunk: Buffer) => (complaint += chunk.toString()))
  expect(await once(child, 'close')).toEqual([1, null])
  expect(complaint).toContain('is in use by another pKdex process. Stop it')
  lock.release()
  await rm(folder, { recursive: true })
})
