/**
 * Limits requests waiting for a response, per caller and in all: beyond the limit a process returns 503 immediately, so
 * that accepted requests are served quickly, memory stays bounded, and no caller uses all of it. A request counts until
 * its response begins, even if its caller has disconnected; a running stream no longer counts. Uploads have their own
 * byte budget.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { AppError } from '#server/platform/errors.ts'
import { callerOf } from './caller.ts'
import { openPlaces, type Place } from './places.ts'
import { isHealthCall } from './rate-limits.ts'

/** The server can handle this many within a few seconds, even with the embedded database. */
export const WAITING_MAX = 150
/** Reserve the remainder for other callers. */
export const WAITING_MAX_PER_CALLER = 100
const RETRY_AFTER_SECONDS = 2

function refusal(): AppError {
  const message = 'The server is busy. Try again shortly.'
  return new AppError('unavailable', message, { retryAfterSeconds: RETRY_AFTER_SECONDS })
}

export function shedLoad(fastify: FastifyInstance): void {
  const share = { perUser: WAITING_MAX_PER_CALLER, waitingMax: 0, refusal }
  const byCredential = openPlaces({ ...share, all: WAITING_MAX })
  // A user may have several keys.
  const byUser = openPlaces(share)
  const taken = new WeakMap<FastifyRequest, Place[]>()
  const atWork = new WeakSet<FastifyRequest>()
  const leave = (request: FastifyRequest) => taken.get(request)?.forEach((place) => place.leave())

  fastify.addHook('onRequest', async (request, reply) => {
    if (isHealthCall(request) || isUpload(request)) return
    taken.set(request, [await byCredential.take(callerOf(request))])
    // A disconnected client frees its place, unless work for the response has begun.
    reply.raw.once('close', () => {
      if (!atWork.has(request)) leave(request)
    })
    if (reply.raw.destroyed) leave(request)
  })
  // The user is known from here on.
  fastify.addHook('preParsing', async (request) => {
    taken.get(request)?.push(await byUser.take(callerOf(request)))
  })
  fastify.addHook('preHandler', async (request) => void atWork.add(request))
  fastify.addHook('onSend', async (request) => leave(request))
}

function isUpload({ headers }: FastifyRequest): boolean {
  return headers['content-type']?.startsWith('multipart/') ?? false
}
