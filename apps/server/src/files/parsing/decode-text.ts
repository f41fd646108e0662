/** Text of uploaded bytes, gzipped or not. Says what the file is if it is not text. */
import { gunzipSync } from 'node:zlib'
import { parsed, unreadable, type Parsed } from '@pkdex/biochem'
import { decodeText as decodeBytes } from '@pkdex/intake'

/** Maximum size of a gzipped structure after decompression: more than twice the largest uncompressed upload. */
export const UNPACKED_BYTES_MAX = 64 * 1024 * 1024

/** The text of a structure, which may be gzipped. */
export function decodePackedText(bytes: Uint8Array): Parsed<string> {
  if (!(bytes[0] === 0x1f && bytes[1] === 0x8b)) return decodeText(bytes)
  try {
    return decodeText(gunzipSync(bytes, { maxOutputLength: UNPACKED_BYTES_MAX }))
  } catch (error) {
    const isTooLarge =
      error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE'
    return unreadable(0, isTooLarge ? tooLarge : 'This gzip archive is damaged or cut off.')
  }
}

const tooLarge = `Uncompressed, this file is larger than ${UNPACKED_BYTES_MAX / 1024 ** 2} MB.`

export function decodeText(bytes: Uint8Array): Parsed<string> {
  if (bytes.length === 0) return unreadable(0, 'The file is empty.')
  const kind = binaryKind(bytes)
  if (kind !== null) return unreadable(0, `This file is ${kind}, not text.`)
  const { text, encoding } = decodeBytes(bytes)
  const isUtf16 = encoding.startsWith('utf-16')
  if (!isUtf16 && isBinary(bytes)) return unreadable(0, 'This file contains binary data, not text.')
  return parsed(text)
}

const signatures: [string, string][] = [
  ['504b0304', 'a zip archive or an Office document'],
  ['504b0506', 'an empty zip archive'],
  ['1f8b', 'a gzip archive'],
  ['425a68', 'a bzip2 archive'],
  ['fd377a585a00', 'an xz archive'],
  ['377abcaf271c', 'a 7-Zip archive'],
  ['526172211a07', 'a RAR archive'],
  ['25504446', 'a PDF document'],
  ['d0cf11e0', 'an Office document'],
  ['89504e47', 'a picture'],
  ['ffd8ff', 'a picture'],
  ['47494638', 'a picture'],
  ['7f454c46', 'a program'],
]

function binaryKind(bytes: Uint8Array): string | null {
  const start = Buffer.from(bytes.subarray(0, 8)).toString('hex')
  return signatures.find(([signature]) => start.startsWith(signature))?.[1] ?? null
}

/** Text has no NUL and hardly any control characters. A single one is accepted here and reported with its line. */
function isBinary(bytes: Uint8Array): boolean {
  if (bytes.includes(0)) return true
  const sample = bytes.subarray(0, 65_536)
  let controls = 0
  for (const byte of sample) {
    if (byte < 9 || (byte > 13 && byte < 32 && byte !== 26)) controls += 1
  }
  return controls > sample.length / 100
}
