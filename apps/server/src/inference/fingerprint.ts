/** Morgan fingerprints, radius 2, folded to 1,024 bits: what compounds are compared by. 32 bits a word, the lowest first. */
const FOLDED_BITS = 1024
/** The Morgan block is the first of the spec. */
const MORGAN_BITS = 2048
export const FINGERPRINT_WORDS = FOLDED_BITS / 32

/** `bits`: all of a compound's bits, in order. */
export function foldMorgan(bits: Uint16Array): Uint32Array {
  const folded = new Uint32Array(FINGERPRINT_WORDS)
  for (const position of bits) {
    if (position >= MORGAN_BITS) break
    const bit = position % FOLDED_BITS
    folded[bit >> 5] = (folded[bit >> 5] ?? 0) | (1 << (bit & 31))
  }
  return folded
}

/** The places of the bits that are set. */
export function bitsIn(fingerprint: Uint32Array): number[] {
  const places: number[] = []
  for (const [at, word] of fingerprint.entries()) {
    for (let left = word; left !== 0; left &= left - 1) {
      places.push(at * 32 + 31 - Math.clz32(left & -left))
    }
  }
  return places
}
