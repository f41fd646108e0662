/** Development versions of Google's endpoints: the script, the account chooser, the public keys, and tokens. */
import { fileURLToPath } from 'node:url'
import fastifyStatic from '@fastify/static'
import { requestDevelopmentToken } from '@pkdex/contract'
import type { FastifyRequest } from 'fastify'
import { AppError } from '#server/platform/errors.ts'
import { type Feature, openRoute } from '#server/platform/http/route.ts'
import type { DevIdentity } from './dev-identity.ts'

/** `mintNonce` is for scripts, which have no page with a nonce. */
export function devIdentityRoutes(
  provider: DevIdentity & { isExposed: boolean },
  mintNonce: () => string,
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
    app.fastify.get('/dev/identity/keys.json', async () => provider.publicKeys)
    openRoute(app, requestDevelopmentToken, async ({ body, request }) => {
      if (!provider.isExposed) refuseForeignNames(request)
      const { email, name, nonce = mintNonce() } = body
      return { id_token: await provider.issueToken({ email, name, nonce }, now()) }
    })
  }
}

const loopbackName = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?$/

const proxyHeaders = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'via']

/**
 * Defends against DNS rebinding (the Host header names another site) and against proxies on this machine
 * (forwarding headers). A proxy that removes all headers cannot be detected.
 */
function refuseForeignNames({ headers, raw }: FastifyRequest): void {
  const { host = '', origin, 'sec-fetch-site': site = 'none' } = headers
  const isProxied =
    // Browsers and current scripts do not use HTTP/1.0; many proxies do.
    raw.httpVersion === '1.0' || proxyHeaders.some((name) => headers[name] !== undefined)
  const isFromHere =
    (origin === undefined || loopbackName.test(hostOf(origin))) &&
    (site === 'same-origin' || site === 'none')
  if (loopbackName.test(host) && isFromHere && !isProxied) return
  throw new AppError('forbidden', 'The development sign-in works only on this machine.')
}

function hostOf(origin: string): string {
  return URL.parse(origin)?.host ?? ''
}
