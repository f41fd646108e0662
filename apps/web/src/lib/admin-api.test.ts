import { createUserKey, listUsers } from '@pkdex/contract'
import { expect, test } from 'vitest'
import { refuse, serveCalls } from '#web/test/calls.ts'
import { adminReason, callAdmin, callAdminPage } from './admin-api.ts'

const path = { params: { userId: 'u1' } }
const name = 'POST /admin/users/u1/api-key'

const failures = [
  ['the detail, where there is one', () => refuse(409, 'It is taken.'), 'API error It is taken.'],
  [
    'status and text otherwise',
    () => new Response('<h1>Bad gateway</h1>', { status: 502 }),
    'API error 502: <h1>Bad gateway</h1>',
  ],
  [
    'the status text when the body is empty',
    () => new Response(null, { status: 503, statusText: 'Service Unavailable' }),
    'API error 503: Service Unavailable',
  ],
] as const

test.each(failures)('SPEC 8.16: a failure shows %s', async (_, answer, message) => {
  serveCalls({ [name]: answer })
  const error = await callAdmin(createUserKey, path).catch((reason: unknown) => reason)
  expect(adminReason(error)).toBe(message)
})

test('a long HTML error is cut', async () => {
  serveCalls({ [name]: () => new Response('x'.repeat(5000), { status: 502 }) })
  const error = await callAdmin(createUserKey, path).catch((reason: unknown) => reason)
  expect(adminReason(error)).toHaveLength('API error 502: '.length + 300)
})

test('no response is distinguished from a refusal', async () => {
  serveCalls({})
  const error = await callAdmin(createUserKey, path).catch((reason: unknown) => reason)
  expect(adminReason(error)).toBe('The server cannot be reached.')
})

test('a response that does not fit the contract is rejected', async () => {
  serveCalls({ [name]: () => Response.json({ secret: 'x' }) })
  const error = await callAdmin(createUserKey, path).catch((reason: unknown) => reason)
  expect(adminReason(error)).toBe('Unexpected response from the server. Reload the page.')
})

test('a page of a list includes the total', async () => {
  serveCalls({
    'GET /admin/users?page=1': () => Response.json([], { headers: { 'X-Total-Count': '100000' } }),
  })
  const { total } = await callAdminPage(listUsers, { query: { page: 1 } })
  expect(total).toBe(100_000)
})
