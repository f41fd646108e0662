/** Clients of a process that is shutting down. */
import { Agent, get, type IncomingMessage } from 'node:http'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, expect, test } from 'vitest'
import { openTestApp, type TestApp } from '#test/open-test-app.ts'
import type { Feature } from './route.ts'

const ending = new AbortController()
const closing = Promise.withResolvers<void>()

const calls: Feature = ({ fastify }) => {
  fastify.get('/quick', async () => 'quick')
  fastify.addHook('preClose', async () => closing.resolve())
}

const agent = new Agent({ keepAlive: true, maxSockets: 1 })
const ends = await openTestApp({ features: () => [calls], ending: ending.signal })
const closes = await openTestApp({ features: () => [calls] })
afterAll(async () => {
  agent.destroy()
  await ends.close()
  await closes.close()
})

test('while shutting down readiness is false, requests are served, and connections are not kept alive', async () => {
  const origin = await listen(ends)
  const ask = (path: string) => askOf(origin + path)
  const before = await ask('/readyz')
  expect([before.status, before.connection]).toEqual([200, 'keep-alive'])
  ending.abort()
  expect(await ask('/readyz')).toMatchObject({ status: 503, connection: 'close' })
  expect(await ask('/quick')).toEqual({ status: 200, connection: 'close', body: 'quick' })
  expect(await ask('/healthz')).toMatchObject({ status: 200 })
})

test('a request on an open connection during shutdown is served, and an idle connection blocks nothing', async () => {
  const port = Number(new URL(await listen(closes)).port)
  const late = await connected(port)
  const gone = once(await connected(port), 'close')
  const answer = text(late)
  const closed = closes.app.close()
  await closing.promise
  late.write('GET /quick HTTP/1.1\r\nHost: x\r\n\r\n')
  expect(await answer).toMatch(/^HTTP\/1.1 200 OK\r\n[^]*\r\nquick$/)
  await closed
  await gone
})

/** The server has accepted the connection. */
async function connected(port: number): Promise<Socket> {
  const taken = once(closes.app.server, 'connection')
  const socket = connect(port, '127.0.0.1')
  await taken
  return socket
}

function listen({ app }: TestApp): Promise<string> {
  return app.listen({ port: 0, host: '127.0.0.1' })
}

async function askOf(url: string) {
  const [answer]: IncomingMessage[] = await once(get(url, { agent }), 'response')
  if (answer === undefined) throw new Error('no answer')
  const { statusCode: status, headers } = answer
  return { status, connection: headers.connection, body: await text(answer) }
}
