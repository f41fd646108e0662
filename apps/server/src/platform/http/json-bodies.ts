/**
 * Reads JSON bodies. What a body may become in memory is limited while it is received: 31 MB of `{"33":0}` would take
 * more than a gigabyte once parsed. Accepts JSON only; an empty body counts as none.
 */
import { Transform, type TransformCallback } from 'node:stream'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import { AppError } from '#server/platform/errors.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Maximum number of values in a JSON body. */
    partsMax?: number
  }
}

/** For endpoints whose schema does not bound their lists. */
const PARTS_MAX = 20_000

export function readJsonBodies(fastify: FastifyInstance): void {
  fastify.addHook('preParsing', async (request, _reply, body) => {
    if (!isJson(request)) return body
    const { partsMax = PARTS_MAX } = request.routeOptions.config
    const counter = new PartCounter(partsMax)
    body.on('error', (error) => counter.destroy(error))
    return body.pipe(counter)
  })
  fastify.removeAllContentTypeParsers()
  fastify.addContentTypeParser(
    'application/json',
    { parseAs: 'string' },
    async (_request: unknown, text: string) => (text.trim() === '' ? undefined : parseJson(text)),
  )
  fastify.addContentTypeParser(
    '*',
    { parseAs: 'string' },
    async (_request: unknown, text: string) => {
      if (text === '') return
      throw new AppError('wrong_file_type', 'This kind of content is not accepted here.')
    },
  )
}

function isJson({ headers }: FastifyRequest): boolean {
  return headers['content-type']?.startsWith('application/json') ?? false
}

const [QUOTE, BACKSLASH, COMMA, BRACKET, BRACE] = Buffer.from('"\\,[{')

/** Counts commas and opening brackets outside of strings: the number of values is at most one more. */
class PartCounter extends Transform {
  /** Of the bytes as sent; Fastify compares it with the declared length. */
  receivedEncodedLength = 0
  readonly #partsMax: number
  #parts = 0
  #isInString = false
  #isEscaped = false

  constructor(partsMax: number) {
    super()
    this.#partsMax = partsMax
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.receivedEncodedLength += chunk.length
    this.#count(chunk)
    if (this.#parts <= this.#partsMax) return done(null, chunk)
    const most = this.#partsMax.toLocaleString('en')
    done(new AppError('file_too_large', `The request has too many values (at most ${most}).`))
  }

  #count(chunk: Buffer): void {
    for (let at = 0; at < chunk.length; at++) {
      const byte = chunk[at]
      if (this.#isEscaped) this.#isEscaped = false
      else if (byte === QUOTE) this.#isInString = !this.#isInString
      else if (this.#isInString) this.#isEscaped = byte === BACKSLASH
      else if (byte === COMMA || byte === BRACKET || byte === BRACE) this.#parts++
    }
  }
}

/** Rejects NUL, which PostgreSQL cannot store. */
function parseJson(text: string): unknown {
  if (text.includes(String.raw`\u0000`) || text.includes('\0')) {
    throw new AppError('invalid_request', 'The request contains a NUL character.')
  }
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new AppError('invalid_request', 'The request body is not valid JSON.', { cause: error })
  }
}

/**
 * How many values a body of this shape can have, with room for a list that is somewhat too long, so that its own
 * message names it.
 */
export function partsMaxOf(shape: z.ZodType): number {
  const parts = countParts(shape)
  return Number.isFinite(parts) ? Math.max(1000, 2 * parts) : PARTS_MAX
}

type Definition = {
  type: string
  element?: z.ZodType
  shape?: Record<string, z.ZodType>
  options?: z.ZodType[]
  items?: z.ZodType[]
  in?: z.ZodType
  innerType?: z.ZodType
  checks?: { _zod: { def: { maximum?: number } } }[]
}

function countParts(shape: z.ZodType): number {
  const { type, ...parts } = shape.def as Definition
  if (type === 'record') return Infinity
  if (type === 'union') return Math.max(1, ...(parts.options ?? []).map(countParts))
  if (parts.element) return 1 + lengthMaxOf(parts) * countParts(parts.element)
  const members = parts.shape ? Object.values(parts.shape) : parts.items
  if (members) return members.reduce((sum, one) => sum + countParts(one), 1)
  const inner = parts.in ?? parts.innerType
  return inner ? countParts(inner) : 1
}

function lengthMaxOf({ checks = [] }: Pick<Definition, 'checks'>): number {
  return Math.min(Infinity, ...checks.map(({ _zod: { def } }) => def.maximum ?? Infinity))
}
