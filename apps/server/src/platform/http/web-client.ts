/**
 * Serves the built web client from the API's origin. Some pages share a path with an endpoint: a browser that follows a
 * link gets the client, every other request the endpoint.
 */
import { existsSync } from 'node:fs'
import { extname, join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { addVary } from './compress-answers.ts'
import { hasCredential } from '#server/platform/limits/caller.ts'

/** First path segments that are never a page, whatever the browser accepts. */
const callsOnly = new Set([
  'assets',
  'connection',
  'dev',
  'docs',
  'dta',
  'file_manager',
  'healthz',
  'openapi.json',
  'readyz',
  'samples',
  'visualization',
])

export async function serveWebClient(fastify: FastifyInstance, webDir: string): Promise<void> {
  if (!existsSync(join(webDir, 'index.html'))) {
    fastify.log.warn({ webDir }, 'web client not built: serving the API only')
    return
  }
  await fastify.register(fastifyStatic, {
    root: webDir,
    wildcard: true,
    cacheControl: false,
    index: false,
    // The build adds .br and .gz files if they are smaller; Accept-Encoding chooses.
    preCompressed: true,
    setHeaders: (reply, path) => {
      const isHashed = path.startsWith(join(webDir, 'assets'))
      void reply.header(
        'Cache-Control',
        isHashed ? 'public, max-age=31536000, immutable' : 'no-cache',
      )
    },
  })
  fastify.addHook('onRequest', async (request, reply) => {
    if (!isPagePath(request)) return undefined
    addVary(reply, 'Accept')
    return isNavigation(request) ? reply.sendFile('index.html') : undefined
  })
}

function isPagePath({ method, url }: FastifyRequest): boolean {
  if (method !== 'GET' && method !== 'HEAD') return false
  const path = url.split('?', 1)[0] ?? ''
  return !callsOnly.has(path.split('/')[1] ?? '') && !isFile(path)
}

/** A name may contain a dot only if the last segment cannot be a file of ours: under /admin. */
function isFile(path: string): boolean {
  return extname(path) !== '' && !path.startsWith('/admin/')
}

/** No endpoint uses `/`: every request for it, even from a monitor, gets the page. */
function isNavigation(request: FastifyRequest): boolean {
  if (request.url.split('?', 1)[0] === '/') return true
  return (request.headers.accept ?? '').includes('text/html') && !hasCredential(request)
}
