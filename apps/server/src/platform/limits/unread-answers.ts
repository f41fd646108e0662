/**
 * Limits the bytes of answers that their callers have not read yet. Beyond its share a caller's next requests get 503, and a
 * connection that takes nothing for a while is closed. Streams are not counted: they are made while they are read.
 */
import { Socket } from 'node:net'
import { finished } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import { AppError } from '#server/platform/errors.ts'
import { callerOf } from './caller.ts'

const limits = {
  bytesMaxPerCaller: 64 * 2 ** 20,
  bytesMax: 256 * 2 ** 20,
  /** A smaller answer fits into the buffers of the connection. */
  countedBytesMin: 2 ** 16,
  stallMs: 30_000,
}
const RETRY_AFTER_SECONDS = 5

/** To be registered before answers are compressed, which makes them streams. */
export function limitUnread(fastify: FastifyInstance, chosen: Partial<typeof limits> = {}): void {
  const { bytesMaxPerCaller, bytesMax, countedBytesMin, stallMs } = { ...limits, ...chosen }
  const unread = new Map<string, number>()
  let all = 0
  const count = (caller: string, bytes: number) => {
    all += bytes
    const own = (unread.get(caller) ?? 0) + bytes
    if (own > 0) unread.set(caller, own)
    else unread.delete(caller)
  }

  fastify.addHook('preHandler', async (request) => {
    const own = unread.get(callerOf(request)) ?? 0
    if (own <= bytesMaxPerCaller && (own === 0 || all <= bytesMax)) return
    const message = 'Read the answers to your earlier requests first.'
    throw new AppError('unavailable', message, { retryAfterSeconds: RETRY_AFTER_SECONDS })
  })
  fastify.addHook('onSend', async (request, { raw }, payload) => {
    const bytes = bytesOf(payload)
    if (bytes < countedBytesMin) return
    const caller = callerOf(request)
    count(caller, bytes)
    finished(raw, () => count(caller, -bytes))
    // Node restarts this time whenever the connection takes something, and closes the connection when it has passed.
    if (raw.socket instanceof Socket) raw.setTimeout(stallMs)
  })
}

function bytesOf(payload: unknown): number {
  if (typeof payload === 'string') return Buffer.byteLength(payload)
  return Buffer.isBuffer(payload) ? payload.length : 0
}
