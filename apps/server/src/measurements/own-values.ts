/** Converts measured values for the own-values model, and packs the features of compounds for storage. */
import { kernelDescriptorNames, type KernelFeatures } from '@pkdex/biochem'
import {
  bitsIn,
  type BoundedValue,
  type Estimate,
  FINGERPRINT_WORDS,
  foldMorgan,
} from '#server/inference/service.ts'
import type { MeasuredCompound } from './combine.ts'
import type { Predicted } from './store.ts'

export function toOwnValue(compound: MeasuredCompound): BoundedValue {
  const { pk, bound, predicted, halfWidth, fingerprint } = compound
  return { measured: pk, bound, predicted, halfWidth, ...unpackCompound(fingerprint) }
}

/** The features by which the kernel compares compounds. */
export type KernelCompound = Pick<Estimate, 'bits' | 'descriptors'>

const FINGERPRINT_BYTES = FINGERPRINT_WORDS * 4
const PACKED_BYTES = FINGERPRINT_BYTES + kernelDescriptorNames.length * 4

/** Fingerprint and descriptors, four bytes each, little-endian on every machine. */
export function packCompound({ bits, descriptors }: KernelFeatures): Buffer {
  const packed = Buffer.alloc(PACKED_BYTES)
  for (const [at, word] of foldMorgan(bits).entries()) packed.writeUInt32LE(word, at * 4)
  for (const [at, value] of descriptors.entries()) {
    packed.writeFloatLE(value, FINGERPRINT_BYTES + at * 4)
  }
  return packed
}

export function unpackCompound(packed: Buffer): KernelCompound {
  const words = Uint32Array.from({ length: FINGERPRINT_WORDS }, (_, at) =>
    packed.readUInt32LE(at * 4),
  )
  const descriptors = kernelDescriptorNames.map((_, at) =>
    packed.readFloatLE(FINGERPRINT_BYTES + at * 4),
  )
  return { bits: bitsIn(words), descriptors }
}

/** Values stored before descriptors existed have only a fingerprint. */
export function isWithoutDescriptors({ fingerprint }: Pick<Predicted, 'fingerprint'>): boolean {
  return fingerprint.length < PACKED_BYTES
}
