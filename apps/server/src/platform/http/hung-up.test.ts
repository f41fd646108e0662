import { endpoint } from '@pkdex/contract'
import { afterAll, expect, test } from 'vitest'
import { z } from 'zod'
import { openRawCall } from '#test/open-raw-call.ts'
import { openTestApp } from '#test/open-test-app.ts'
import { openRoute, type Feature } from './route.ts'

const ping = endpoint({
  method: 'POST',
  path: '/dta/ping',
  auth: 'none',
  summary: 'For the test.',
  answer: z.object({ ok: z.boolean() }),
})

const errors: Error[] = []
const handled = Promise.withResolvers<void>()

/** The client disconnects before its request is handled. */
const hangUp: Feature = (app) => {
  app.fastify.addHook('onRequest', async ({ raw }) => void raw.socket.destroy())
  app.fastify.addHook('onError', async (_request, _reply, error) => {
    errors.push(error)
    handled.resolve()
  })
  openRoute(app, ping, async () => {
    handled.resolve()
    return { ok: true }
  })
}

const t = await openTestApp({ features: () => [hangUp], environment: { RATE_LIMIT: '5' } })
await t.app.listen({ port: 0, host: '127.0.0.1' })
afterAll(() => t.close())

test('a client that disconnects immediately is not logged as our error', async () => {
  await openRawCall(t.app, ['POST /dta/ping HTTP/1.1', 'content-length: 0']).closed
  await handled.promise
  expect(errors).toEqual([])
})
