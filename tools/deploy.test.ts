/** The files in deploy/ fit the product, and pass their own validators where these are installed. */
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))
const folder = join(root, 'deploy')
const files = readdirSync(folder)
const read = (name: string) => readFileSync(join(folder, name), 'utf8')
const units = files.filter((name) => name.endsWith('.service'))

function isInstalled(program: string): boolean {
  return spawnSync(program, ['--version'], { stdio: 'ignore' }).status === 0
}

function complaintsOf(program: string, args: string[]): string {
  const { status, stdout, stderr } = spawnSync(program, args, { cwd: folder, encoding: 'utf8' })
  return status === 0 ? '' : `${program} ${args.join(' ')}:\n${stdout}${stderr}`
}

/** What belongs to others: Node, PostgreSQL's image, systemd. */
const notOurs = new Set(['NODE_ENV', 'POSTGRES_USER', 'POSTGRES_DB', 'POSTGRES_PASSWORD'])

test('every setting that a file of deploy/ names is one of the product', () => {
  const settings = [
    ...readFileSync(join(root, 'README.md'), 'utf8').matchAll(/^\| `([A-Z_]+)` \|/gm),
  ]
  const known = new Set([...settings.map(([, name]) => name), ...notOurs])
  const named = files.flatMap((name) =>
    [
      ...read(name).matchAll(/^ *(?:- \{ name: )?(?:ENV |Environment=)?([A-Z]+_[A-Z_]+)[:=,]/gm),
    ].map(([, setting]) => `${name}: ${setting}`),
  )
  expect(named.length).toBeGreaterThan(15)
  expect(named.filter((one) => !known.has(one.split(': ')[1] ?? ''))).toEqual([])
})

test('the board of Grafana asks for metrics that there are', () => {
  const metrics = readFileSync(
    join(root, 'apps/server/src/platform/metrics/open-metrics.ts'),
    'utf8',
  )
  const board: { panels: { targets: { expr: string }[] }[] } = JSON.parse(
    read('grafana-board.json'),
  )
  const asked = board.panels.flatMap(({ targets }) =>
    targets.flatMap(({ expr }) => expr.match(/pkdex_[a-z_]+/g) ?? []),
  )
  const names = new Set(asked.map((name) => name.replace(/_(count|sum|bucket)$/, '')))
  expect([...names].filter((name) => !metrics.includes(`'${name}'`))).toEqual([])
  expect(names.size).toBeGreaterThanOrEqual(4)
})

test.skipIf(!isInstalled('systemd-analyze'))('systemd accepts the units', () => {
  const verify = (unit: string) => complaintsOf('systemd-analyze', ['verify', '--man=no', unit])
  // It cannot find a program that this machine has elsewhere, or a user that only the target has.
  const complaints = units
    .map(verify)
    .filter((complaint) => !/is not executable|User/.test(complaint))
  expect(complaints.join('')).toBe('')
})
