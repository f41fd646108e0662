/** Reads one multipart upload as a stream, and stops at the first byte over the limit. */
import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import type { Multipart } from '@fastify/multipart'
import { type FileType, uploadFile } from '@pkdex/contract'
import type { FastifyRequest } from 'fastify'
import { AppError } from '#server/platform/errors.ts'
import { watchForStall } from '#server/platform/limits/watch-sender.ts'

/** `original`: the file that a table of compounds was read from; kept in place of the text made from it. */
export type Upload = {
  fileType: FileType
  original?: NamedContent | null | undefined
} & NamedContent

type NamedContent = { filename: string } & Content

/** Hashed while it is received: hashing a large file all at once would block other requests. */
type Content = { bytes: Buffer; sha256: Buffer }

/** Maximum bytes that the multipart envelope adds to the size of the file. */
const ENVELOPE_BYTES_MAX = 16 * 1024

export async function readUpload(
  request: FastifyRequest,
  { bytesMax, stallMsMax }: { bytesMax: number; stallMsMax: number },
): Promise<Upload> {
  const watch = watchForStall(request, stallMsMax)
  const { fields, file, original } = await readParts(request, bytesMax).finally(watch.end)
  const body = uploadFile.body.safeParse(fields)
  if (!body.success) {
    throw new AppError('invalid_request', 'file_type must be protein_pdb or drug_smiles.')
  }
  if (file === null) throw new AppError('invalid_request', 'The upload has no “file” part.')
  return { fileType: body.data.file_type, ...file, original }
}

/** The declared size, or the maximum if none is declared; a declared size over the limit is rejected. */
export function declaredBytes(request: FastifyRequest, bytesMax: number): number {
  const { 'content-length': declared } = request.headers
  const most = bytesMax + ENVELOPE_BYTES_MAX
  if (declared === undefined) return most
  if (Number(declared) > most) throw tooLarge(bytesMax)
  return Number(declared)
}

type Parts = {
  fields: Record<string, unknown>
  file: NamedContent | null
  original: NamedContent | null
}

async function readParts(request: FastifyRequest, bytesMax: number): Promise<Parts> {
  const parts: Parts = { fields: {}, file: null, original: null }
  try {
    for await (const part of request.parts({ limits: limits(bytesMax) })) {
      await keepPart(parts, part, bytesMax)
    }
    return parts
  } catch (error) {
    if (error instanceof AppError || isNotMultipart(error)) throw error
    if (hasCode(error, 'FST_FILES_LIMIT')) {
      throw severalFiles(error)
    }
    const message = 'The upload is incomplete or malformed.'
    throw new AppError('invalid_request', message, { cause: error })
  }
}

async function keepPart(parts: Parts, part: Multipart, bytesMax: number): Promise<void> {
  if (part.type === 'file') {
    // Typed as a string, but undefined if the part has no file name.
    const { filename = '' } = part as { filename?: string }
    const name = part.fieldname === 'original' ? 'original' : 'file'
    if (parts[name] !== null) throw severalFiles()
    // Both together must not be larger than one file.
    const received = (parts.file?.bytes.length ?? 0) + (parts.original?.bytes.length ?? 0)
    const left = { bytesMax, left: bytesMax - received }
    parts[name] = { filename, ...(await readContent(part.file, left)) }
  } else {
    parts.fields[part.fieldname] = part.value
  }
}

function severalFiles(cause?: unknown): AppError {
  return new AppError('invalid_request', 'Send one file per request.', { cause })
}

async function readContent(
  stream: Readable,
  { bytesMax, left }: { bytesMax: number; left: number },
): Promise<Content> {
  const chunks: Buffer[] = []
  const hash = createHash('sha256')
  let size = 0
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > left) throw tooLarge(bytesMax)
    hash.update(chunk)
    chunks.push(chunk)
  }
  return { bytes: Buffer.concat(chunks), sha256: hash.digest() }
}

/** One byte over our limit, so our error is raised before the parser's. */
function limits(bytesMax: number) {
  return { fileSize: bytesMax + 1, files: 2, fields: 4, parts: 6, fieldSize: 1000 }
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
    `The file is larger than the limit of ${readableBytes(bytesMax)}.`,
  )
}

export function readableBytes(bytes: number): string {
  if (bytes < 1) return '0 Bytes'
  const units = ['Bytes', 'KB', 'MB', 'GB']
  const step = Math.min(units.length - 1, Math.floor(Math.log(bytes) / Math.log(1024)))
  return `${(bytes / 1024 ** step).toFixed(2)} ${units[step]}`
}
