/** For whatever watches the process: is it alive, and can it work. */
import { sql } from 'kysely'
import type { FastifyInstance } from 'fastify'
import type { Database } from '#server/db/schema.ts'
import { AppError } from './app-error.ts'

const READY_MS_MAX = 3000

export function serveHealth(fastify: FastifyInstance, db: Database): void {
  fastify.get('/healthz', { logLevel: 'warn' }, async () => ({ status: 'alive' }))
  fastify.get('/readyz', { logLevel: 'warn' }, async () => {
    await answerWithin(READY_MS_MAX, sql`select 1`.execute(db)).catch((error: unknown) => {
      throw new AppError('unavailable', 'The database does not answer.', { cause: error })
    })
    return { status: 'ready' }
  })
}

async function answerWithin<T>(milliseconds: number, work: Promise<T>): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error('no answer in time')), milliseconds)
  return Promise.race([work, late]).finally(() => clearTimeout(timer))
}
