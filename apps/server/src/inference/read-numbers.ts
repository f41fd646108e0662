import { readFileSync } from 'node:fs'
import { endianness } from 'node:os'
import { gunzipSync } from 'node:zlib'

/** Reads gzipped 32-bit integers, little-endian on any machine. */
export function readNumbers(file: string): Uint32Array {
  const bytes = gunzipSync(readFileSync(file))
  if (endianness() === 'BE') bytes.swap32()
  // A copy is aligned to words, which the unzipped buffer need not be.
  return new Uint32Array(Uint8Array.from(bytes).buffer)
}

/** The same for 16-bit floating-point numbers. */
export function readHalves(file: string): Float16Array {
  const bytes = gunzipSync(readFileSync(file))
  if (endianness() === 'BE') bytes.swap16()
  return new Float16Array(Uint8Array.from(bytes).buffer)
}
