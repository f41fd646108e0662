/** Limits requests per address, before anything is looked up, and requests with invalid credentials. */
import rateLimit from '@fastify/rate-limit'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { AppError } from '#server/platform/errors.ts'
import { readCallerAddress } from './caller-address.ts'
import { hasCredential } from './caller.ts'

const WINDOW_MS = 60_000
/** Far more than a page or script with an old key would send, but far less than the request limit. */
export const REFUSED_MAX = 60

/** Health checks, which are frequent and come from one address. */
const healthPaths: ReadonlySet<string | undefined> = new Set(['/healthz', '/readyz'])

export function isHealthCall({ routeOptions }: FastifyRequest): boolean {
  return healthPaths.has(routeOptions.url)
}

/**
 * `max` requests per minute from one address; null: no limit. Returns a function that turns invalid credentials into
 * 429 after too many of them. A valid key from the same address still works, so nobody can lock out others who share
 * it.
 */
export async function limitRates(
  fastify: FastifyInstance,
  max: number | null,
): Promise<(error: unknown, request: FastifyRequest) => Promise<unknown>> {
  if (max === null) return async (error) => error
  await fastify.register(rateLimit, { global: false })
  const byAddress = { timeWindow: WINDOW_MS, keyGenerator: readCallerAddress }
  const countRequest = fastify.createRateLimit({ ...byAddress, max })
  const countRefusal = fastify.createRateLimit({ ...byAddress, max: Math.min(max, REFUSED_MAX) })
  fastify.addHook('onRequest', async (request, reply) => {
    if (isHealthCall(request)) return
    const count = await countRequest(request)
    if (count.isAllowed) return
    void reply.header('X-RateLimit-Limit', count.max)
    void reply.header('X-RateLimit-Remaining', count.remaining)
    void reply.header('X-RateLimit-Reset', count.ttlInSeconds)
    if (count.isExceeded) throw tooMany('requests', count.ttlInSeconds)
  })
  return async (error, request) => {
    const isRefusal = error instanceof AppError && error.code === 'not_signed_in'
    if (!isRefusal || !hasCredential(request)) return error
    const count = await countRefusal(request)
    const isTooMany = !count.isAllowed && count.isExceeded
    return isTooMany ? tooMany('requests with invalid keys', count.ttlInSeconds) : error
  }
}

function tooMany(what: string, retryAfterSeconds: number): AppError {
  return new AppError('too_many_requests', `Too many ${what}; try again in a moment.`, {
    retryAfterSeconds,
  })
}
