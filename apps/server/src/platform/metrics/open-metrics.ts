/**
 * What a process does, in the words of Prometheus, on a port of its own: who scrapes it need not be able to call
 * the API, and the other way round. Labels hold patterns of paths, never a name or an id.
 */
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { sql } from 'kysely'
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { OpenDatabase } from '#server/platform/db/open.ts'
import type { Feature } from '#server/platform/http/route.ts'

export type Metrics = {
  /** Measures every call of the API that it is bound to. */
  measureCalls: Feature
  /** Answers once it listens. */
  serve(place: { host: string; port: number }): Promise<Server>
}

/** From a list out of memory to a prediction that is waited for, and uploads over slow lines. */
const CALL_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 60]

export function openMetrics(database: OpenDatabase): Metrics {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })
  const calls = new Histogram({
    name: 'pkdex_http_request_seconds',
    help: 'Time from the first byte of a call to the end of its answer.',
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

/** Jobs that ended are kept for an hour, so those of a state that ends are of the last hour. */
function measureQueues({ db }: OpenDatabase, registers: Registry[]): void {
  const jobs = new Gauge({
    name: 'pkdex_jobs',
    help: 'Predictions and blocks of screens in the queue by state; completed and failed: of the last hour.',
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
    help: 'How long the job that has waited longest has waited.',
    labelNames: ['queue'],
    registers,
    async collect() {
      const waiting = await findOldest(db).catch(noRows)
      oldest.reset()
      for (const { queue, seconds } of waiting) oldest.set({ queue }, seconds)
    },
  })
}

/** An outage of the database must not hide everything else. */
const noRows = () => []

/** The queue's own jobs begin with two low lines. */
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
    help: 'Connections to the database that are open, of these idle, and calls that wait for one.',
    labelNames: ['state'],
    registers,
    collect() {
      connections.set({ state: 'open' }, pool.totalCount)
      connections.set({ state: 'idle' }, pool.idleCount)
      connections.set({ state: 'waited for' }, pool.waitingCount)
    },
  })
}
