/** The files in deploy/ fit the product, and pass their own validators if these are installed. */
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
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

/** Variables of other programs: Node, PostgreSQL's image, systemd. */
const notOurs = new Set(['NODE_ENV', 'POSTGRES_USER', 'POSTGRES_DB', 'POSTGRES_PASSWORD'])

test('every setting in deploy/ is a setting of the product', () => {
  const settings = [
    ...readFileSync(join(root, 'docs/operations.md'), 'utf8').matchAll(/^\| `([A-Z_]+)` \|/gm),
  ]
  const known = new Set([...settings.map(([, name]) => name), ...notOurs])
  const named = files.flatMap((name) =>
    [
      ...read(name).matchAll(/^ *(?:- \{ name: )?(?:ENV |Environment=)?([A-Z]+_[A-Z_]+)[:=,]/gm),
    ].map(([, setting]) => `${name}: ${setting}`),
  )
  expect(named.length).toBeGreaterThan(15)
  const settingOf = (one: string) => one.split(': ')[1]?.replace(/_FILE$/, '') ?? ''
  expect(named.filter((one) => !known.has(settingOf(one)))).toEqual([])
})

/** Set by the image, only for the embedded database, or unsafe outside a closed network. */
const notPassedOn = new Set('HOST PORT DATA_DIR DEV_IDENTITY MODEL_DIR'.split(' '))

test.each(['compose.yaml', 'kubernetes.yaml'])('%s passes on every setting', (name) => {
  const page = readFileSync(join(root, 'docs/operations.md'), 'utf8')
  const settings = [...page.matchAll(/^\| `([A-Z_]+)` \|/gm)].map(([, setting = '']) => setting)
  const text = read(name)
  const missing = settings.filter(
    (setting) =>
      !notPassedOn.has(setting) &&
      !new RegExp(
        String.raw`^ +(- \{ name: )?${setting}(_FILE)?[:,]|literal=${setting}=`,
        'm',
      ).test(text),
  )
  expect(missing).toEqual([])
})

test.each([
  ['compose.yaml', 'SIGN_UP: ${SIGN_UP:-invited}'],
  ['kubernetes.yaml', 'SIGN_UP: invited'],
  ['pkdex.env', 'SIGN_UP=invited'],
])('%s admits invited users only by default', (name, line) => {
  expect(read(name)).toContain(line)
})

test('only the processes that serve requests get the first administrator’s password', () => {
  const compose = read('compose.yaml')
  const [shared = '', services = ''] = compose.split(/^services:$/m)
  const [api = '', worker = ''] = services.split(/^  worker:$/m)
  const isGiven = (part: string) => part.includes('ADMIN_PASSWORD_FILE: ')
  expect([shared, api, worker].map(isGiven)).toEqual([false, true, false])
  expect(worker).toMatch(/^    secrets: \[database-url\]$/m)
  const [, deployment = ''] = read('kubernetes.yaml').split(
    'kind: Deployment\nmetadata:\n  name: pkdex-worker',
  )
  expect(deployment).toContain('key: DATABASE_URL')
  expect(deployment).not.toMatch(/secretRef|ADMIN_PASSWORD/)
})

test('Kubernetes lets an API or a worker wait for its database as long as the product does', () => {
  const settings = readFileSync(join(root, 'apps/server/src/main/settings.ts'), 'utf8')
  const waitMs = /^const DATABASE_WAIT_MS = ([\d_]+)$/m.exec(settings)?.[1]?.replaceAll('_', '')
  const probes = [...read('kubernetes.yaml').matchAll(/startupProbe:\n((?: {12}.*\n)+)/g)]
  const seconds = probes.map(([, probe = '']) => {
    const numberOf = (name: string) => Number(new RegExp(`${name}: (\\d+)`).exec(probe)?.[1])
    return numberOf('periodSeconds') * numberOf('failureThreshold')
  })
  expect(seconds).toHaveLength(2)
  expect(Math.min(...seconds)).toBeGreaterThan(Number(waitMs) / 1000)
})

test('compose keeps passwords in files, which neither the repository nor the image contains', () => {
  const compose = read('compose.yaml')
  expect(compose).not.toMatch(/^ +\w*(PASSWORD|DATABASE_URL): /m)
  const [, defined = ''] = compose.split(/^secrets:$/m)
  const names = [...defined.matchAll(/^  ([\w-]+):\n    file: \.\/secrets\/\1$/gm)].map(
    ([, name = '']) => name,
  )
  expect(names).toEqual(['admin-password', 'database-password', 'database-url'])
  const used = [...compose.matchAll(/^    secrets: \[(.*)\]$/gm)].flatMap(([, list = '']) =>
    list.split(', '),
  )
  expect([...new Set(used)].toSorted((a, b) => a.localeCompare(b))).toEqual(names)
  const mounted = [...compose.matchAll(/_FILE: \/run\/secrets\/([\w-]+)$/gm)]
  expect(mounted.map(([, name]) => name).filter((name) => !names.includes(name ?? ''))).toEqual([])
  expect(mounted).toHaveLength(3)
  const ignored = (name: string) => readFileSync(join(root, name), 'utf8').split('\n')
  expect(ignored('.gitignore')).toContain('/deploy/secrets/')
  expect(ignored('.dockerignore')).toContain('deploy/secrets')
})

/** Major version of PostgreSQL's client programs in each release of Debian. */
const clients: Record<string, string> = { bookworm: '15', trixie: '17' }

test('pg_dump in the image has the major version of the databases in deploy/', () => {
  const bases = [
    ...read('Containerfile').matchAll(/^FROM docker\.io\/library\/node:[\d.]+-(\w+)-slim/gm),
  ]
  expect(bases).toHaveLength(3)
  const [release = ''] = new Set(bases.map(([, one = '']) => one))
  const servers = ['compose.yaml', 'kubernetes.yaml'].flatMap((name) =>
    [...read(name).matchAll(/image: docker\.io\/library\/postgres:(\d+)-/g)].map(([, one]) => one),
  )
  expect(servers).toEqual([clients[release], clients[release]])
})

test('every service of compose restarts, has a memory limit, and publishes ports on this machine only', () => {
  const [, services = ''] = read('compose.yaml').split(/^services:$/m)
  const [body = ''] = services.split(/^volumes:$/m)
  const each = body.split(/^  (?=\w+:$)/m).slice(1)
  expect(each.map((one) => one.split(':')[0])).toEqual(['database', 'api', 'worker'])
  for (const service of each) {
    expect(service).toMatch(/^    (restart: unless-stopped|<<: \*pkdex)$/m)
    expect(service).toMatch(/^    mem_limit: \d+[mg]$/m)
  }
  expect(read('compose.yaml')).toMatch(/^x-pkdex: &pkdex\n(?:.+\n)*?  restart: unless-stopped$/m)
  const ports = [...body.matchAll(/^ +- '([\d.:]+)'$/gm)].map(([, port]) => port)
  expect(ports).toEqual(['127.0.0.1:8000:8000'])
  const images = [...body.matchAll(/image: (\S+)/g)].map(([, image]) => image)
  expect(images.filter((image) => !/:\d[\w.-]*$/.test(image ?? ''))).toEqual([])
})

test('the image contains only what it needs at run time: production dependencies, one platform, pg_dump', () => {
  const stages = read('Containerfile')
    .split(/^FROM /m)
    .slice(1)
  const [web = '', server = '', image = ''] = stages
  expect(stages).toHaveLength(3)
  expect(web).toContain('npm ci --workspace=@pkdex/web')
  expect(server).toContain('npm ci --omit=dev --workspace=@pkdex/server')
  expect(image).toContain('postgresql-client')
  expect(image).toMatch(/^USER node$/m)
  // Everything that the last stage copies is in the checkout, or is built by an earlier stage.
  const taken = [...image.matchAll(/COPY --from=\w+ ((?:\/pkdex\/\S+ )+)/g)]
    .flatMap(([, paths = '']) => paths.trim().split(' '))
    .map((path) => path.replace('/pkdex/', ''))
  expect(taken.length).toBeGreaterThan(8)
  const isMade = (path: string) => path === 'node_modules' || path === 'apps/web/dist'
  expect(taken.filter((path) => !isMade(path) && !existsSync(join(root, path)))).toEqual([])
  const [, entry = ''] = /^ENTRYPOINT \["node", "(\S+)"\]$/m.exec(image) ?? []
  expect(taken).toContain(entry)
  // It prepares nothing, because the image has no access to an npm registry.
  expect(readFileSync(join(root, entry), 'utf8')).not.toContain('prepare.mjs')
})

test('the Grafana dashboard queries existing metrics', () => {
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
  // Ignored: programs that this machine has elsewhere, and users that exist only on the target.
  const complaints = units
    .map(verify)
    .filter((complaint) => !/is not executable|User/.test(complaint))
  expect(complaints.join('')).toBe('')
})
