/** Reads JSON bodies. An empty one, of whatever type, is no body; a NUL, which PostgreSQL cannot store, is refused here for all. */
import type { FastifyInstance } from 'fastify'
import { AppError } from './app-error.ts'

const notAccepted = 'This kind of content is not accepted here.'

export function readJsonBodies(fastify: FastifyInstance): void {
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
      if (text !== '') throw new AppError('wrong_file_type', notAccepted)
    },
  )
}

function parseJson(text: string): unknown {
  if (text.includes(String.raw`\u0000`) || text.includes('\0')) {
    throw new AppError('invalid_request', 'The request holds a character that cannot be stored.')
  }
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new AppError('invalid_request', 'The request body is not valid JSON.', { cause: error })
  }
}
