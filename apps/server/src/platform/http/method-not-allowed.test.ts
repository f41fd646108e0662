import { endpoint, ErrorBody } from '@pkdex/contract'
import { afterAll, expect, test } from 'vitest'
import { z } from 'zod'
import { openTestApp } from '#test/open-test-app.ts'
import { openRoute } from './route.ts'

const base = {
  auth: 'none',
  summary: 'For the test.',
  answer: z.object({ ok: z.boolean() }),
} as const
const named = endpoint({ ...base, method: 'GET', path: '/dta/things/:name' })
const create = endpoint({ ...base, method: 'POST', path: '/dta/things' })
const list = endpoint({ ...base, method: 'GET', path: '/dta/things' })

const t = await openTestApp({
  features: () => [
    (app) => {
      for (const one of [named, create, list]) openRoute(app, one, async () => ({ ok: true }))
    },
  ],
})
afterAll(() => t.close())

test.each([
  ['PUT', '/dta/things/x%2Fy?page=1', 'GET'],
  ['DELETE', '/dta/things', 'POST, GET'],
  ['PATCH', '/dta/things/', 'POST, GET'],
] as const)(
  '%s %s, which the endpoint does not have, returns 405 with %s',
  async (method, url, allowed) => {
    const answer = await t.app.inject({ method, url })
    expect([answer.statusCode, answer.headers['allow']]).toEqual([405, allowed])
    expect(ErrorBody.parse(answer.json())).toMatchObject({
      code: 'method_not_allowed',
      message: `This endpoint does not accept ${method}; use ${allowed}.`,
    })
  },
)

test('an address without any endpoint returns 404, whatever the method', async () => {
  const answer = await t.app.inject({ method: 'PUT', url: '/dta/things/x/y' })
  expect([answer.statusCode, answer.json().code]).toEqual([404, 'not_found'])
})
