import { expect, test } from 'vitest'
import { refuse, serveCalls } from '#web/test/calls.ts'
import { readKey, storeKey } from './session-key.ts'
import { readSession, signIn, signOut, startSession, validateSession } from './session.ts'

const account = { email: 'ada@example.org', name: 'Ada' }
const welcome = () => Response.json(account)

test('SPEC 3.1: the session key is kept in browser storage under API-key', () => {
  storeKey('pk-1')
  expect(localStorage.getItem('API-key')).toBe('pk-1')
})

test('SPEC 4.1: a stored key is validated at start, and until then the user is not signed in', async () => {
  storeKey('pk-1')
  const calls = serveCalls({ 'POST /dta/login': welcome })
  const started = startSession()
  expect(readSession()).toEqual({ status: 'checking' })
  await started
  expect(readSession()).toEqual({ status: 'signed-in', key: 'pk-1', ...account })
  expect(calls.map(({ name, headers }) => [name, headers.get('API-Key')])).toEqual([
    ['POST /dta/login', 'pk-1'],
  ])
})

test('without a key no request is sent', async () => {
  const calls = serveCalls({})
  await startSession()
  expect(readSession()).toEqual({ status: 'anonymous', message: null })
  expect(calls).toEqual([])
})

test.each([
  [401, 'Unknown key.', 'Session expired. Please login again.'],
  [403, undefined, 'Session expired. Please login again.'],
  [403, 'This account is deactivated.', 'This account is deactivated.'],
])(
  'SPEC 4.2, 16.6: a key refused with %d and “%s” is removed, and the page says “%s”',
  async (status, sentence, message) => {
    storeKey('pk-old')
    serveCalls({ 'POST /dta/login': () => refuse(status, sentence) })
    await startSession()
    expect(readKey()).toBeNull()
    expect(readSession()).toEqual({ status: 'anonymous', message })
  },
)

test('a refused key that another tab has replaced does not sign anyone out', async () => {
  storeKey('pk-old')
  serveCalls({
    'POST /dta/login': ({ headers }) => {
      if (headers.get('API-Key') !== 'pk-old') return welcome()
      storeKey('pk-new')
      return refuse(401, 'Unknown key.')
    },
  })
  await startSession()
  expect(readSession()).toEqual({ status: 'signed-in', key: 'pk-new', ...account })
})

test.each([
  ['no network', {}, 0],
  ['a server in trouble', { 'POST /dta/login': () => refuse(503) }, 503],
  ['too many requests', { 'POST /dta/login': () => refuse(429, 'Wait a minute.') }, 429],
])('SPEC 4.1: %s during validation keeps the key', async (_, handlers, code) => {
  storeKey('pk-1')
  serveCalls(handlers)
  await startSession()
  expect(readSession()).toMatchObject({ status: 'unverified', error: { status: code } })
  expect(readKey()).toBe('pk-1')

  serveCalls({ 'POST /dta/login': welcome })
  await startSession()
  expect(readSession().status).toBe('signed-in')
})

test('a page that wakes up without a network keeps its content', async () => {
  await signInAs('pk-1')
  serveCalls({})
  await validateSession()
  expect(readSession().status).toBe('signed-in')
})

test('SPEC 7.3: an ID token is exchanged for a key, and the key claimed for this page', async () => {
  const calls = await signInAs('pk-2')
  expect(calls.map(({ name, body }) => [name, body])).toEqual([
    ['POST /connection/verify-google', { id_token: 'token' }],
    ['POST /dta/login', null],
  ])
  expect(readKey()).toBe('pk-2')
  expect(readSession()).toEqual({ status: 'signed-in', key: 'pk-2', ...account })
})

test('a key that cannot be used is not stored', async () => {
  serveCalls({
    'POST /connection/verify-google': () => Response.json({ api_key: 'pk-3' }),
    'POST /dta/login': () => refuse(403),
  })
  await expect(signIn('token')).rejects.toMatchObject({ status: 403 })
  expect(readKey()).toBeNull()
})

test('SPEC 4.3, SPEC 7.2: logout clears the key immediately and sends both logouts, without a page id', async () => {
  await signInAs('pk-4')
  const calls = serveCalls({
    'POST /dta/logout': () => Response.json({ message: 'ok' }),
    'POST /file_manager/logout': () => Response.json({ message: 'ok' }),
  })
  const leaving = signOut()
  expect(readKey()).toBeNull()
  expect(readSession()).toEqual({ status: 'anonymous', message: null })
  await leaving
  expect(calls.map(({ name }) => name)).toEqual(['POST /dta/logout', 'POST /file_manager/logout'])
  for (const { headers } of calls) {
    expect(headers.get('API-Key')).toBe('pk-4')
    expect(headers.get('X-Page-Id')).toBeNull()
  }
})

async function signInAs(key: string) {
  const calls = serveCalls({
    'POST /connection/verify-google': () => Response.json({ api_key: key }),
    'POST /dta/login': welcome,
  })
  await signIn('token')
  return calls
}
