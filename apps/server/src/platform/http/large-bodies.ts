/**
 * JSON bodies of megabytes, such as a structure or the names of a screen: like uploads they are received a few at a time
 * for each user and within the byte budget of the process, and a sender who stops in the middle is disconnected.
 */
import { finished } from 'node:stream'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { openUserLimiter, type ReceivingBudget } from './receiving-limits.ts'
import { callerOf } from './route.ts'
import { STALL_MS_MAX, watchConnection, watchForStall } from './watch-sender.ts'

/** From the first byte read until the response is ready. */
export const LARGE_BODIES_PER_CALLER = 2

type Limits = { budget: ReceivingBudget; smallBytesMax: number; stallMsMax?: number }

export function limitLargeBodies(fastify: FastifyInstance, limits: Limits): void {
  const { budget, smallBytesMax, stallMsMax = STALL_MS_MAX } = limits
  const inTurn = openUserLimiter(LARGE_BODIES_PER_CALLER)
  const held = new Map<FastifyRequest, () => void>()
  const release = (request: FastifyRequest) => held.get(request)?.()
  const handled = new WeakSet<FastifyRequest>()
  // The caller is known by now, and nothing of the body has been read.
  fastify.addHook('preParsing', async (request, reply, body) => {
    const bytes = bytesOf(request)
    if (bytes <= smallBytesMax) return body
    const { gone, end } = watchConnection(request)
    const hold = () => {
      const giveBack = budget.reserve(bytes)
      const released = Promise.withResolvers<void>()
      held.set(request, released.resolve)
      turn.resolve()
      return released.promise.finally(() => {
        held.delete(request)
        giveBack()
      })
    }
    const turn = Promise.withResolvers<void>()
    inTurn(callerOf(request), hold, whileWaiting(turn.promise, gone)).catch(turn.reject)
    await turn.promise.finally(end)
    // A disconnected client frees its place, unless work for the response has begun: then its body is in memory.
    reply.raw.once('close', () => {
      if (!handled.has(request)) release(request)
    })
    if (reply.raw.destroyed) release(request)
    finished(body, watchForStall(request, stallMsMax).end)
    return body
  })
  fastify.addHook('preHandler', async (request) => void handled.add(request))
  fastify.addHook('onSend', async (request) => release(request))
}

/** Aborts as `gone` does until `begun` is settled. */
function whileWaiting(begun: Promise<void>, gone: AbortSignal): AbortSignal {
  const leaving = new AbortController()
  const leave = () => leaving.abort(gone.reason)
  if (gone.aborted) leave()
  gone.addEventListener('abort', leave)
  const stay = () => gone.removeEventListener('abort', leave)
  begun.then(stay, stay)
  return leaving.signal
}

/** As declared, or the endpoint's limit; larger bodies are refused before they are read. */
function bytesOf({ headers, routeOptions: { bodyLimit } }: FastifyRequest): number {
  if (headers['content-type']?.startsWith('multipart/')) return 0
  const declared = headers['content-length']
  if (declared !== undefined) return Number(declared) > bodyLimit ? 0 : Number(declared)
  return headers['transfer-encoding'] === undefined ? 0 : bodyLimit
}
