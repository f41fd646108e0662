import { once } from 'node:events'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, request, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { openTestApp } from '#test/open-test-app.ts'
import { lockFolder } from '#server/platform/db/embedded/folder-lock.ts'
import { checkDisk, examine, toText } from './examine.ts'

const folder = await mkdtemp(join(tmpdir(), 'pkdex-doctor-'))
const closers: (() => unknown)[] = [() => rm(folder, { recursive: true })]
afterAll(async () => {
  for (const close of closers.toReversed()) await close()
})

const t = await openTestApp()
closers.push(() => t.close())
await t.app.listen({ host: '127.0.0.1', port: 0 })
const port = String((t.app.server.address() as AddressInfo).port)

/** A settings environment in which only the given ones can be wrong; the model is checked in tests of its own. */
async function ask(subject: string, environment: Record<string, string>) {
  const findings = await examine({
    DATA_DIR: join(folder, 'new'),
    PORT: '1',
    MODEL_DIR: '/nowhere',
    ...environment,
  })
  return findings
    .filter((one) => one.subject === subject)
    .map(({ state, sentence }) => `${state}: ${sentence}`)
}

async function serve(listener: RequestListener) {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  closers.push(() => {
    server.close()
    server.closeAllConnections()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

test('names that are ignored are problems', async () => {
  expect(await ask('Settings', { PORTT: '1', WEB_DIR: '/x' })).toEqual([
    'problem: PORTT is not a setting and is ignored. Did you mean PORT?',
    'problem: WEB_DIR is no longer a setting and is ignored.',
  ])
})

test('another program on the port, and a server that is not ready, are problems', async () => {
  const other = await serve((_, answer) => answer.end('hello'))
  expect(await ask('Server', { PORT: new URL(other).port })).toEqual([
    `problem: another program uses PORT ${new URL(other).port} (${other}).`,
  ])
  const sick = await serve(({ url }, answer) => {
    if (url === '/healthz') return answer.end('{"status":"alive","version":"1"}')
    return answer.writeHead(503).end('{"message":"The database is not responding."}')
  })
  expect(await ask('Server', { PORT: new URL(sick).port })).toEqual([
    `problem: running at ${sick}, but not ready: The database is not responding.`,
  ])
  expect(await ask('Server', {})).toEqual(['unknown: not running at http://127.0.0.1:1.'])
})

test('a database that cannot be used is a problem, and none is created', async () => {
  expect(await ask('Database', {})).toEqual([
    `unknown: embedded, in DATA_DIR ${folder}/new; there is no pKdex database yet. The first start creates it.`,
  ])
  expect(await ask('Database', { DATABASE_URL: 'postgres://ada:secret@127.0.0.1:1/none' })).toEqual(
    [expect.stringMatching(/^problem: Cannot reach the PostgreSQL server.*ECONNREFUSED/)],
  )
  const copied = join(folder, 'copied')
  await mkdir(join(copied, 'database'), { recursive: true })
  await writeFile(join(copied, 'database', 'PG_VERSION'), '17')
  expect(await ask('Database', { DATA_DIR: copied })).toEqual([
    expect.stringContaining('contains data but not the file pkdex-made'),
  ])
  await writeFile(join(copied, 'database', 'pkdex-made'), '')
  expect(await ask('Database', { DATA_DIR: copied })).toEqual([
    expect.stringMatching(/^problem: .*damaged or incomplete/),
  ])
  const lock = lockFolder(copied)
  expect(await ask('Database', { DATA_DIR: copied })).toEqual([
    `problem: ${copied} is in use by another pKdex process. Stop it, or set a different DATA_DIR.`,
  ])
  lock.release()
})

test('a disk that cannot be written to or is full is a problem', async () => {
  const file = join(folder, 'file')
  await writeFile(file, '')
  expect(await ask('Disk', { DATA_DIR: file })).toEqual([
    `problem: ${file} is not a folder that this user can write to.`,
  ])
  expect(checkDiskAt(1)).toMatch(/^good: \d+ MiB are free/)
  expect(checkDiskAt(2 ** 60)).toMatch(
    /^problem: .*Below \d+ MiB, uploads and predictions are refused\.$/,
  )
  expect(await ask('Disk', { DATABASE_URL: 'postgres://127.0.0.1:1/none' })).toEqual([
    'unknown: the disk of the PostgreSQL server cannot be checked from here.',
  ])
})

function checkDiskAt(diskBytesMin: number) {
  const { state, sentence } = checkDisk({ databaseUrl: undefined, dataDir: folder, diskBytesMin })
  return `${state}: ${sentence}`
}

test('a damaged model is a problem', async () => {
  expect(await ask('Model', {})).toEqual([
    expect.stringMatching(/^problem: MODEL_DIR \/nowhere is not valid: .*model-card\.json/),
  ])
})

test('a provider that is down, or says that it is another one, is a problem', async () => {
  const issuer = await serve((_, answer) => {
    const metadata = { issuer: 'https://another.example', authorization_endpoint: 'https://x.y/z' }
    answer.setHeader('content-type', 'application/json').end(JSON.stringify(metadata))
  })
  const one = (name: string, at: string) => ({ name, issuer: at, client_id: 'pkdex' })
  const environment = {
    PUBLIC_URL: 'http://localhost',
    OIDC_PROVIDERS: JSON.stringify([one('Down', 'http://127.0.0.1:9'), one('Other', issuer)]),
  }
  expect(await ask('Down', environment)).toEqual([
    expect.stringMatching(/^problem: not found at http:\/\/127.0.0.1:9, so nobody can sign in/),
  ])
  expect(await ask('Other', environment)).toEqual([
    expect.stringMatching(/^problem: not found at .*issuer/),
  ])
})

test('keys of Google that cannot be read, and a clock that differs, are problems', async () => {
  const keys = await serve((_, answer) => {
    answer.setHeader('date', new Date(Date.now() + 90_000).toUTCString())
    answer.end('{"keys":[{"kid":"1"}]}')
  })
  const environment = { GOOGLE_CLIENT_ID: 'client', GOOGLE_JWKS_URL: keys }
  expect(await ask('Google', environment)).toEqual([`good: its keys can be read from ${keys}.`])
  expect(await ask('Clock', environment)).toEqual([
    expect.stringMatching(
      /^problem: (89|90) s behind that of Google\. Above 30 s, sign-ins fail\.$/,
    ),
  ])
  const without = { ...environment, GOOGLE_JWKS_URL: 'http://127.0.0.1:9' }
  expect(await ask('Google', without)).toEqual([
    'problem: its keys cannot be read from GOOGLE_JWKS_URL http://127.0.0.1:9, so nobody can sign in with it.',
  ])
  expect(await ask('Clock', without)).toEqual([
    'unknown: not checked: no provider or PostgreSQL server to compare it with.',
  ])
})

/** A reverse proxy in front of the test server. */
const openProxy = (change: (address: string | undefined) => string | undefined) =>
  serve(({ url, headers }, answer) => {
    const { 'x-forwarded-for': given, ...others } = headers
    const changed = change(given as string | undefined)
    const forwarded = changed === undefined ? {} : { 'x-forwarded-for': changed }
    const options = { host: '127.0.0.1', port, path: url, headers: { ...others, ...forwarded } }
    request(options, (back) => back.pipe(answer.writeHead(back.statusCode ?? 0))).end()
  })

test('a reverse proxy that hides, passes on or wrongly adds addresses is a problem', async () => {
  const adds = await openProxy((given) => `${given}, 203.0.113.7`)
  const hides = await openProxy(() => undefined)
  const passesOn = await openProxy((given) => given)
  const through = (publicUrl: string, trust: 'on' | 'off') =>
    ask('Proxy', {
      PORT: port,
      PUBLIC_URL: publicUrl,
      TRUST_PROXY: trust,
      GOOGLE_CLIENT_ID: 'client',
      GOOGLE_JWKS_URL: 'http://127.0.0.1:9',
    })
  expect(await through(adds, 'on')).toEqual([
    `good: ${adds} reaches pKdex, and the proxy states the address of each client.`,
  ])
  const chosen = (at: string) =>
    `problem: TRUST_PROXY is on, but the proxy at ${at} does not add the client's address to X-Forwarded-For, so clients can choose theirs.`
  expect(await through(hides, 'on')).toEqual([chosen(hides)])
  expect(await through(passesOn, 'on')).toEqual([chosen(passesOn)])
  expect(await through(adds, 'off')).toEqual([
    `problem: a proxy at ${adds} sends X-Forwarded-For, but TRUST_PROXY is off, so all users count as one address.`,
  ])
  expect(await through('https://pkdex.example', 'off')).toEqual([
    expect.stringContaining('needs a reverse proxy for https, but TRUST_PROXY is off'),
  ])
  const other = await serve((_, answer) => answer.end('hello'))
  expect(await through(other, 'on')).toEqual([
    `problem: at PUBLIC_URL ${other} something other than pKdex answers.`,
  ])
  expect(await through('http://127.0.0.1:9', 'on')).toEqual([
    'problem: PUBLIC_URL http://127.0.0.1:9 does not answer within 5 s.',
  ])
  expect(await ask('Proxy', { PUBLIC_URL: 'http://pkdex.example' })).toEqual([
    'unknown: http://pkdex.example was not asked, because the server is not running.',
  ])
})

test('the last line counts the problems', () => {
  const problem = { subject: 'Disk', state: 'problem', sentence: 'is full.' } as const
  expect(toText([problem])).toBe('PROBLEM  Disk: is full.\n\n1 problem.')
})
