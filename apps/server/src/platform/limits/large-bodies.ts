/**
 * Limits JSON bodies. Of those of megabytes, such as a structure or the names of a screen, only a few are received at a
 * time per user and within the byte budget of the process, as with uploads, and a sender who stops in the middle is
 * disconnected. A small body must arrive within seconds.
 */
import { finished, type Readable } from 'node:stream'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { callerOf } from './caller.ts'
import { openPlaces } from './places.ts'
import type { ReceivingBudget } from './receiving-budget.ts'
import { STALL_MS_MAX, watchConnection, watchForStall } from './watch-sender.ts'

/** From the first byte read until the response is ready. */
export const LARGE_BODIES_PER_CALLER = 2

/** 256 KB at the speed of a slow mobile network. */
const SMALL_BODY_MS_MAX = 15_000

type Limits = {
  budget: ReceivingBudget
  smallBytesMax: number
  stallMsMax?: number
  smallBodyMsMax?: number
}

export function limitLargeBodies(fastify: FastifyInstance, limits: Limits): void {
  const { budget, smallBytesMax, stallMsMax = STALL_MS_MAX } = limits
  const { smallBodyMsMax = SMALL_BODY_MS_MAX } = limits
  const places = openPlaces({ perUser: LARGE_BODIES_PER_CALLER })
  const held = new WeakMap<FastifyRequest, () => void>()
  const release = (request: FastifyRequest) => held.get(request)?.()
  const handled = new WeakSet<FastifyRequest>()
  const watches = new WeakMap<FastifyRequest, { end: () => void }>()
  /** Until the body is complete, or the request was answered without it. */
  const watch = (request: FastifyRequest, body: Readable, started: { end: () => void }) => {
    watches.set(request, started)
    finished(body, started.end)
  }
  // The caller is known by now, and nothing of the body has been read.
  fastify.addHook('preParsing', async (request, reply, body) => {
    const bytes = bytesOf(request)
    if (bytes <= smallBytesMax) {
      if (bytes > 0) watch(request, body, cutOff(request, smallBodyMsMax))
      return body
    }
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
    watch(request, body, watchForStall(request, stallMsMax))
    return body
  })
  fastify.addHook('preHandler', async (request) => void handled.add(request))
  fastify.addHook('onSend', async (request) => {
    release(request)
    watches.get(request)?.end()
  })
}

/** The declared size, or the endpoint's limit; larger bodies are refused before they are read. */
function bytesOf({ headers, routeOptions: { bodyLimit, config } }: FastifyRequest): number {
  if (config.isUpload) return 0
  const declared = headers['content-length']
  if (declared !== undefined) return Number(declared) > bodyLimit ? 0 : Number(declared)
  return headers['transfer-encoding'] === undefined ? 0 : bodyLimit
}

function cutOff({ raw }: FastifyRequest, milliseconds: number): { end: () => void } {
  const timer = setTimeout(() => raw.socket.destroy(), milliseconds).unref()
  return { end: () => clearTimeout(timer) }
}
