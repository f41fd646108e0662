/** Responses while the database cannot be reached. */
import { createServer, type Socket } from 'node:net'
import { once } from 'node:events'
import { ErrorBody } from '@pkdex/contract'
import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { readTestConfig } from '#test/open-test-app.ts'
import { openServer } from '#server/platform/db/open.ts'
import type { Database } from '#server/platform/db/schema.ts'
import { buildApp } from './build-app.ts'
import { openLog } from '#server/platform/log.ts'
import type { Feature } from './route.ts'

/** Ends all connections together, like a server that is stopping. */
const away = createServer((socket: Socket) => void socket.end())
await once(away.listen(0, '127.0.0.1'), 'listening')
afterAll(() => void away.close())

test('while the database cannot be reached a request returns 503 with Retry-After, and readiness is false', async () => {
  const address = away.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  const log = openLog('silent')
  const opened = openServer(`postgres://nobody@127.0.0.1:${address.port}/nothing`, log)
  const config = readTestConfig({ LOG_LEVEL: 'silent' })
  const app = await buildApp({
    config,
    db: opened.db,
    log,
    now: () => new Date(),
    features: [asking(opened.db)],
  })
  expect((await app.inject({ method: 'GET', url: '/healthz' })).statusCode).toBe(200)
  for (const url of ['/readyz', '/call']) {
    const answer = await app.inject({ method: 'GET', url })
    expect([url, answer.statusCode, answer.headers['retry-after']]).toEqual([url, 503, '5'])
    expect(ErrorBody.parse(answer.json())).toMatchObject({ code: 'unavailable' })
  }
  await app.close()
  await opened.close()
})

function asking(db: Database): Feature {
  return ({ fastify }) => {
    fastify.get('/call', () => sql`select 1`.execute(db))
  }
}
