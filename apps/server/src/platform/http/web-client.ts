/**
 * Serves the built web client from the origin of the API. Some pages share a path with a call: there a
 * browser that follows a link gets the client, and everything else gets the call.
 */
import { existsSync } from 'node:fs'
import { extname, join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { addVary } from './compress-answers.ts'
import { hasCredential } from './route.ts'

/** First segments of paths that are never a page, whatever the browser accepts. */
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
    fastify.log.warn({ webDir }, 'no web client is built: this process answers calls only')
    return
  }
  await fastify.register(fastifyStatic, {
    root: webDir,
    wildcard: true,
    cacheControl: false,
    index: false,
    // The build leaves .br and .gz beside what is worth it; Accept-Encoding chooses.
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

/** A name may hold a dot only where the last segment cannot be a file of ours: under /admin. */
function isFile(path: string): boolean {
  return extname(path) !== '' && !path.startsWith('/admin/')
}

/** No call is at `/`: whoever asks for it, be it a monitor, gets the page. */
function isNavigation(request: FastifyRequest): boolean {
  if (request.url.split('?', 1)[0] === '/') return true
  return (request.headers.accept ?? '').includes('text/html') && !hasCredential(request)
}
