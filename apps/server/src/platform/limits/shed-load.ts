/**
 * Limits requests waiting for a response, per caller and in all: beyond the limit a process returns 503 immediately, so
 * that accepted requests are served quickly, memory stays bounded, and no caller uses all of it. Requests of unknown
 * callers count by address and have places of their own, so that they never take those of signed-in users. A request
 * counts until its response begins, even if its caller has disconnected, but not while its body is received, which costs
 * nothing but a connection (`limitBodies`); a running stream no longer counts. Uploads have their own byte budget.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '#server/platform/errors.ts'
import { callerOf, loggedCaller } from './caller.ts'
import { readCallerAddress } from './caller-address.ts'
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
  const users = openPlaces({ ...share, all: WAITING_MAX })
  // Anyone can invent keys, so an address has a limit whatever keys it names.
  const addresses = openPlaces({ ...share, all: 2 * WAITING_MAX, perUser: WAITING_MAX })
  const credentials = openPlaces(share)
  const taken = new WeakMap<FastifyRequest, Place[]>()
  const atWork = new WeakSet<FastifyRequest>()
  const leave = (request: FastifyRequest) => taken.get(request)?.forEach((place) => place.leave())

  async function take(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const places: Place[] = []
    taken.set(request, places)
    if (loggedCaller(request) === undefined) {
      places.push(await credentials.take(callerOf(request)))
      places.push(await addresses.take(readCallerAddress(request)))
    } else places.push(await users.take(callerOf(request)))
    if (reply.raw.destroyed) leave(request)
  }

  fastify.addHook('onRequest', async (request, reply) => {
    if (isHealthCall(request)) return
    // A disconnected client frees its place, unless work for the response has begun.
    reply.raw.once('close', () => {
      if (!atWork.has(request)) leave(request)
    })
    await take(request, reply)
  })
  // The user is known from here on, and the body is received.
  fastify.addHook('preParsing', async (request) => leave(request))
  fastify.addHook('preValidation', async (request, reply) => {
    if (!isHealthCall(request) && !request.routeOptions.config.isUpload) await take(request, reply)
  })
  fastify.addHook('preHandler', async (request) => void atWork.add(request))
  fastify.addHook('onSend', async (request) => leave(request))
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** A multipart body, which the handler reads. */
    isUpload?: boolean
  }
}
