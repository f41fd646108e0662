/** Content security policy of our pages, and the origins that may use the API. */
import cors from '@fastify/cors'
import helmet from '@fastify/helmet'
import { ADMIN_EMAIL_HEADER, ADMIN_KEY_HEADER, API_KEY_HEADER } from '@pkdex/contract'
import { PAGE_ID_HEADER, TOTAL_COUNT_HEADER } from '@pkdex/contract'
import type { FastifyInstance } from 'fastify'

export type SecuritySettings = {
  /** Other origins whose pages may call the API. */
  allowedOrigins: string[]
  /** An external identity provider serves the script of the sign-in page. */
  identity: { kind: 'google'; scriptUrl: string } | { kind: 'development' | 'none' }
}

export async function addSecurityHeaders(
  fastify: FastifyInstance,
  config: SecuritySettings,
): Promise<void> {
  await fastify.register(helmet, {
    contentSecurityPolicy: { useDefaults: false, directives: directives(config) },
    // Google's sign-in window reports to the page that opened it.
    crossOriginOpenerPolicy: { policy: 'same-origin-allow-popups' },
    frameguard: { action: 'deny' },
    referrerPolicy: { policy: 'strict-origin-when-cross-origin' },
  })
  if (config.allowedOrigins.length > 0) await fastify.register(cors, corsOptions(config))
}

function directives({ identity }: SecuritySettings): Record<string, string[]> {
  const google = identity.kind === 'google' ? [new URL(identity.scriptUrl).origin] : []
  return {
    'default-src': ["'self'"],
    'script-src': ["'self'", ...google],
    // The component library sets styles on elements.
    'style-src': ["'self'", "'unsafe-inline'", ...google],
    'img-src': ["'self'", 'data:', 'blob:'],
    'font-src': ["'self'", 'data:'],
    'connect-src': ["'self'", ...google],
    'frame-src': google.length > 0 ? google : ["'none'"],
    'worker-src': ["'self'", 'blob:'],
    'object-src': ["'none'"],
    'base-uri': ["'self'"],
    'form-action': ["'self'"],
    'frame-ancestors': ["'none'"],
  }
}

function corsOptions({ allowedOrigins }: SecuritySettings) {
  return {
    origin: allowedOrigins,
    methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
    allowedHeaders: [
      'Content-Type',
      'Authorization',
      API_KEY_HEADER,
      PAGE_ID_HEADER,
      ADMIN_KEY_HEADER,
      ADMIN_EMAIL_HEADER,
      'Idempotency-Key',
      'Prefer',
      'Last-Event-ID',
    ],
    exposedHeaders: [TOTAL_COUNT_HEADER, 'Retry-After', 'X-Request-Id', 'Content-Disposition'],
    maxAge: 600,
  }
}
