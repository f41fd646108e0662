/** Closes client connections at shutdown, so that no request is cut off and no client delays the end. */
import type { FastifyInstance } from 'fastify'

/** After this many turns of the event loop, any request sent before the server began to close has arrived. */
const SILENT_LOOKS = 10
const LOOK_MS = 100

/**
 * After `ending` aborts, responses send `Connection: close`, so clients do not reuse connections of a stopping
 * server. Idle connections are closed.
 */
export function leaveConnections(fastify: FastifyInstance, ending: AbortSignal | undefined): void {
  fastify.addHook('onSend', async (_request, reply) => {
    if (ending?.aborted) void reply.header('Connection', 'close')
  })
  let atWork = 0
  fastify.server.on('request', (_request, answer) => {
    atWork += 1
    answer.once('close', () => (atWork -= 1))
  })
  fastify.addHook('preClose', async () => {
    let silentLooks = 0
    // Counts event-loop turns, not time: a process that was not scheduled has not read what was sent.
    const watch = setInterval(() => {
      silentLooks = atWork === 0 ? silentLooks + 1 : 0
      if (silentLooks >= SILENT_LOOKS) fastify.server.closeAllConnections()
    }, LOOK_MS)
    fastify.server.once('close', () => clearInterval(watch))
  })
}
