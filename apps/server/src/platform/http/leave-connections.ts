/** How the connections of callers end with the process, so that no call is cut off and nobody keeps it from ending. */
import type { FastifyInstance } from 'fastify'

/** A call that was sent before the server began to close is there after so many looks. */
const SILENT_LOOKS = 10
const LOOK_MS = 100

/**
 * Once `ending` is aborted every answer closes its connection: no caller keeps one to send into while it is being
 * closed. When the server closes, connections on which nothing is asked, as browsers open them ahead, are given up.
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
    // Looks rather than a clock: a process that is kept from working has not read what was sent.
    const watch = setInterval(() => {
      silentLooks = atWork === 0 ? silentLooks + 1 : 0
      if (silentLooks >= SILENT_LOOKS) fastify.server.closeAllConnections()
    }, LOOK_MS)
    fastify.server.once('close', () => clearInterval(watch))
  })
}
