/**
 * Calls that wait for their answer, bounded: beyond that a process answers 503 at once, so that those it has taken are
 * answered in good time and its memory stays what it is. A call counts until its answer begins: a stream, once it
 * runs, keeps nobody waiting. Uploads have a budget of their own, in bytes.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { AppError } from '#server/platform/errors.ts'
import { isHealthCall } from './rate-limits.ts'

/** Answered in a few seconds, also where the database is the embedded one. */
export const WAITING_MAX = 150
const RETRY_AFTER_SECONDS = 2

export function shedLoad(fastify: FastifyInstance, waitingMax = WAITING_MAX): void {
  const waiting = new Set<FastifyRequest>()
  fastify.addHook('onRequest', async (request, reply) => {
    if (isHealthCall(request) || isUpload(request)) return
    if (waiting.size >= waitingMax) {
      const message =
        'There is more to do than can be done right now. Please try again in a moment.'
      throw new AppError('unavailable', message, { retryAfterSeconds: RETRY_AFTER_SECONDS })
    }
    waiting.add(request)
    // Whoever hangs up waits no longer.
    reply.raw.once('close', () => waiting.delete(request))
  })
  fastify.addHook('onSend', async (request) => void waiting.delete(request))
}

function isUpload({ headers }: FastifyRequest): boolean {
  return headers['content-type']?.startsWith('multipart/') ?? false
}
