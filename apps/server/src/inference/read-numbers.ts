import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'

/** Gzipped whole numbers of 32 bits each, the lowest byte first, on any machine. */
export function readNumbers(file: string): Uint32Array {
  const bytes = gunzipSync(readFileSync(file))
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return Uint32Array.from({ length: bytes.length / 4 }, (_, at) => view.getUint32(at * 4, true))
}
