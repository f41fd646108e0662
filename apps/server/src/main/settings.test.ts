import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { findMisspelt, findRemoved } from './environment.ts'
import { readConfig, settingsTable } from './settings.ts'
import { OperatorError } from '#server/platform/errors.ts'

test('SPEC 11.1: without settings the server listens on this machine only, with its own database', () => {
  expect(readConfig({})).toMatchObject({
    port: 8000,
    host: '127.0.0.1',
    databaseUrl: undefined,
    identity: { kind: 'development', isExposed: false },
    credits: { initial: 100, perPrediction: 1 },
    uploadBytesMax: 25 * 1024 * 1024,
    pageCloseGraceMs: 30_000,
  })
})

test.each([
  ['PORT', 'http'],
  ['PORT', '70000'],
  ['DATABASE_URL', 'mysql://there'],
  ['INITIAL_CREDITS', '-1'],
  ['CREDITS_PER_PREDICTION', 'free'],
  ['UPLOAD_BYTES_MAX', '0'],
  ['LOG_LEVEL', 'loud'],
  ['ALLOWED_ORIGINS', 'https://a.example/path'],
  ['ALLOWED_ORIGINS', '*'],
  ['RATE_LIMIT', 'none'],
  ['METRICS_PORT', '0.0.0.0'],
  ['METRICS_PORT', 'localhost:70000'],
  ['WORKERS', '0'],
  ['ADMIN_EMAIL', 'admin'],
  ['ADMIN_PASSWORD', 'short'],
  ['DEV_IDENTITY', 'yes'],
])('SPEC 11.2: %s=%s is refused with the name of the setting', (name, value) => {
  expect(() => readConfig({ [name]: value })).toThrow(new RegExp(`^${name}`))
  expect(() => readConfig({ [name]: value })).toThrow(OperatorError)
})

test('all invalid settings are reported together, without repeating secrets', () => {
  const read = () =>
    readConfig({
      PORT: 'x',
      WORKERS: 'y',
      ADMIN_PASSWORD: 'swordfish',
      DATABASE_URL: 'pg://u:pw@h',
    })
  expect(read).toThrow(/PORT "x".*\n[^]*WORKERS "y"/)
  expect(read).not.toThrow(/swordfish|pw@/)
})

test('an empty variable counts as unset', () => {
  expect(readConfig({ PORT: '', GOOGLE_CLIENT_ID: ' ' })).toMatchObject({
    port: 8000,
    identity: { kind: 'development' },
  })
})

test.each([
  { HOST: '0.0.0.0' },
  { HOST: '192.168.1.4' },
  { HOST: '127.0.0.1.example.org' },
  { NODE_ENV: 'production' },
  { TRUST_PROXY: 'on' },
])(
  'SPEC 12.13: with %o and no GOOGLE_CLIENT_ID the server refuses to start and says so',
  (environment) => {
    expect(() => readConfig(environment)).toThrow(/GOOGLE_CLIENT_ID is not set.*does not start/)
  },
)

test('SPEC 12.14: DEV_IDENTITY=on opens the development identity provider beyond loopback, marked as exposed', () => {
  const { identity } = readConfig({ HOST: '0.0.0.0', DEV_IDENTITY: 'on' })
  expect(identity).toEqual({ kind: 'development', isExposed: true })
})

test('SPEC 12.15: with GOOGLE_CLIENT_ID sign-in uses Google, on any address', () => {
  const { identity } = readConfig({ HOST: '0.0.0.0', GOOGLE_CLIENT_ID: 'id', DEV_IDENTITY: 'on' })
  expect(identity).toMatchObject({ kind: 'google', clientId: 'id' })
})

const lab = { name: 'Lab', issuer: 'https://id.lab.example', client_id: 'pkdex' }

