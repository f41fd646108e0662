/** Reads the sign-in as a form, as OAuth clients send it. Every other call takes JSON only. */
import { requestAdminToken } from '@pkdex/contract'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { AppError } from '#server/http/app-error.ts'

export function readFormBodies(fastify: FastifyInstance): void {
  fastify.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    async (request: FastifyRequest, text: string) => {
      if (text === '') return undefined
      if (request.routeOptions.url !== requestAdminToken.path) {
        throw new AppError('wrong_file_type', 'This kind of content is not accepted here.')
      }
      const fields = Object.fromEntries(new URLSearchParams(text))
      if (Object.values(fields).some((value) => value.includes('\0'))) {
        throw new AppError('invalid_request', 'The form holds a character that is not accepted.')
      }
      return fields
    },
  )
}
