/** The real HTTP server around a fresh database and the features under test, for `app.inject`. */
import type { FastifyInstance } from 'fastify'
import { type Config, readConfig } from '#server/main/settings.ts'
import type { OpenDatabase } from '#server/platform/db/open.ts'
import { openTestDatabase } from './open-test-database.ts'
import { buildApp } from '#server/platform/http/build-app.ts'
import { openLog } from '#server/platform/log.ts'
import { documentedStatuses } from '#server/platform/http/openapi.ts'
import type { Feature } from '#server/platform/http/route.ts'

export type TestApp = OpenDatabase & {
  app: FastifyInstance
  config: Config
  clock: TestClock
}

/** Stands still until a test advances it. */
type TestClock = { now: () => Date; advance: (milliseconds: number) => void }

/** Dependencies of features. */
type TestDependencies = OpenDatabase & Pick<TestApp, 'config' | 'clock'>

export type TestAppOptions = {
  features?: (dependencies: TestDependencies) => Feature[] | Promise<Feature[]>
  /** Environment variables, as an operator would set them. */
  environment?: Record<string, string>
  /** Changes of values that an operator cannot set. */
  changes?: Partial<Config>
  ending?: AbortSignal
  /** By default, a fresh database. */
  database?: OpenDatabase
}

/** Without the web client, and without limits per address. */
export function readTestConfig(environment: Record<string, string> = {}): Config {
  return { ...readConfig({ RATE_LIMIT: 'off', ...environment }), webDir: '/nowhere' }
}

export async function openTestApp(options: TestAppOptions = {}): Promise<TestApp> {
  const config = { ...readTestConfig(options.environment), ...options.changes }
  const database = options.database ?? (await openTestDatabase())
  const clock = openTestClock()
  const features = (await options.features?.({ ...database, config, clock })) ?? []
  const undocumented = new Set<string>()
  const app = await buildApp({
    config,
    db: database.db,
    log: openLog('silent'),
    now: clock.now,
    features: [watchAnswers(undocumented), ...features],
    ...(options.ending && { ending: options.ending }),
  })
  const close = async () => {
    await app.close()
    await database.close()
    if (undocumented.size > 0) throw new Error(`not documented: ${[...undocumented].join(', ')}`)
  }
  return { ...database, app, config, clock, close }
}

/** Fails a test whose response is not documented. */
function watchAnswers(undocumented: Set<string>): Feature {
  return ({ fastify, endpoints }) => {
    fastify.addHook('onSend', async ({ method, routeOptions: { url } }, { statusCode }) => {
      const endpoint = endpoints.find(
        (endpoint) => endpoint.path === url && endpoint.method === method,
      )
      if (endpoint === undefined || documentedStatuses(endpoint).includes(statusCode)) return
      undocumented.add(`${method} ${url} ${statusCode}`)
    })
  }
}

function openTestClock(): TestClock {
  let moment = Date.now()
  return { now: () => new Date(moment), advance: (milliseconds) => void (moment += milliseconds) }
}
