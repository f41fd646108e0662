/** Which tests run a second time on PostgreSQL: too many cost minutes, too few leave it unproved. */
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { findDatabaseTests } from './database-tests.mjs'
import { root } from './prepare.mjs'

test('a test that reaches the database by its imports is found, whatever the distance', () => {
  const source = mkdtempSync(join(tmpdir(), 'server-'))
  const write = (name: string, text: string) => writeFileSync(join(source, name), text)
  mkdirSync(join(source, 'db'))
  write('db/open-test-database.ts', 'process.env.PKDEX_TEST_DATABASE_URL')
  write('db/direct.test.ts', "import { open } from './open-test-database.ts'")
  write('app.ts', "import { open } from '#server/db/open-test-database.ts'\nimport './circle.ts'")
  write('circle.ts', "import './app.ts'")
  write('far.test.ts', "const {\n open\n} = await import('./app.ts')")
  write('near.test.ts', "import pg from 'pg'\nimport { thing } from './gone.ts'")
  const names = findDatabaseTests(source).map((file) => file.slice(source.length + 1))
  expect(names).toEqual(['db/direct.test.ts', 'far.test.ts'])
})

test('the server has many such tests, and some that are none', () => {
  const found = findDatabaseTests(join(root, 'apps/server/src'))
  expect(found.length).toBeGreaterThan(20)
  expect(found.some((file) => file.endsWith('crash.test.ts'))).toBe(true)
  expect(found.some((file) => file.endsWith('names.test.ts'))).toBe(false)
})
