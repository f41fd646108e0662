/** Refuses requests that store more while the disk is full; all others are served. */
import type { Endpoint } from '@pkdex/contract'
import type { Room } from '#server/platform/db/embedded/disk-watch.ts'
import type { Feature } from './route.ts'

export function refuseWithoutRoom(room: Room, calls: Endpoint[]): Feature {
  const storing = new Set(calls.map(({ method, path }) => `${method} ${path}`))
  return ({ fastify }) => {
    fastify.addHook('onRequest', async ({ method, routeOptions, headers }) => {
      if (!storing.has(`${method} ${routeOptions.url}`)) return
      await room.expect(Number(headers['content-length'] ?? 0))
    })
  }
}
