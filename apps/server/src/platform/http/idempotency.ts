/** The Idempotency-Key of a request, and whether a request with a used key repeats the earlier request. */
import { createHash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { AppError } from '#server/platform/errors.ts'
import { readHeader } from '#server/platform/limits/caller.ts'

const KEY_CHARACTERS_MAX = 200

/** Null if none was sent. */
export function readIdempotencyKey(request: FastifyRequest): string | null {
  const key = readHeader(request, 'Idempotency-Key') || null
  if ((key?.length ?? 0) <= KEY_CHARACTERS_MAX) return key
  throw new AppError(
    'invalid_request',
    `The Idempotency-Key is longer than ${KEY_CHARACTERS_MAX} characters.`,
  )
}

export function hashRequest(request: unknown): Buffer {
  return createHash('sha256').update(JSON.stringify(request)).digest()
}

/** `hash`: that of the earlier request with this key. */
export function expectSameRequest(hash: Buffer | null, request: unknown): void {
  if (hash?.equals(hashRequest(request)) === true) return
  throw new AppError('conflict', 'This Idempotency-Key was already used for a different request.')
}
