/** Writes typed arrays as .npy files, which NumPy opens without copying. */
import { closeSync, openSync, writeSync } from 'node:fs'

type NumericArray = Uint16Array | Uint32Array | Int32Array | Float32Array

const HEADER_ALIGNMENT = 64

export function writeArray(path: string, chunks: NumericArray[], columns?: number): void {
  const length = chunks.reduce((sum, chunk) => sum + chunk.length, 0)
  const shape = columns === undefined ? `(${length},)` : `(${length / columns}, ${columns})`
  const file = openSync(path, 'w')
  try {
    writeSync(file, header(typeName(chunks[0] ?? new Uint16Array()), shape))
    for (const chunk of chunks) {
      if (chunk.byteLength > 0) writeSync(file, bytesOf(chunk))
    }
  } finally {
    closeSync(file)
  }
}

/** Offset of each chunk in the array written from `chunks`, and the end of the last one. */
export function offsetsOf(chunks: { length: number }[]): Uint32Array {
  const offsets = new Uint32Array(chunks.length + 1)
  for (const [index, chunk] of chunks.entries()) {
    offsets[index + 1] = (offsets[index] ?? 0) + chunk.length
  }
  return offsets
}

function bytesOf(array: NumericArray): Uint8Array {
  return new Uint8Array(array.buffer, array.byteOffset, array.byteLength)
}

function typeName(array: NumericArray): string {
  if (array instanceof Uint16Array) return '<u2'
  if (array instanceof Uint32Array) return '<u4'
  return array instanceof Int32Array ? '<i4' : '<f4'
}

function header(type: string, shape: string): Buffer {
  const text = `{'descr': '${type}', 'fortran_order': False, 'shape': ${shape}, }`
  const prefix = 10
  const size = Math.ceil((prefix + text.length + 1) / HEADER_ALIGNMENT) * HEADER_ALIGNMENT - prefix
  const length = Buffer.alloc(2)
  length.writeUInt16LE(size)
  return Buffer.concat([
    Buffer.from('\u0093NUMPY\u0001\u0000', 'latin1'),
    length,
    Buffer.from(`${text.padEnd(size - 1)}\n`, 'latin1'),
  ])
}
