/** What Google serves elsewhere: the script, the account chooser, the public keys, and tokens. */
import { fileURLToPath } from 'node:url'
import fastifyStatic from '@fastify/static'
import { requestStandInToken } from '@pkdex/contract'
import type { FastifyRequest } from 'fastify'
import { AppError } from '#server/http/app-error.ts'
import { type Feature, openRoute } from '#server/http/route.ts'
import type { Nonces } from '../nonces.ts'
import type { StandIn } from './stand-in.ts'

export function standInRoutes(
  standIn: StandIn & { isExposed: boolean },
  nonces: Nonces,
  now: () => Date,
): Feature {
  return (app) => {
    void app.fastify.register(fastifyStatic, {
      root: fileURLToPath(new URL('browser/', import.meta.url)),
      prefix: '/dev/identity/',
      decorateReply: false,
      index: false,
      cacheControl: false,
    })
    app.fastify.get('/dev/identity/keys.json', async () => standIn.publicKeys)
    openRoute(app, requestStandInToken, async ({ body, request }) => {
      if (!standIn.isExposed) refuseForeignNames(request)
      // A script has no page that got a nonce for it.
      const { email, name, nonce = nonces.mint(now()) } = body
      return { id_token: await standIn.issueToken({ email, name, nonce }, now()) }
    })
  }
}

const loopbackName = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?$/

const proxyHeaders = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'via']

/**
 * Any website can give itself a name that leads to this machine and then talk to us from its visitors'
 * browsers, but the name stays in the request. And a proxy on this machine says for whom it asks.
 */
function refuseForeignNames({ headers }: FastifyRequest): void {
  const isProxied = proxyHeaders.some((name) => headers[name] !== undefined)
  if (loopbackName.test(headers.host ?? '') && !isProxied) return
  throw new AppError('forbidden', 'The development sign-in answers on this machine only.')
}
