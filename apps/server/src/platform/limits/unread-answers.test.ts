import fastify from 'fastify'
import { afterEach, expect, test, vi } from 'vitest'
import { openRawCall } from '#test/open-raw-call.ts'
import { openTestApp } from '#test/open-test-app.ts'
import { noteCaller } from './caller.ts'
import { limitUnread } from './unread-answers.ts'

const MEGABYTE = 2 ** 20
// More than the buffers of a connection hold.
const ANSWER = 'x'.repeat(16 * MEGABYTE)

async function serve(limits: Parameters<typeof limitUnread>[1]) {
  const app = fastify()
  app.addHook('onRequest', async (request) => {
    noteCaller(request, { user: String(request.headers['x-user']), key: '1' })
  })
  limitUnread(app, limits)
  app.setErrorHandler((_error, _request, reply) => reply.code(503).send({}))
  app.get('/large', async () => ANSWER)
  app.get('/small', async () => 'x')
  await app.listen({ host: '127.0.0.1', port: 0 })
  afterEach(() => app.close())
  const callUnread = (user: string) => {
    const call = openRawCall(app, ['GET /large HTTP/1.1', `x-user: ${user}`])
    call.socket.pause()
    return call
  }
  const statusFor = async (user: string) => {
    const call = openRawCall(app, ['GET /small HTTP/1.1', `x-user: ${user}`, 'connection: close'])
    return (await call.closed).slice(9, 12)
  }
  return { app, callUnread, statusFor }
}

test('a caller who does not read answers is refused beyond a limit, others are served, and reading makes room', async () => {
  const { callUnread, statusFor } = await serve({ bytesMaxPerCaller: 40 * MEGABYTE })
  const calls = [1, 2, 3].map(() => callUnread('greedy'))
  await vi.waitFor(async () => expect(await statusFor('greedy')).toBe('503'), 10_000)
  expect(await statusFor('other')).toBe('200')
  for (const { socket } of calls) socket.resume()
  await vi.waitFor(async () => expect(await statusFor('greedy')).toBe('200'), 10_000)
  for (const { socket } of calls) socket.destroy()
})

test('when all have much unread, only those who do not read are refused', async () => {
  const { callUnread, statusFor } = await serve({ bytesMax: 20 * MEGABYTE })
  const calls = ['a', 'b'].map(callUnread)
  await vi.waitFor(async () => expect(await statusFor('a')).toBe('503'), 10_000)
  expect(await statusFor('other')).toBe('200')
  for (const { socket } of calls) socket.destroy()
})

test('a connection that takes nothing is closed, and what it left unread no longer counts', async () => {
  const { callUnread, statusFor } = await serve({ bytesMaxPerCaller: MEGABYTE, stallMs: 1000 })
  const call = callUnread('greedy')
  await vi.waitFor(async () => expect(await statusFor('greedy')).toBe('503'), 10_000)
  await vi.waitFor(async () => expect(await statusFor('greedy')).toBe('200'), 10_000)
  call.socket.destroy()
})

test('the product’s own server counts what its callers leave unread', async () => {
  const t = await openTestApp({
    features: () => [({ fastify }) => void fastify.get('/large', async () => ANSWER)],
  })
  await t.app.listen({ host: '127.0.0.1', port: 0 })
  const unread = Array.from({ length: 6 }, () => {
    const call = openRawCall(t.app, ['GET /large HTTP/1.1'])
    call.socket.pause()
    return call
  })
  const status = async () => {
    const call = openRawCall(t.app, ['GET /large HTTP/1.1', 'connection: close'])
    return (await call.closed).slice(9, 12)
  }
  await vi.waitFor(async () => expect(await status()).toBe('503'), 20_000)
  for (const { socket } of unread) socket.destroy()
  await vi.waitFor(async () => expect(await status()).toBe('200'), 20_000)
  await t.close()
})
