/**
 * Pages for API users: every endpoint at `/docs`, and the guide at `/docs/guide`. Everything comes from this server.
 */
import { readFile } from 'node:fs/promises'
import swagger, { type StaticDocumentSpec } from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import { version } from '#server/platform/version.ts'
import { describeApi } from './openapi.ts'
import { renderGuide } from './render-guide.ts'
import type { App } from './route.ts'

const guideFiles = ['api.md', 'columns.md'].map(
  (name) => new URL(`../../../../../docs/${name}`, import.meta.url),
)

export async function serveApiPages({ fastify, endpoints }: App): Promise<void> {
  const document = describeApi(endpoints)
  fastify.get('/openapi.json', async () => document)
  // The plugin's types declare the keys of the document as optional.
  const specification = { document } as unknown as StaticDocumentSpec
  await fastify.register(swagger, { mode: 'static', specification })
  await fastify.register(swaggerUi, {
    routePrefix: '/docs',
    staticCSP: false,
    // Replaces the library's top bar with our header. A link inside the button that opens an endpoint is a control
    // inside a control, which screen readers cannot handle.
    uiConfig: { layout: 'BaseLayout', deepLinking: false },
    theme: await readTheme(),
  })
  const pages = await Promise.all(guideFiles.map((file) => readFile(file, 'utf8')))
  const guide = renderGuide(pages.join('\n'))
  fastify.get('/docs/guide', async (_request, reply) =>
    reply.type('text/html; charset=utf-8').send(guide),
  )
}

async function readTheme() {
  const file = (name: string) => readFile(new URL(`browser/${name}`, import.meta.url), 'utf8')
  const [css, js, mark] = await Promise.all(['api-pages.css', 'api-pages.js', 'mark.svg'].map(file))
  return {
    title: 'API · pKdex',
    css: [{ filename: 'api-pages.css', content: css ?? '' }],
    js: [{ filename: 'api-pages.js', content: (js ?? '').replace('{version}', version) }],
    favicon: [
      {
        filename: 'mark.svg',
        rel: 'icon',
        type: 'image/svg+xml',
        sizes: 'any',
        content: mark ?? '',
      },
    ],
  }
}
