/**
 * Prometheus metrics of a process, on a separate port: scrapers need no access to the API, and API users none to them.
 * Labels contain path patterns, never a name or an id.
 */
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { sql } from 'kysely'
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { OpenDatabase } from '#server/platform/db/open.ts'
import type { Feature } from '#server/platform/http/route.ts'

export type Metrics = {
  /** Measures every request of the API it is bound to. */
  measureCalls: Feature
  /** Resolves once it listens. */
  serve(place: { host: string; port: number }): Promise<Server>
}

/** Buckets from a cached list to a prediction that the request waits for, and uploads over slow connections. */
const CALL_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 60]

export function openMetrics(database: OpenDatabase): Metrics {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })
  const calls = new Histogram({
    name: 'pkdex_http_request_seconds',
    help: 'Time from the first byte of a request to the end of its response.',
    labelNames: ['method', 'path', 'status'],
    buckets: CALL_SECONDS,
    registers,
  })
  measureQueues(database, registers)
  measurePool(database, registers)
  return {
    measureCalls({ fastify }) {
      fastify.addHook(
        'onResponse',
        async ({ method, routeOptions }, { statusCode, elapsedTime }) => {
          const labels = { method, path: routeOptions.url ?? 'none', status: statusCode }
          calls.observe(labels, elapsedTime / 1000)
        },
      )
    },
    async serve({ host, port }) {
      const server = createServer((request, response) => {
        if (request.url !== '/metrics') return response.writeHead(404).end()
        return void registry.metrics().then(
          (text) => response.writeHead(200, { 'Content-Type': registry.contentType }).end(text),
          () => response.writeHead(503).end(),
        )
      })
      server.listen(port, host)
      await once(server, 'listening')
      return server
    },
  }
}

/** Finished jobs are kept for an hour, so their counts cover the last hour. */
function measureQueues({ db }: OpenDatabase, registers: Registry[]): void {
  const jobs = new Gauge({
    name: 'pkdex_jobs',
    help: 'Predictions and screen blocks in the queue, by state. Completed and failed: in the last hour.',
    labelNames: ['queue', 'state'],
    registers,
    async collect() {
      const counted = await countJobs(db).catch(noRows)
      jobs.reset()
      for (const { queue, state, count } of counted) jobs.set({ queue, state }, count)
    },
  })
  const oldest = new Gauge({
    name: 'pkdex_oldest_waiting_job_seconds',
    help: 'Waiting time of the oldest waiting job.',
    labelNames: ['queue'],
    registers,
    async collect() {
      const waiting = await findOldest(db).catch(noRows)
      oldest.reset()
      for (const { queue, seconds } of waiting) oldest.set({ queue }, seconds)
    },
  })
}

/** A database outage must not hide the other metrics. */
const noRows = () => []

/** Names of the queue's internal jobs begin with two underscores. */
const isOurs = sql`left(name, 2) <> '__'`

async function countJobs(db: OpenDatabase['db']) {
  const { rows } = await sql<{ queue: string; state: string; count: number }>`
    select name as queue, state::text, count(*) as count
    from pgboss.job where ${isOurs} group by name, state`.execute(db)
  return rows
}

async function findOldest(db: OpenDatabase['db']) {
  const { rows } = await sql<{ queue: string; seconds: number }>`
    select name as queue, extract(epoch from now() - min(created_on))::float8 as seconds
    from pgboss.job where ${isOurs} and state = 'created' group by name`.execute(db)
  return rows
}

function measurePool({ pool }: OpenDatabase, registers: Registry[]): void {
  const connections = new Gauge({
    name: 'pkdex_database_connections',
    help: 'Database connections: open, idle, and requests waiting for one.',
    labelNames: ['state'],
    registers,
    collect() {
      const { open, idle, waitedFor } = pool.counts()
      connections.set({ state: 'open' }, open)
      connections.set({ state: 'idle' }, idle)
      connections.set({ state: 'waited for' }, waitedFor)
    },
  })
}
