import { listUsers } from '@pkdex/contract'
import { expect, test } from 'vitest'
import { callAdmin } from '#web/lib/admin-api.ts'
import { refuse, serveCalls } from '#web/test/calls.ts'
import { readAdminCredentials, storeAdminCredentials } from './admin-credentials.ts'
import { readAdminSession, signInAdmin, signOutAdmin, startAdminSession } from './admin-session.ts'

const stored = { token: 'token-1', apiKey: 'key-1', email: 'admin@lab.example' }
const nothing = { token: null, apiKey: null, email: null }
const restoring = 'GET /admin/users?page=1&page_size=1'
const token = () =>
  Response.json({ access_token: 'token-2', token_type: 'bearer', expires_in: 3600 })

test('SPEC 3.10: the session is stored under admin-token, admin-api-key and admin-email', () => {
  storeAdminCredentials(stored)
  expect(localStorage.getItem('admin-token')).toBe('token-1')
  expect(localStorage.getItem('admin-api-key')).toBe('key-1')
  expect(localStorage.getItem('admin-email')).toBe('admin@lab.example')
})

test('SPEC 4.18: a stored session is restored by requesting the user list', async () => {
  storeAdminCredentials(stored)
  const calls = serveCalls({ [restoring]: () => Response.json([]) })
  const started = startAdminSession()
  expect(readAdminSession()).toEqual({ status: 'checking' })
  await started
  expect(calls.map(({ name }) => name)).toEqual([restoring])
  expect(readAdminSession()).toEqual({
    status: 'signed-in',
    email: 'admin@lab.example',
    keyWarning: null,
  })
})

test('SPEC 7.12: a request carries the token, the key and the email', async () => {
  storeAdminCredentials(stored)
  const calls = serveCalls({ [restoring]: () => Response.json([]) })
  await startAdminSession()
  const headers = calls[0]?.headers
  expect(headers?.get('Authorization')).toBe('Bearer token-1')
  expect(headers?.get('X-API-Key')).toBe('key-1')
  expect(headers?.get('X-Admin-Email')).toBe('admin@lab.example')
  expect(headers?.get('API-Key')).toBeNull()
})

test.each([401, 403])(
  'SPEC 4.18: credentials refused with %d are cleared, and the page says why',
  async (status) => {
    storeAdminCredentials(stored)
    serveCalls({ [restoring]: () => refuse(status, 'no') })
    await startAdminSession()
    expect(readAdminCredentials()).toEqual(nothing)
    expect(readAdminSession()).toEqual({
      status: 'anonymous',
      message: 'Admin session expired. Please login again.',
    })
  },
)

test.each([
  ['no network', {}, 0],
  ['a server in trouble', { [restoring]: () => refuse(503) }, 503],
])('SPEC 4.18: %s during the restore keeps the credentials', async (_, handlers, code) => {
  storeAdminCredentials(stored)
  serveCalls(handlers)
  await startAdminSession()
  expect(readAdminSession()).toMatchObject({ status: 'unverified', error: { status: code } })
  expect(readAdminCredentials()).toEqual(stored)
})

test('without credentials nothing is requested', async () => {
  const calls = serveCalls({})
  await startAdminSession()
  expect(readAdminSession().status).toBe('anonymous')
  expect(calls).toEqual([])
})

test.each(['api_key', 'key'])(
  'SPEC 4.19, 7.13, 7.14: login obtains a token, then a key returned as %s',
  async (field) => {
    const calls = serveCalls({
      'POST /admin/auth/token': token,
      'GET /admin/auth/api-key': () => Response.json({ [field]: 'key-2' }),
    })
    await signInAdmin('admin@lab.example', 'a long password')
    expect(calls.map(({ name, body }) => [name, body])).toEqual([
      ['POST /admin/auth/token', { username: 'admin@lab.example', password: 'a long password' }],
      ['GET /admin/auth/api-key', null],
    ])
    expect(calls[0]?.headers.get('Authorization')).toBeNull()
    expect(calls[1]?.headers.get('Authorization')).toBe('Bearer token-2')
    expect(readAdminCredentials()).toEqual({
      token: 'token-2',
      apiKey: 'key-2',
      email: 'admin@lab.example',
    })
  },
)

test('SPEC 4.19: a missing key is only a warning', async () => {
  serveCalls({
    'POST /admin/auth/token': token,
    'GET /admin/auth/api-key': () => refuse(500, 'Something went wrong on our side.'),
  })
  await signInAdmin('admin@lab.example', 'a long password')
  expect(readAdminSession()).toMatchObject({
    status: 'signed-in',
    keyWarning: 'API error Something went wrong on our side.',
  })
  expect(readAdminCredentials()).toMatchObject({ token: 'token-2', apiKey: null })
})

test('a refused login stores nothing', async () => {
  serveCalls({ 'POST /admin/auth/token': () => refuse(401, 'no') })
  await expect(signInAdmin('admin@lab.example', 'wrong')).rejects.toMatchObject({ status: 401 })
  expect(readAdminCredentials()).toEqual(nothing)
})

test('SPEC 4.17: Logout clears the credentials immediately and has the server revoke them', async () => {
  await signIn()
  const calls = serveCalls({ 'POST /admin/auth/logout': () => Response.json({ message: 'ok' }) })
  const leaving = signOutAdmin()
  expect(readAdminCredentials()).toEqual(nothing)
  expect(readAdminSession()).toEqual({ status: 'anonymous', message: null })
  await leaving
  expect(calls[0]?.headers.get('X-API-Key')).toBe('key-1')
})

test('Logout works without a network', async () => {
  await signIn()
  serveCalls({})
  await signOutAdmin()
  expect(readAdminSession().status).toBe('anonymous')
})

test('a refused request ends the session only if the user list is refused as well', async () => {
  await signIn()
  const refused = { 'GET /admin/users?page=2': () => refuse(401, 'no') }
  serveCalls({ ...refused, [restoring]: () => Response.json([]) })
  await expect(callAdmin(listUsers, { query: { page: 2 } })).rejects.toThrow('API error no')
  await settled()
  expect(readAdminSession().status).toBe('signed-in')

  serveCalls({ ...refused, [restoring]: () => refuse(401) })
  await expect(callAdmin(listUsers, { query: { page: 2 } })).rejects.toThrow('API error no')
  await settled()
  expect(readAdminSession()).toMatchObject({
    message: 'Admin session expired. Please login again.',
  })
})

test('several simultaneous refusals leave one message', async () => {
  await signIn()
  serveCalls({ 'GET /admin/users?page=2': () => refuse(401), [restoring]: () => refuse(401) })
  const call = () => callAdmin(listUsers, { query: { page: 2 } }).catch(() => undefined)
  await Promise.all([call(), call(), call()])
  await settled()
  await call()
  expect(readAdminSession()).toMatchObject({
    message: 'Admin session expired. Please login again.',
  })
})

test('signing out in another tab signs out here', async () => {
  await signIn()
  storeAdminCredentials(nothing)
  dispatchEvent(new StorageEvent('storage', { key: 'admin-token', newValue: null }))
  await settled()
  expect(readAdminSession()).toEqual({ status: 'anonymous', message: null })
})

async function signIn() {
  storeAdminCredentials(stored)
  serveCalls({ [restoring]: () => Response.json([]) })
  await startAdminSession()
}

function settled() {
  return new Promise((resolve) => setImmediate(resolve))
}
