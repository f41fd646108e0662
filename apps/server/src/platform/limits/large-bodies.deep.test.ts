/** Attack: large JSON bodies that stall, arrive in large numbers, or stop in the middle. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { LARGE_BODIES_PER_CALLER, limitLargeBodies } from './large-bodies.ts'
import { openRawCall, type RawCall } from '#test/open-raw-call.ts'
import { openTestApp, type TestApp } from '#test/open-test-app.ts'
import { openReceivingBudget } from './receiving-budget.ts'

const BODY_BYTES = 1_000_000
const BODIES_THAT_FIT = 6
const STALL_MS_MAX = 800

let t: TestApp
let arrived = 0
let answerAll = Promise.withResolvers<void>()
beforeEach(async () => {
  arrived = 0
  answerAll = Promise.withResolvers<void>()
  t = await openTestApp({
    features: () => [
      ({ fastify }) => {
        // The product's own limits are higher, and it waits longer.
        limitLargeBodies(fastify, {
          budget: openReceivingBudget(BODIES_THAT_FIT * BODY_BYTES),
          smallBytesMax: 1000,
          stallMsMax: STALL_MS_MAX,
          smallBodyMsMax: STALL_MS_MAX,
        })
        fastify.post('/large', { bodyLimit: 2 * BODY_BYTES }, async () => {
          arrived++
          await answerAll.promise
          return {}
        })
      },
    ],
  })
  await t.app.listen({ host: '127.0.0.1', port: 0 })
})
afterEach(() => t.close())

/** All of a body but its last byte. */
const begin = (key: string, size = BODY_BYTES) =>
  openRawCall(
    t.app,
    [
      'POST /large HTTP/1.1',
      `api-key: ${key}`,
      'content-type: application/json',
      `content-length: ${size}`,
    ],
    `"${'x'.repeat(size - 2)}`,
  )

const finish = (begun: RawCall[]) => begun.forEach(({ socket }) => socket.write('"'))

test('a large body beyond the process’s budget gets 503, and is accepted once others have finished', async () => {
  const begun = Array.from({ length: 9 }, (_, at) => begin(`key-${at}`))
  const refused = () => begun.filter(({ answer }) => answer().startsWith('HTTP/1.1 503 '))
  await vi.waitFor(() => expect(refused()).toHaveLength(3), 20_000)
  expect(refused()[0]?.answer()).toMatch(/\r\nretry-after: 5\r\n/i)
  for (const { socket } of begun) socket.destroy()
  answerAll.resolve()
  await vi.waitFor(async () => {
    const next = begin('another')
    finish([next])
    await vi.waitFor(() => expect(next.answer()).toMatch(/^HTTP\/1.1 200 /))
  }, 20_000)
})

test('a body that stalls is disconnected', async () => {
  const silent = begin('silent')
  await vi.waitFor(() => expect(silent.isOpen()).toBe(false), 20_000)
  expect(arrived).toBe(0)
})

test('a caller can have only a few large bodies in progress: more wait unread, small ones do not', async () => {
  const begun = Array.from({ length: LARGE_BODIES_PER_CALLER + 3 }, () => begin('greedy'))
  finish(begun)
  await vi.waitFor(() => expect(arrived).toBe(LARGE_BODIES_PER_CALLER), 20_000)
  const small = begin('greedy', 100)
  finish([small])
  await vi.waitFor(() => expect(arrived).toBe(LARGE_BODIES_PER_CALLER + 1), 20_000)
  answerAll.resolve()
  const answered = () => begun.filter(({ answer }) => answer().startsWith('HTTP/1.1 200 '))
  await vi.waitFor(() => expect(answered()).toHaveLength(begun.length), 20_000)
})

test('disconnecting does not make room for further bodies while the work continues', async () => {
  const begun = Array.from({ length: LARGE_BODIES_PER_CALLER }, () => begin('leaver'))
  finish(begun)
  await vi.waitFor(() => expect(arrived).toBe(LARGE_BODIES_PER_CALLER), 20_000)
  for (const { socket } of begun) socket.destroy()
  const next = begin('leaver')
  finish([next])
  await new Promise((resolve) => setTimeout(resolve, 300))
  expect(arrived).toBe(LARGE_BODIES_PER_CALLER)
  answerAll.resolve()
  await vi.waitFor(() => expect(next.answer()).toMatch(/^HTTP\/1.1 200 /), 20_000)
})

test('a small body that arrives too slowly is disconnected, even if it never stalls', async () => {
  const slow = openRawCall(
    t.app,
    ['POST /large HTTP/1.1', 'api-key: k', 'content-type: application/json', 'content-length: 200'],
    '{',
  )
  const trickle = setInterval(() => slow.socket.write(' '), STALL_MS_MAX / 8)
  await vi.waitFor(() => expect(slow.isOpen()).toBe(false), 20_000)
  clearInterval(trickle)
  expect(arrived).toBe(0)
})
