import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { openTestApp, type TestApp } from './open-test-app.ts'
import { WAITING_MAX } from './shed-load.ts'

let t: TestApp
let answerAll = Promise.withResolvers<void>()
let arrived = 0
beforeAll(async () => {
  t = await openTestApp({
    features: () => [
      ({ fastify }) => {
        fastify.get('/slow', async () => {
          arrived++
          await answerAll.promise
          return {}
        })
      },
    ],
  })
})
afterAll(() => t.close())

test('beyond a bounded number of waiting calls the next is answered 503 at once, with when to come back', async () => {
  const waiting = Array.from({ length: WAITING_MAX }, () => t.app.inject({ url: '/slow' }))
  await vi.waitFor(() => expect(arrived).toBe(WAITING_MAX), 50_000)
  const refused = await t.app.inject({ url: '/slow' })
  expect([refused.statusCode, refused.headers['retry-after']]).toEqual([503, '2'])
  expect(refused.json().code).toBe('unavailable')
  expect((await t.app.inject({ url: '/healthz' })).statusCode).toBe(200)
  answerAll.resolve()
  const answers = await Promise.all(waiting)
  expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(new Set([200]))
  answerAll = Promise.withResolvers()
  answerAll.resolve()
  expect((await t.app.inject({ url: '/slow' })).statusCode).toBe(200)
})
