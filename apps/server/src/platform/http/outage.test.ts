/** What callers hear while the database is away. */
import { createServer, type Socket } from 'node:net'
import { once } from 'node:events'
import { ErrorBody } from '@pkdex/contract'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readConfig } from '#server/main/settings.ts'
import { openServer } from '#server/platform/db/open.ts'
import type { Database } from '#server/platform/db/schema.ts'
import { buildApp } from './build-app.ts'
import { openLog } from '#server/platform/log.ts'
import type { Feature } from './route.ts'

/** Ends every connection at once, like a server that is going down. */
const away = createServer((socket: Socket) => void socket.end())
beforeAll(async () => {
  await once(away.listen(0, '127.0.0.1'), 'listening')
})
afterAll(() => void away.close())

test('while the database is away a call answers 503 with Retry-After, and readiness says so', async () => {
  const address = away.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  const log = openLog('silent')
  const opened = openServer(`postgres://nobody@127.0.0.1:${address.port}/nothing`, log)
  const config = readConfig({ LOG_LEVEL: 'silent', RATE_LIMIT: 'off', WEB_DIR: '/nowhere' })
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
