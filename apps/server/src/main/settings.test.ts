import { expect, test } from 'vitest'
import { ConfigError, readConfig, settingsTable } from './settings.ts'

test('SPEC 11.1: without any setting the server is for this machine only, with its own database', () => {
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
  ['WORKERS', '0'],
  ['ADMIN_EMAIL', 'admin'],
  ['ADMIN_PASSWORD', 'short'],
  ['DEV_IDENTITY', 'yes'],
])('SPEC 11.2: %s=%s is refused with the name of the setting', (name, value) => {
  expect(() => readConfig({ [name]: value })).toThrow(new RegExp(`^${name}`))
  expect(() => readConfig({ [name]: value })).toThrow(ConfigError)
})

test('every wrong setting is named at once, and secrets are not repeated', () => {
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

test('SPEC 12.15: with GOOGLE_CLIENT_ID Google signs people in, on any address', () => {
  const { identity } = readConfig({ HOST: '0.0.0.0', GOOGLE_CLIENT_ID: 'id', DEV_IDENTITY: 'on' })
  expect(identity).toMatchObject({ kind: 'google', clientId: 'id' })
})

test('RATE_LIMIT=off switches the limit off, a number sets it', () => {
  expect(readConfig({ RATE_LIMIT: 'off' }).rateLimit).toBeNull()
  expect(readConfig({ RATE_LIMIT: '60' }).rateLimit).toBe(60)
})

test('the table of settings has every default, and a sentence for each', () => {
  expect(settingsTable.map(({ name }) => name)).toContain('PAGE_CLOSE_GRACE_MS')
  for (const { meaning } of settingsTable) expect(meaning).toMatch(/\.$/)
})
