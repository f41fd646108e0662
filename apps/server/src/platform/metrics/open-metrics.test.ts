import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { afterAll, expect, test } from 'vitest'
import { openTestApp } from '#test/open-test-app.ts'
import { closeQueue, openQueue } from '#server/platform/jobs/queue.ts'
import { type Metrics, openMetrics } from './open-metrics.ts'
import { openLog } from '#server/platform/log.ts'

let metrics: Metrics | undefined
const t = await openTestApp({
  features: (database) => {
    metrics = openMetrics(database)
    return [metrics.measureCalls]
  },
})
afterAll(() => t.close())

test('SPEC 27.8: Prometheus reads requests by route, jobs by queue, and connections, on a separate port', async () => {
  const boss = await openQueue(t, openLog('silent'))
  await boss.createQueue('predict')
  await boss.send('predict', {})
  await boss.send('predict', {})
  await t.app.inject({ url: '/healthz' })
  await t.app.inject({ url: '/a-name-that-is-nobody-s-business' })
  const server = await metrics?.serve({ host: '127.0.0.1', port: 0 })
  if (server === undefined) throw new Error('the metrics were not opened')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const text = await (await fetch(`${url}/metrics`)).text()
  expect(text).toMatch(
    /pkdex_http_request_seconds_count\{method="GET",path="\/healthz",status="200"\} 1/,
  )
  expect(text).toContain('pkdex_jobs{queue="predict",state="created"} 2')
  expect(text).toMatch(/pkdex_oldest_waiting_job_seconds\{queue="predict"\} \d/)
  expect(text).toMatch(/pkdex_database_connections\{state="open"\} [1-9]/)
  expect(text).toContain('nodejs_eventloop_lag_seconds')
  expect(text).not.toContain('nobody')
  expect((await fetch(`${url}/`)).status).toBe(404)
  server.close()
  server.closeAllConnections()
  await once(server, 'close')
  await closeQueue(boss)
})
