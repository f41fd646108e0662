/** `/openapi.json`, and `/docs` to read it; everything `/docs` loads comes from this server. */
import swagger, { type StaticDocumentSpec } from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import { describeApi } from './openapi.ts'
import type { App } from './route.ts'

export async function serveApiDocs({ fastify, endpoints }: App): Promise<void> {
  const document = describeApi(endpoints)
  fastify.get('/openapi.json', async () => document)
  // The plugin's types know the document's keys, we know that they are there.
  const specification = { document } as unknown as StaticDocumentSpec
  await fastify.register(swagger, { mode: 'static', specification })
  await fastify.register(swaggerUi, { routePrefix: '/docs', staticCSP: false })
}
