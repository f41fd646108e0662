/** What makes two pairs the same: the sequence of their chain and the molecule that is predicted on. Nothing else computes it. */
import { createHash } from 'node:crypto'

/** Bytes of the key of a compound. */
export const COMPOUND_KEY_BYTES = 8

/** SHA-256 of the segments; the function `sequence_key` of the database computes the same. */
export function sequenceKey(segments: string[]): Buffer {
  return createHash('sha256').update(segments.join('/')).digest()
}

/** Head of the SHA-256 of the standard SMILES, which a compound of the library has as its `content_hash`. */
export function compoundKey(standardSmiles: string): Buffer {
  return compoundKeyOf(createHash('sha256').update(standardSmiles).digest())
}

export function compoundKeyOf(contentHash: Buffer): Buffer {
  return contentHash.subarray(0, COMPOUND_KEY_BYTES)
}
