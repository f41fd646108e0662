/**
 * Calls that wait for their answer, bounded, of one caller and in all: beyond that a process answers 503 at once, so
 * that those it has taken are answered in good time, its memory stays what it is, and nobody takes all of it. A call
 * counts until its answer begins: a stream, once it runs, keeps nobody waiting. Uploads have a budget of their own, in
 * bytes.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { AppError } from '#server/platform/errors.ts'
import { isHealthCall } from './rate-limits.ts'
import { callerOf } from './route.ts'

/** Answered in a few seconds, also where the database is the embedded one. */
export const WAITING_MAX = 150
/** The rest is for others. */
export const WAITING_MAX_PER_CALLER = 100
const RETRY_AFTER_SECONDS = 2

/** `caller`: its credential until its user is known. */
type Waiting = { credential: string; caller: string }

export function shedLoad(fastify: FastifyInstance): void {
  const waiting = new Map<FastifyRequest, Waiting>()
  const leave = (request: FastifyRequest) => void waiting.delete(request)
  const expectRoom = (isOwn: (one: Waiting) => boolean) => {
    const own = [...waiting.values()].filter(isOwn).length
    if (own < WAITING_MAX_PER_CALLER && waiting.size < WAITING_MAX) return
    const message = 'There is more to do than can be done right now. Please try again in a moment.'
    throw new AppError('unavailable', message, { retryAfterSeconds: RETRY_AFTER_SECONDS })
  }
  fastify.addHook('onRequest', async (request, reply) => {
    if (isHealthCall(request) || isUpload(request)) return
    const credential = callerOf(request)
    // Also of calls whose user is known by now: one key has one share.
    expectRoom((one) => one.credential === credential)
    waiting.set(request, { credential, caller: credential })
    // Whoever hangs up waits no longer.
    reply.raw.once('close', () => leave(request))
  })
  // Its user is known by now, who may have several keys.
  fastify.addHook('preParsing', async (request) => {
    const known = waiting.get(request)
    if (known === undefined) return
    leave(request)
    const caller = callerOf(request)
    expectRoom((one) => one.caller === caller)
    waiting.set(request, { ...known, caller })
  })
  fastify.addHook('onSend', async (request) => leave(request))
}

function isUpload({ headers }: FastifyRequest): boolean {
  return headers['content-type']?.startsWith('multipart/') ?? false
}
