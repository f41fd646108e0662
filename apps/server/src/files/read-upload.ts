/** Reads one multipart upload as it streams in, and stops listening at the first byte too many. */
import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import type { Multipart } from '@fastify/multipart'
import { type FileType, uploadFile } from '@pkdex/contract'
import type { FastifyRequest } from 'fastify'
import { AppError } from '#server/platform/errors.ts'

export type Upload = { fileType: FileType; filename: string } & Content

/** The hash is taken as the bytes come in: all at once it would hold up everybody else. */
type Content = { bytes: Buffer; sha256: Buffer }

/** What the parts and their headers may add to the size of the file. */
const ENVELOPE_BYTES_MAX = 16 * 1024

export async function readUpload(
  request: FastifyRequest,
  { bytesMax, stallMsMax }: { bytesMax: number; stallMsMax: number },
): Promise<Upload> {
  const watch = watchForStall(request, stallMsMax)
  const { fields, file } = await readParts(request, bytesMax).finally(watch.end)
  const body = uploadFile.body.safeParse(fields)
  if (!body.success) {
    throw new AppError('invalid_request', 'The field file_type must be protein_pdb or drug_smiles.')
  }
  if (file === null) throw new AppError('invalid_request', 'The upload has no part file.')
  return { fileType: body.data.file_type, ...file }
}

/** As declared, or the most that it can be; a declared size that is too large is refused. */
export function declaredBytes(request: FastifyRequest, bytesMax: number): number {
  const { 'content-length': declared } = request.headers
  const most = bytesMax + ENVELOPE_BYTES_MAX
  if (declared === undefined) return most
  if (Number(declared) > most) throw tooLarge(bytesMax)
  return Number(declared)
}

type Parts = {
  fields: Record<string, unknown>
  file: ({ filename: string } & Content) | null
}

async function readParts(request: FastifyRequest, bytesMax: number): Promise<Parts> {
  const parts: Parts = { fields: {}, file: null }
  try {
    for await (const part of request.parts({ limits: limits(bytesMax) })) {
      await keepPart(parts, part, bytesMax)
    }
    return parts
  } catch (error) {
    if (error instanceof AppError || isNotMultipart(error)) throw error
    if (hasCode(error, 'FST_FILES_LIMIT')) {
      throw new AppError('invalid_request', 'Send one file in each request.', { cause: error })
    }
    const message = 'The upload is incomplete or malformed.'
    throw new AppError('invalid_request', message, { cause: error })
  }
}

async function keepPart(parts: Parts, part: Multipart, bytesMax: number): Promise<void> {
  if (part.type === 'file') {
    // Declared as a text, and yet missing where the part has no file name.
    const { filename = '' } = part as { filename?: string }
    parts.file = { filename, ...(await readContent(part.file, bytesMax)) }
  } else {
    parts.fields[part.fieldname] = part.value
  }
}

async function readContent(stream: Readable, bytesMax: number): Promise<Content> {
  const chunks: Buffer[] = []
  const hash = createHash('sha256')
  let size = 0
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > bytesMax) throw tooLarge(bytesMax)
    hash.update(chunk)
    chunks.push(chunk)
  }
  return { bytes: Buffer.concat(chunks), sha256: hash.digest() }
}

/** One byte above ours, so that ours is the one that speaks. */
function limits(bytesMax: number) {
  return { fileSize: bytesMax + 1, files: 1, fields: 4, parts: 5, fieldSize: 1000 }
}

function isNotMultipart(error: unknown): boolean {
  return hasCode(error, 'FST_INVALID_MULTIPART_CONTENT_TYPE')
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}

function tooLarge(bytesMax: number): AppError {
  return new AppError(
    'file_too_large',
    `The file is larger than ${readableBytes(bytesMax)}, the limit.`,
  )
}

export function readableBytes(bytes: number): string {
  if (bytes < 1) return '0 Bytes'
  const units = ['Bytes', 'KB', 'MB', 'GB']
  const step = Math.min(units.length - 1, Math.floor(Math.log(bytes) / Math.log(1024)))
  return `${(bytes / 1024 ** step).toFixed(2)} ${units[step]}`
}

/** An upload that sends nothing for this long is cut off: a laptop asleep, a network that was left. */
export const STALL_MS_MAX = 20_000

/** Whether the sender is still there: what nobody waits for holds nobody up. `gone` is aborted when the connection ends; call `end` with the answer, since a connection outlives it. */
export function watchConnection({ raw }: FastifyRequest): { gone: AbortSignal; end: () => void } {
  const leaving = new AbortController()
  const leave = () =>
    leaving.abort(new AppError('invalid_request', 'The upload was broken off before its end.'))
  raw.socket.once('close', leave)
  if (raw.destroyed) leave()
  return { gone: leaving.signal, end: () => raw.socket.off('close', leave) }
}

/** A process that had no time for a while looks before it reads what has come meanwhile: one look says nothing yet. */
const STALL_LOOKS = 4

/** Hangs up when no byte comes for too long; call `end` when the body is there. */
function watchForStall({ raw }: FastifyRequest, stallMsMax: number): { end: () => void } {
  let read = raw.socket.bytesRead
  let vainLooks = 0
  const look = () => {
    vainLooks = raw.socket.bytesRead === read ? vainLooks + 1 : 0
    read = raw.socket.bytesRead
    if (vainLooks === STALL_LOOKS) raw.socket.destroy()
  }
  const timer = setInterval(look, stallMsMax / STALL_LOOKS).unref()
  return { end: () => clearInterval(timer) }
}
