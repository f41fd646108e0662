/** Turns anything thrown into the standard error body, and logs unexpected errors. */
import type { Socket } from 'node:net'
import { type ErrorBody, type ErrorCode, errorStatus } from '@pkdex/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '#server/platform/errors.ts'
import { diskFull } from '#server/platform/db/embedded/disk-watch.ts'
import { isDatabaseOutage, isDatabaseFull } from '#server/platform/db/outages.ts'

const RETRY_AFTER_SECONDS = 5

export function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const known = error instanceof AppError ? error : (fromOutage(error) ?? fromFramework(error))
  logCause(known ?? error, request)
  if (known !== null && asksForPatience.has(known.code)) {
    void reply.header('Retry-After', known.retryAfterSeconds ?? RETRY_AFTER_SECONDS)
  }
  void reply.status(errorStatus[known?.code ?? 'internal'])
  void reply.type('application/json; charset=utf-8')
  void reply.send(JSON.stringify(errorBody(known, request.id)))
}

const asksForPatience = new Set<ErrorCode>(['too_many_requests', 'unavailable'])

/** Client errors are not logged. */
function logCause(error: unknown, { log }: FastifyRequest): void {
  if (!(error instanceof AppError)) log.error({ err: error }, 'request failed')
  else if (error.code === 'unavailable') log.warn({ err: error.cause ?? error }, error.message)
  else if (tellsWho.has(error.code)) log.info({ reason: withoutEmails(error.message) }, 'refused')
}

/** Why a request was rejected. */
const tellsWho = new Set<ErrorCode>(['not_signed_in', 'forbidden'])

function withoutEmails(sentence: string): string {
  const words = sentence.split(' ')
  return words.map((word) => (word.includes('@') ? '(email)' : word)).join(' ')
}

/** For bytes that are not an HTTP request: there is only a socket, no request or reply. */
export function refuseConnection(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const refusal = new AppError('invalid_request', 'Malformed request.')
  const body = JSON.stringify(errorBody(refusal, ''))
  socket.end(
    `HTTP/1.1 400 Bad Request\r\nContent-Type: application/json; charset=utf-8\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  )
}

function errorBody(error: AppError | null, requestId: string): ErrorBody {
  if (error !== null) return { detail: error.message, message: error.message, code: error.code }
  const message = 'Something went wrong on our side.'
  return { detail: message, message, code: 'internal', request_id: requestId }
}

function fromOutage(error: unknown): AppError | null {
  if (isDatabaseFull(error)) return diskFull(error)
  if (!isDatabaseOutage(error)) return null
  const message = 'The database is not responding. Try again in a few seconds.'
  return new AppError('unavailable', message, { cause: error })
}

/** Requests that fastify rejected before they reached a route. */
function fromFramework(error: unknown): AppError | null {
  if (!(error instanceof Error)) return null
  const { code, statusCode } = error as { code?: unknown; statusCode?: unknown }
  const answer = typeof code === 'string' ? frameworkAnswers[code] : undefined
  if (answer !== undefined) return new AppError(...answer, { cause: error })
  if (typeof statusCode !== 'number' || statusCode < 400 || statusCode > 499) return null
  return new AppError('invalid_request', 'Malformed request.', { cause: error })
}

const notJson: [ErrorCode, string] = ['invalid_request', 'The request body is not valid JSON.']
const notForm: [ErrorCode, string] = ['invalid_request', 'The upload is incomplete or malformed.']

const frameworkAnswers: Record<string, [ErrorCode, string]> = {
  FST_ERR_CTP_BODY_TOO_LARGE: ['file_too_large', 'The request is too large.'],
  FST_ERR_CTP_INVALID_MEDIA_TYPE: ['wrong_file_type', 'This kind of content is not accepted here.'],
  FST_ERR_CTP_INVALID_JSON_BODY: notJson,
  FST_ERR_CTP_EMPTY_JSON_BODY: notJson,
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: notForm,
  FST_ERR_BAD_URL: ['not_found', 'No such endpoint.'],
  FST_ERR_ASYNC_CONSTRAINT: ['not_found', 'No such endpoint.'],
  FST_INVALID_MULTIPART_CONTENT_TYPE: ['wrong_file_type', 'Upload files as multipart/form-data.'],
}
