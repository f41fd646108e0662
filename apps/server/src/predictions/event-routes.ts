/** The endpoint that streams the progress of a screen. */
import { Readable } from 'node:stream'
import { watchScreen as watchCall } from '@pkdex/contract'
import { route } from '#server/auth/guarded-routes.ts'
import type { Feature } from '#server/platform/http/route.ts'
import { readHeader } from '#server/platform/limits/caller.ts'
import { busy, openPlaces } from '#server/platform/limits/places.ts'
import { expectReader } from '#server/sharing/service.ts'
import { watchScreen } from './events.ts'
import type { BestEstimates } from './best-estimates.ts'
import { findReadable, type OrderDependencies } from './order.ts'

/** Each stream reads the database every 400 ms. If its stream is refused, the web app polls the status instead. */
export const STREAMS_MAX = { all: 100, perUser: 10 }

export function eventRoutes(dependencies: OrderDependencies & { best: BestEstimates }): Feature {
  const closing = new AbortController()
  const streams = openPlaces({
    ...STREAMS_MAX,
    waitMsMax: 0,
    refusal: busy(
      `${STREAMS_MAX.perUser} event streams are already open for you. Close one.`,
      'Too many event streams are open. Request the screen instead.',
    ),
  })
  return (app) => {
    app.fastify.addHook('preClose', async () => closing.abort())
    route(app, watchCall, async (call) => {
      const { userId: callerId, param, request, reply, gone, expectStillSignedIn } = call
      const { screen, userId } = await findReadable(dependencies, callerId, param('id'))
      const readAgain = async () => {
        await expectStillSignedIn()
        const { screen: state } = await findReadable(dependencies, callerId, param('id'))
        // The share may have ended while the state was read.
        if (userId !== callerId) await expectReader(dependencies.db, callerId, param('id'))
        return state
      }
      const open = async () => {
        const stopped = new AbortController()
        const afterId = readHeader(request, 'Last-Event-ID')
        const signal = AbortSignal.any([stopped.signal, gone, closing.signal])
        const watch = { userId, screen, afterId, signal, readAgain }
        const stream = Readable.from(watchScreen(dependencies, watch), { objectMode: false })
        stream.once('close', () => stopped.abort())
        void reply.type('text/event-stream; charset=utf-8').header('X-Accel-Buffering', 'no')
        return stream
      }
      return streams.use(callerId, open, { gone })
    })
  }
}
