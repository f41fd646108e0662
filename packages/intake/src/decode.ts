/** Bytes of a file as text: gzipped or not, UTF-16 with a byte order mark, UTF-8, otherwise Windows-1252. */
import { Gunzip } from 'fflate'

export type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252'

export function decodeText(bytes: Uint8Array): { text: string; encoding: Encoding } {
  const encoding = encodingOf(bytes)
  return { text: new TextDecoder(encoding).decode(bytes), encoding }
}

function encodingOf(bytes: Uint8Array): Encoding {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le'
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be'
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return 'utf-8'
  } catch {
    return 'windows-1252'
  }
}

/** More than three times the largest upload. */
const UNPACKED_BYTES_MAX = 64 * 1024 * 1024
const STEP_BYTES = 64 * 1024

/** The contents of a gzipped file; another file as it is. Throws an error with a message for the user. */
export function unpack(bytes: Uint8Array): Uint8Array {
  if (!(bytes[0] === 0x1f && bytes[1] === 0x8b)) return bytes
  const parts: Uint8Array[] = []
  let size = 0
  const stream = new Gunzip((part) => {
    size += part.length
    parts.push(part)
  })
  for (let at = 0; at < bytes.length; at += STEP_BYTES) {
    try {
      stream.push(bytes.subarray(at, at + STEP_BYTES), at + STEP_BYTES >= bytes.length)
    } catch (error) {
      throw new Error('This gzip archive is damaged or cut off.', { cause: error })
    }
    if (size > UNPACKED_BYTES_MAX) throw new Error('Unpacked, this file is larger than 64 MB.')
  }
  const all = new Uint8Array(size)
  let at = 0
  for (const part of parts) {
    all.set(part, at)
    at += part.length
  }
  return all
}

/** Text has no NUL and hardly any control characters. A single one is accepted, and reported with its line later. */
export function isBinary(bytes: Uint8Array): boolean {
  if (bytes.includes(0)) return true
  const sample = bytes.subarray(0, STEP_BYTES)
  const controls = sample.reduce(
    (sum, byte) => sum + (byte < 9 || (byte > 13 && byte < 32 && byte !== 26) ? 1 : 0),
    0,
  )
  return controls > sample.length / 100
}
