/** Every test file is run, and by one project only. */
import { spawnSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))

/** The project of each test file, as Vitest lists them. */
function listTests(): { file: string; projectName: string }[] {
  const vitest = join(root, 'node_modules/vitest/vitest.mjs')
  // On PostgreSQL, and in each suite, some files are left out on purpose.
  const { PKDEX_TEST_DATABASE_URL: _, PKDEX_SUITE: __, ...env } = process.env
  const { stdout, stderr } = spawnSync(
    process.execPath,
    [vitest, 'list', '--filesOnly', '--json'],
    { cwd: root, env, encoding: 'utf8' },
  )
  if (!stdout.startsWith('[')) throw new Error(stderr)
  return JSON.parse(stdout)
}

const listed = listTests()

test('each test file belongs to exactly one project', () => {
  const files = globSync('**/*.test.{ts,tsx}', {
    cwd: root,
    exclude: (path) => /(?:^|\/)(?:node_modules|dist|\.[^/]+)(?:\/|$)/.test(path),
  })
  expect(files.length).toBeGreaterThan(250)
  expect(listed.map(({ file }) => relative(root, file)).toSorted()).toEqual(files.toSorted())
})

test('a component test that replaces or reloads modules has modules of its own', () => {
  const shared = listed.filter(({ projectName }) => projectName === 'web')
  const changing = shared.filter(({ file }) =>
    /\bvi\.(?:mock|doMock|resetModules)\(/.test(readFileSync(file, 'utf8')),
  )
  expect(shared.length).toBeGreaterThan(50)
  expect(changing.map(({ file }) => relative(root, file))).toEqual([])
})