test('OIDC_PROVIDERS takes the place of the development sign-in, on any address', () => {
  const settings = {
    HOST: '0.0.0.0',
    PUBLIC_URL: 'https://pkdex.lab.example',
    OIDC_PROVIDERS: JSON.stringify([lab]),
  }
  const { identity, oidc } = readConfig(settings)
  expect(identity).toEqual({ kind: 'none' })
  expect(oidc.providers).toMatchObject([{ name: 'Lab', domains: [], isEmailTrusted: false }])
  expect(() => readConfig({ ...settings, PUBLIC_URL: '' })).toThrow(/needs PUBLIC_URL/)
  expect(() => readConfig({ ...settings, PUBLIC_URL: 'https://lab.example/pkdex' })).toThrow(
    /PUBLIC_URL .* is not valid/,
  )
})

test.each([
  ['{', /^OIDC_PROVIDERS is not valid: write a JSON list$/],
  [JSON.stringify([lab, lab]), /two providers have the same name/],
  [
    JSON.stringify([{ ...lab, issuer: 'http://id.lab.example' }]),
    /0\.issuer: must begin with https/,
  ],
  [JSON.stringify([{ ...lab, client_secret: 's', client_secret_file: 'f' }]), /not both/],
  [JSON.stringify([{ ...lab, client_secret_file: '/nowhere' }]), /client_secret_file: ENOENT/],
  [JSON.stringify([{ ...lab, trust_email: true }]), /trust_email/],
])('OIDC_PROVIDERS=%s is refused', (OIDC_PROVIDERS, reason) => {
  expect(() => readConfig({ OIDC_PROVIDERS, PUBLIC_URL: 'https://lab.example' })).toThrow(reason)
})

test.each([
  ['', undefined],
  ['9400', { host: '127.0.0.1', port: 9400 }],
  ['0.0.0.0:9400', { host: '0.0.0.0', port: 9400 }],
  ['[::]:9400', { host: '::', port: 9400 }],
])('METRICS_PORT=%s serves metrics on %o', (METRICS_PORT, metrics) => {
  expect(readConfig({ METRICS_PORT }).metrics).toEqual(metrics)
})

test('RATE_LIMIT=off disables the limit, a number sets it', () => {
  expect(readConfig({ RATE_LIMIT: 'off' }).rateLimit).toBeNull()
  expect(readConfig({ RATE_LIMIT: '60' }).rateLimit).toBe(60)
})

test('the table of settings has a default and a sentence for each', () => {
  expect(settingsTable).toHaveLength(27)
  for (const { meaning } of settingsTable) expect(meaning).toMatch(/\.$/)
})

test('a secret may come from a file; the variable itself overrides it', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'pkdex-secret-'))
  const path = join(folder, 'password')
  await writeFile(path, 'a password from a file\n')
  const read = (more = {}) => readConfig({ ADMIN_PASSWORD_FILE: path, ...more }).administrator
  expect(read().password).toBe('a password from a file')
  expect(read({ ADMIN_PASSWORD: 'a password as it is' }).password).toBe('a password as it is')
  await rm(folder, { recursive: true })
  expect(() => read()).toThrow(/^ADMIN_PASSWORD_FILE cannot be read: ENOENT/)
})

test('an invalid number is reported as such', () => {
  expect(() => readConfig({ PORT: 'abc' })).toThrow('PORT "abc" is not valid: must be a number')
})

test('SPEC 27.12: a misspelt setting is found, and no other variable', () => {
  const environment = { PORTT: '1', SIGNUP: 'open', WORKER: '2', HOSTNAME: 'x', PATH: '/bin' }
  const known = settingsTable.map(({ name }) => name)
  expect(findMisspelt({ ...environment, PORT: '1', DATABASE_URL_FILE: '/x' }, known)).toEqual([
    ['PORTT', 'PORT'],
    ['SIGNUP', 'SIGN_UP'],
    ['WORKER', 'WORKERS'],
  ])
})

test('SPEC 27.12: a setting of an earlier version is found if it has a value', () => {
  const environment = { WAITING_MAX: '10', SAMPLES_DIR: '', WORKERS: '2', METRICS_HOST: '::' }
  expect(findRemoved(environment)).toEqual(['METRICS_HOST', 'WAITING_MAX'])
})
