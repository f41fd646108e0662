/**
 * Limits requests waiting for a response, per caller and in all: beyond the limit a process returns 503 immediately, so
 * that accepted requests are served quickly, memory stays bounded, and no caller uses all of it. A request counts until
 * its response begins, even if its caller has disconnected; a running stream no longer counts. Uploads have their own
 * byte budget.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { AppError } from '#server/platform/errors.ts'
import { isHealthCall } from './rate-limits.ts'
import { callerOf } from './route.ts'

/** This many are served within a few seconds, also on the embedded database. */
export const WAITING_MAX = 150
/** Reserve the remainder for other callers. */
export const WAITING_MAX_PER_CALLER = 100
const RETRY_AFTER_SECONDS = 2

/** `caller`: the credential until the user is known. */
type Waiting = { credential: string; caller: string; isAtWork: boolean }

export function shedLoad(fastify: FastifyInstance): void {
  const waiting = new Map<FastifyRequest, Waiting>()
  const leave = (request: FastifyRequest) => void waiting.delete(request)
  const expectRoom = (isOwn: (one: Waiting) => boolean) => {
    const own = [...waiting.values()].filter(isOwn).length
    if (own < WAITING_MAX_PER_CALLER && waiting.size < WAITING_MAX) return
    const message = 'The server is busy. Try again shortly.'
    throw new AppError('unavailable', message, { retryAfterSeconds: RETRY_AFTER_SECONDS })
  }
  fastify.addHook('onRequest', async (request, reply) => {
    if (isHealthCall(request) || isUpload(request)) return
    const credential = callerOf(request)
    // Includes requests whose user is known by now: one key has one share.
    expectRoom((one) => one.credential === credential)
    waiting.set(request, { credential, caller: credential, isAtWork: false })
    // A disconnected client frees its place, unless work for the response has begun.
    reply.raw.once('close', () => {
      if (waiting.get(request)?.isAtWork !== true) leave(request)
    })
  })
  // Now the user is known, who may have several keys.
  fastify.addHook('preParsing', async (request) => {
    const known = waiting.get(request)
    if (known === undefined) return
    leave(request)
    const caller = callerOf(request)
    expectRoom((one) => one.caller === caller)
    waiting.set(request, { ...known, caller })
  })
  fastify.addHook('preHandler', async (request) => {
    const known = waiting.get(request)
    if (known !== undefined) known.isAtWork = true
  })
  fastify.addHook('onSend', async (request) => leave(request))
}

function isUpload({ headers }: FastifyRequest): boolean {
  return headers['content-type']?.startsWith('multipart/') ?? false
}
