import { readFileSync } from 'node:fs'
import { endianness } from 'node:os'
import { gunzipSync } from 'node:zlib'

/** Reads gzipped 32-bit integers, little-endian on any machine. */
export function readNumbers(file: string): Uint32Array {
  const bytes = unzip(file, 4)
  if (endianness() === 'BE') bytes.swap32()
  return new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4)
}

/** The same for 16-bit floating-point numbers. */
export function readHalves(file: string): Float16Array {
  const bytes = unzip(file, 2)
  if (endianness() === 'BE') bytes.swap16()
  return new Float16Array(bytes.buffer, bytes.byteOffset, bytes.length / 2)
}

/** Into one buffer, whose length is at the end of a zipped file. `size`: bytes of a number. */
function unzip(file: string, size: number): Buffer {
  const zipped = readFileSync(file)
  const length = zipped.readUInt32LE(zipped.length - 4)
  if (length % size !== 0) throw new Error(`${file} does not contain whole numbers`)
  return gunzipSync(zipped, { chunkSize: Math.max(length + 1, 64) })
}
