import type { FastifyRequest } from 'fastify'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { openRawCall } from '#test/open-raw-call.ts'
import { openTestApp, type TestApp } from '#test/open-test-app.ts'
import { callerOf, noteCaller } from './caller.ts'
import { WAITING_MAX, WAITING_MAX_PER_CALLER } from './shed-load.ts'

let t: TestApp
let answerAll = Promise.withResolvers<void>()
let arrived = 0
/** How long authenticating the greedy caller takes. */
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
        fastify.post('/open', async () => ({}))
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

test('SPEC 24.6: beyond the limit of waiting requests the next gets 503 immediately, with Retry-After', async () => {
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

test('one caller cannot use all places: others are served', async () => {
  const waiting = Array.from({ length: WAITING_MAX_PER_CALLER }, () => callAs('greedy'))
  await vi.waitFor(() => expect(arrived).toBe(WAITING_MAX_PER_CALLER), 50_000)
  expect((await callAs('greedy')).statusCode).toBe(503)
  const other = callAs('other')
  await vi.waitFor(() => expect(arrived).toBe(WAITING_MAX_PER_CALLER + 1), 50_000)
  answerAll.resolve()
  const answers = await Promise.all([...waiting, other])
  expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(new Set([200]))
})

test('requests still being authenticated count towards the caller’s limit', async () => {
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

test('a request whose caller disconnected counts until its handler ends', async () => {
  const origin = await t.app.listen({ port: 0, host: '127.0.0.1' })
  const caller = new AbortController()
  const abandoned = Array.from({ length: WAITING_MAX_PER_CALLER }, () =>
    fetch(`${origin}/slow`, { headers: { 'API-Key': 'greedy' }, signal: caller.signal }),
  )
  await vi.waitFor(() => expect(arrived).toBe(WAITING_MAX_PER_CALLER), 50_000)
  caller.abort()
  await Promise.allSettled(abandoned)
  await vi.waitFor(async () => {
    const connections = await new Promise((resolve) =>
      t.app.server.getConnections((_error, count) => resolve(count)),
    )
    expect(connections).toBe(0)
  })
  expect((await callAs('greedy')).statusCode).toBe(503)
  answerAll.resolve()
  await vi.waitFor(async () => expect((await callAs('greedy')).statusCode).toBe(200))
})

test('attack: unfinished bodies, each with an invented key, take no place from others', async () => {
  await t.app.listen({ port: 0, host: '127.0.0.1' })
  const begun = Array.from({ length: WAITING_MAX + 50 }, (_, at) =>
    openRawCall(
      t.app,
      [
        'POST /open HTTP/1.1',
        `api-key: invented-${at}`,
        'content-type: application/json',
        'content-length: 200',
      ],
      '{',
    ),
  )
  await vi.waitFor(async () => {
    const connections = await new Promise((resolve) =>
      t.app.server.getConnections((_error, count) => resolve(count)),
    )
    expect(connections).toBe(begun.length)
  })
  answerAll.resolve()
  for (const key of ['greedy', 'other']) expect((await callAs(key)).statusCode).toBe(200)
  for (const { socket } of begun) socket.destroy()
})

test('attack: requests of unknown callers take no place from signed-in users', async () => {
  const invented = Array.from({ length: WAITING_MAX }, (_, at) => callAs(`invented-${at}`))
  await vi.waitFor(() => expect(arrived).toBe(WAITING_MAX), 50_000)
  expect((await callAs('invented too')).statusCode).toBe(503)
  // Signed-in users behind the same address are refused only while that many requests wait for nothing but their key.
  const signedIn = t.app.inject({
    url: '/slow',
    headers: { 'API-Key': 'greedy' },
    remoteAddress: '10.0.0.2',
  })
  await vi.waitFor(() => expect(arrived).toBe(WAITING_MAX + 1), 10_000)
  answerAll.resolve()
  expect((await signedIn).statusCode).toBe(200)
  await Promise.all(invented)
})

test('attack: a request that only calls itself an upload counts like any other', async () => {
  const headers = { 'API-Key': 'greedy', 'content-type': 'multipart/form-data; boundary=b' }
  const waiting = Array.from({ length: WAITING_MAX_PER_CALLER + 20 }, () =>
    t.app.inject({ url: '/slow', headers }),
  )
  await vi.waitFor(() => expect(arrived).toBe(WAITING_MAX_PER_CALLER), 50_000)
  answerAll.resolve()
  const statuses = (await Promise.all(waiting)).map(({ statusCode }) => statusCode)
  expect(statuses.filter((status) => status === 503)).toHaveLength(20)
})
