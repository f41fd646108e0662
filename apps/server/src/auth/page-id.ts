/** The browser page that a call comes from, where it says so. */
import { PAGE_ID_HEADER } from '@pkdex/contract'
import type { FastifyRequest } from 'fastify'
import { AppError } from '#server/http/app-error.ts'
import { readHeader } from '#server/http/route.ts'

export function readPageId(request: FastifyRequest): string | null {
  const pageId = readHeader(request, PAGE_ID_HEADER)
  if (pageId === undefined) return null
  // Taking a malformed one for none would end the session of somebody who only closed a page.
  if (!/^[\w-]{1,100}$/.test(pageId)) {
    throw new AppError('invalid_request', `${PAGE_ID_HEADER} must be letters, digits, _ and -.`)
  }
  return pageId
}
