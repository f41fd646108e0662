/**
 * Limits JSON bodies of megabytes, such as a structure or the names of a screen. Like uploads, only a few are received
 * at a time per user and within the byte budget of the process, and a sender who stops in the middle is disconnected.
 */
import { finished } from 'node:stream'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { callerOf } from './caller.ts'
import { openPlaces } from './places.ts'
import type { ReceivingBudget } from './receiving-budget.ts'
import { STALL_MS_MAX, watchConnection, watchForStall } from './watch-sender.ts'

/** From the first byte read until the response is ready. */
export const LARGE_BODIES_PER_CALLER = 2

type Limits = { budget: ReceivingBudget; smallBytesMax: number; stallMsMax?: number }

export function limitLargeBodies(fastify: FastifyInstance, limits: Limits): void {
  const { budget, smallBytesMax, stallMsMax = STALL_MS_MAX } = limits
  const places = openPlaces({ perUser: LARGE_BODIES_PER_CALLER })
  const held = new WeakMap<FastifyRequest, () => void>()
  const release = (request: FastifyRequest) => held.get(request)?.()
  const handled = new WeakSet<FastifyRequest>()
  // The caller is known by now, and nothing of the body has been read.
  fastify.addHook('preParsing', async (request, reply, body) => {
    const bytes = bytesOf(request)
    if (bytes <= smallBytesMax) return body
    const { gone, end } = watchConnection(request)
    const place = await places.take(callerOf(request), { gone }).finally(end)
    try {
      const giveBack = budget.reserve(bytes)
      held.set(request, () => {
        place.leave()
        giveBack()
      })
    } catch (error) {
      place.leave()
      throw error
    }
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

/** The declared size, or the endpoint's limit; larger bodies are refused before they are read. */
function bytesOf({ headers, routeOptions: { bodyLimit } }: FastifyRequest): number {
  if (headers['content-type']?.startsWith('multipart/')) return 0
  const declared = headers['content-length']
  if (declared !== undefined) return Number(declared) > bodyLimit ? 0 : Number(declared)
  return headers['transfer-encoding'] === undefined ? 0 : bodyLimit
}
