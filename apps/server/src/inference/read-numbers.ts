import { readFileSync } from 'node:fs'
import { endianness } from 'node:os'
import { gunzipSync } from 'node:zlib'

/** Gzipped whole numbers of 32 bits each, the lowest byte first, on any machine. */
export function readNumbers(file: string): Uint32Array {
  const bytes = gunzipSync(readFileSync(file))
  if (endianness() === 'BE') bytes.swap32()
  // A copy of its own begins where a word may begin, which what was unzipped need not.
  return new Uint32Array(Uint8Array.from(bytes).buffer)
}
