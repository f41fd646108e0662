/**
 * A compound's features as stored, in about 0.8 kB: a checksum, four bytes per descriptor, and one or two bytes per bit.
 * The checksum includes the feature spec and a version, so those of others and damaged ones are computed whenever they are
 * needed; they are stored again with the compound's properties.
 */
import type { CompoundFeatures } from './compound-features.ts'
import { featureSpec, featureSpecHash } from './feature-spec.ts'

const DESCRIPTORS_AT = 4
const DESCRIPTORS = featureSpec.compound.descriptors.length
const BITS_AT = DESCRIPTORS_AT + DESCRIPTORS * 4

/** Each bit is stored as its distance to the one before; a distance of 128 or more takes two bytes, low bits first. */
export function packFeatures({ bits, descriptors }: CompoundFeatures): Uint8Array {
  const bytes = new Uint8Array(BITS_AT + bits.length * 2)
  const view = new DataView(bytes.buffer)
  for (const [at, value] of descriptors.entries()) {
    view.setFloat32(DESCRIPTORS_AT + at * 4, value, true)
  }
  let at = BITS_AT
  let before = 0
  for (const bit of bits) {
    const distance = bit - before
    if (distance < 128) bytes[at++] = distance
    else {
      bytes[at++] = 128 | (distance & 127)
      bytes[at++] = distance >> 7
    }
    before = bit
  }
  const packed = bytes.subarray(0, at)
  view.setUint32(0, checksum(packed))
  return packed.slice()
}

/** Null for features of another spec, and for damaged ones. */
export function unpackFeatures(packed: Uint8Array): CompoundFeatures | null {
  if (packed.length < BITS_AT) return null
  const view = new DataView(packed.buffer, packed.byteOffset, packed.byteLength)
  if (view.getUint32(0) !== checksum(packed)) return null
  const descriptors = Float32Array.from({ length: DESCRIPTORS }, (_, at) =>
    view.getFloat32(DESCRIPTORS_AT + at * 4, true),
  )
  const bits = new Uint16Array(packed.length - BITS_AT)
  let count = 0
  let bit = 0
  for (let at = BITS_AT; at < packed.length; at += 1) {
    const byte = packed[at] ?? 0
    bit += byte < 128 ? byte : (byte & 127) | ((packed[++at] ?? 0) << 7)
    bits[count++] = bit
  }
  return { bits: bits.slice(0, count), descriptors }
}

/** Raise it with every change of how a bit or a descriptor is computed, such as another RDKit. */
const VERSION = 1
const SPEC = Number.parseInt(featureSpecHash.slice(0, 8), 16) ^ VERSION

/** FNV-1a, 32 bit, of everything after the checksum; begins with feature spec and version. */
function checksum(packed: Uint8Array): number {
  let hash = SPEC
  for (const byte of packed.subarray(DESCRIPTORS_AT)) hash = Math.imul(hash ^ byte, 0x01000193)
  return hash >>> 0
}
