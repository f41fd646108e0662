import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { openTestApp, type TestApp } from './open-test-app.ts'
import { WAITING_MAX, WAITING_MAX_PER_CALLER } from './shed-load.ts'

let t: TestApp
let answerAll = Promise.withResolvers<void>()
let arrived = 0
beforeEach(async () => {
  answerAll = Promise.withResolvers<void>()
  arrived = 0
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
afterEach(() => t.close())

const callAs = (key: string) => t.app.inject({ url: '/slow', headers: { 'API-Key': key } })

test('beyond a bounded number of waiting calls the next is answered 503 at once, with when to come back', async () => {
  const waiting = Array.from({ length: WAITING_MAX }, (_, at) => callAs(`key-${at % 3}`))
  await vi.waitFor(() => expect(arrived).toBe(WAITING_MAX), 50_000)
  const refused = await callAs('key-of-a-fourth')
  expect([refused.statusCode, refused.headers['retry-after']]).toEqual([503, '2'])
  expect(refused.json().code).toBe('unavailable')
  expect((await t.app.inject({ url: '/healthz' })).statusCode).toBe(200)
  answerAll.resolve()
  const answers = await Promise.all(waiting)
  expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(new Set([200]))
  expect((await callAs('key-of-a-fourth')).statusCode).toBe(200)
})

test('one caller does not take all of them: others are answered', async () => {
  const waiting = Array.from({ length: WAITING_MAX_PER_CALLER }, () => callAs('greedy'))
  await vi.waitFor(() => expect(arrived).toBe(WAITING_MAX_PER_CALLER), 50_000)
  expect((await callAs('greedy')).statusCode).toBe(503)
  const other = callAs('other')
  await vi.waitFor(() => expect(arrived).toBe(WAITING_MAX_PER_CALLER + 1), 50_000)
  answerAll.resolve()
  const answers = await Promise.all([...waiting, other])
  expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(new Set([200]))
})
