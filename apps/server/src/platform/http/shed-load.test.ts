import type { FastifyRequest } from 'fastify'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { openTestApp, type TestApp } from './open-test-app.ts'
import { callerOf, noteCaller } from './route.ts'
import { WAITING_MAX, WAITING_MAX_PER_CALLER } from './shed-load.ts'

let t: TestApp
let answerAll = Promise.withResolvers<void>()
let arrived = 0
/** Of the greedy one: how long it takes to find out whose key it is. */
let identified = Promise.resolve()
beforeEach(async () => {
  answerAll = Promise.withResolvers<void>()
  identified = Promise.resolve()
  arrived = 0
  t = await openTestApp({
    features: () => [
      ({ fastify }) => {
        const onRequest = async (request: FastifyRequest) => {
          if (callerOf(request) !== 'greedy') return
          await identified
          noteCaller(request, { user: 'the greedy one', key: '1' })
        }
        fastify.get('/slow', { onRequest }, async () => {
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

test('nor with calls whose key is still looked up beside those whose user is known', async () => {
  const waiting = Array.from({ length: WAITING_MAX_PER_CALLER }, () => callAs('greedy'))
  await vi.waitFor(() => expect(arrived).toBe(WAITING_MAX_PER_CALLER), 50_000)
  const looked = Promise.withResolvers<void>()
  identified = looked.promise
  const more = Array.from({ length: WAITING_MAX }, () => callAs('greedy'))
  const other = callAs('other')
  await vi.waitFor(() => expect(arrived).toBe(WAITING_MAX_PER_CALLER + 1), 10_000)
  answerAll.resolve()
  expect((await other).statusCode).toBe(200)
  looked.resolve()
  await Promise.all([...waiting, ...more])
})
