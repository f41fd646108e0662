/** Refuses requests that may store something while the disk is full; reading, deleting and `mayGoOn` are served. */
import type { Endpoint } from '@pkdex/contract'
import type { Room } from '#server/platform/db/embedded/disk-watch.ts'
import type { Feature } from './route.ts'

const storing = new Set(['POST', 'PUT', 'PATCH'])

/** `mayGoOn`: sign-in, sign-out, and requests that only compute. Any other endpoint, also a new one, is refused. */
export function refuseWithoutRoom(room: Room, mayGoOn: Endpoint[]): Feature {
  const served = new Set(mayGoOn.map(({ method, path }) => `${method} ${path}`))
  return ({ fastify }) => {
    fastify.addHook('onRequest', async ({ method, routeOptions, headers }) => {
      if (!storing.has(method) || served.has(`${method} ${routeOptions.url}`)) return
      await room.expect(Number(headers['content-length'] ?? 0))
    })
  }
}
