/** npm run backup and npm run admin, run as a user would. */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'pkdex-console-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function call(program: 'admin' | 'backup', ...args: string[]) {
  const file = fileURLToPath(new URL(`${program}.ts`, import.meta.url))
  const env = { PATH: process.env['PATH'], DATA_DIR: join(folder, 'typo') }
  return spawnSync(process.execPath, [file, ...args], { cwd: folder, env, encoding: 'utf8' })
}

test.each([
  ['backup', ['backup', 'copy']],
  ['admin', ['list']],
] as const)(
  'npm run %s refuses a DATA_DIR without a database and creates none',
  (program, args) => {
    const { status, stdout, stderr } = call(program, ...args)
    expect(stdout).toBe('')
    expect(stderr.trim()).toBe(
      `DATA_DIR ${join(folder, 'typo')} contains no pKdex database. Set DATA_DIR to the folder that pKdex uses.`,
    )
    expect(status).toBe(1)
    expect(readdirSync(folder)).toEqual([])
  },
)

test('npm run backup prints its usage for --help, and refuses names that look like options', () => {
  const help = call('backup', 'backup', '--help')
  expect(help.status).toBe(0)
  expect(help.stdout).toContain('Usage: npm run backup -- <target>')
  const refused = call('backup', 'backup', '--copy')
  expect(refused.status).toBe(1)
  expect(refused.stderr).toContain('Usage: npm run backup')
  expect(existsSync(join(folder, '--copy'))).toBe(false)
})

test('npm run admin prints its usage for --help', () => {
  const { status, stdout } = call('admin', '--help')
  expect(status).toBe(0)
  expect(stdout).toContain('Usage: npm run admin -- <command>')
})
