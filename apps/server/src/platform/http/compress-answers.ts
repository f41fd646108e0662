/**
 * Compresses API responses. Not compressed: short ones, streams, and responses with keys or tokens (BREACH
 * attack).
 */
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The response contains a key, a token or another secret: it is never compressed. */
    holdsSecret?: boolean
  }
}

/** Below this, compression saves less than a packet. */
const COMPRESSED_BYTES_MIN = 1024
/** A list of 1.5 MB takes about 15 ms at this level, and is less than a quarter smaller at the best one. */
const BROTLI_QUALITY = 4

const textTypes =
  /^(?:application\/(?:json|javascript|yaml)|text\/(?!event-stream)|image\/svg\+xml)/

const encoders = {
  br: (bytes: Buffer) =>
    promisify(brotliCompress)(bytes, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY,
        [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
      },
    }),
  gzip: (bytes: Buffer) => promisify(gzip)(bytes),
}

type Encoding = keyof typeof encoders

export function compressAnswers(fastify: FastifyInstance): void {
  fastify.addHook('onSend', async (request, reply, payload) => {
    const bytes = readBytes(payload)
    if (bytes === null || !isCompressible(request, reply, bytes)) return payload
    addVary(reply, 'Accept-Encoding')
    const encoding = chooseEncoding(request.headers['accept-encoding'])
    if (encoding === null) return payload
    const compressed = await encoders[encoding](bytes)
    void reply.header('Content-Encoding', encoding).removeHeader('Content-Length')
    return compressed
  })
}

function readBytes(payload: unknown): Buffer | null {
  if (typeof payload === 'string') return Buffer.from(payload)
  return Buffer.isBuffer(payload) ? payload : null
}

function isCompressible(
  { method, routeOptions }: FastifyRequest,
  reply: FastifyReply,
  { length }: Buffer,
): boolean {
  if (method === 'HEAD' || length < COMPRESSED_BYTES_MIN) return false
  if (routeOptions.config?.holdsSecret === true || reply.hasHeader('Content-Encoding')) return false
  return textTypes.test(String(reply.getHeader('Content-Type') ?? ''))
}

/** Our best encoding that the client accepts; null if there is none. */
export function chooseEncoding(accepted: string | string[] | undefined): Encoding | null {
  const weights = new Map(
    String(accepted ?? '')
      .toLowerCase()
      .split(',')
      .map((part) => {
        const [name = '', ...parameters] = part.split(';').map((text) => text.trim())
        const weight = parameters.find((text) => text.startsWith('q='))?.slice(2)
        return [name, weight === undefined ? 1 : Number(weight) || 0] as const
      }),
  )
  const weightOf = (name: Encoding) => weights.get(name) ?? weights.get('*') ?? 0
  const [br, gz] = [weightOf('br'), weightOf('gzip')]
  if (br === 0 && gz === 0) return null
  return br >= gz ? 'br' : 'gzip'
}

/** Whether responses of this shape contain a secret, judged by field names. */
export function holdsSecret(answer: z.ZodType): boolean {
  const schema = z.toJSONSchema(answer, { io: 'input', unrepresentable: 'any' })
  return /"(?:\w*_)?(?:key|keys|token|nonce|secret|password)":/i.test(JSON.stringify(schema))
}

/** Adds to Vary: the response depends on this request header. */
export function addVary(reply: FastifyReply, name: string): void {
  const before = reply.getHeader('Vary')
  void reply.header('Vary', before === undefined ? name : `${String(before)}, ${name}`)
}
