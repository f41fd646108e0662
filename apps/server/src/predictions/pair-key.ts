/**
 * The only place that defines when two pairs are the same: same chain sequence and same standard SMILES. Stereoisomers get the same number, so a pair is paid for by the key of its SMILES without stereochemistry.
 */
import { createHash } from 'node:crypto'

/** Length of a compound key in bytes. */
const COMPOUND_KEY_BYTES = 8

/** SHA-256 of the segments; the database function `sequence_key` must compute the same. */
export function sequenceKey(segments: string[]): Buffer {
  return createHash('sha256').update(segments.join('/')).digest()
}

/** First bytes of the SHA-256 of the standard SMILES, which is also the `content_hash` of a stored compound. */
export function compoundKey(standardSmiles: string): Buffer {
  return compoundKeyOf(createHash('sha256').update(standardSmiles).digest())
}

export function compoundKeyOf(contentHash: Buffer): Buffer {
  return contentHash.subarray(0, COMPOUND_KEY_BYTES)
}

/** Of a stored compound, whose `flat_key` is null if it has no stereochemistry. */
export function flatKeyOf(compound: { content_hash: Buffer; flat_key: Buffer | null }): Buffer {
  return compound.flat_key ?? compoundKeyOf(compound.content_hash)
}
