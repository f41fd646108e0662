/**
 * Morgan fingerprints, radius 2, folded to 1,024 bits: used to compare compounds and to find the closest training
 * compound. 32 bits per word, lowest first; the index contains no structures.
 */
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

/** Positions of the set bits. */
export function bitsIn(fingerprint: Uint32Array): number[] {
  const places: number[] = []
  for (const [at, word] of fingerprint.entries()) {
    for (let left = word; left !== 0; left &= left - 1) {
      places.push(at * 32 + 31 - Math.clz32(left & -left))
    }
  }
  return places
}

export type CompoundNeighbours = {
  /** Tanimoto similarity to the closest training compound, of folded Morgan fingerprints, radius 2. */
  nearest(bits: number[]): number
}

/** Rows of a part have 16-bit numbers. */
const PART_ROWS = 65_536

/** `words`: concatenated fingerprints. */
export function indexFingerprints(words: Uint32Array): CompoundNeighbours {
  const count = words.length / FINGERPRINT_WORDS
  const parts = Array.from({ length: Math.ceil(count / PART_ROWS) }, (_, part) => {
    const from = part * PART_ROWS * FINGERPRINT_WORDS
    return indexPart(words.subarray(from, from + PART_ROWS * FINGERPRINT_WORDS))
  })
  return { nearest: (bits) => parts.reduce((best, part) => part(bits, best), 0) }
}

/** For each bit, the rows that have it. Index loops on purpose: a query runs over every training compound. */
function indexPart(words: Uint32Array): (bits: number[], best: number) => number {
  const count = words.length / FINGERPRINT_WORDS
  const sizes = new Uint16Array(count)
  const starts = new Uint32Array(FOLDED_BITS + 1)
  for (let row = 0; row < count; row += 1) {
    for (const bit of rowBits(words, row)) {
      sizes[row] = (sizes[row] as number) + 1
      starts[bit + 1] = (starts[bit + 1] as number) + 1
    }
  }
  for (let bit = 0; bit < FOLDED_BITS; bit += 1) {
    starts[bit + 1] = (starts[bit + 1] as number) + (starts[bit] as number)
  }
  const ends = starts.slice()
  const holders = new Uint16Array(starts[FOLDED_BITS] as number)
  for (let row = 0; row < count; row += 1) {
    for (const bit of rowBits(words, row)) {
      const end = ends[bit] as number
      holders[end] = row
      ends[bit] = end + 1
    }
  }
  const shared = new Uint16Array(count)

  return (bits, from) => {
    shared.fill(0)
    for (const bit of bits) {
      const end = starts[bit + 1] as number
      for (let at = starts[bit] as number; at < end; at += 1) {
        const row = holders[at] as number
        shared[row] = (shared[row] as number) + 1
      }
    }
    let best = from
    for (let row = 0; row < count; row += 1) {
      const both = shared[row] as number
      const either = bits.length + (sizes[row] as number) - both
      if (both > best * either) best = both / either
    }
    return best
  }
}

function rowBits(words: Uint32Array, row: number): number[] {
  return bitsIn(words.subarray(row * FINGERPRINT_WORDS, (row + 1) * FINGERPRINT_WORDS))
}

/** Bits that two of many concatenated fingerprints share. */
export function sharedBetween(words: Uint32Array, row: number, other: number): number {
  const [start, from] = [row * FINGERPRINT_WORDS, other * FINGERPRINT_WORDS]
  let shared = 0
  for (let at = 0; at < FINGERPRINT_WORDS; at += 1) {
    shared += bitsInWord((words[start + at] as number) & (words[from + at] as number))
  }
  return shared
}

/** Tanimoto similarity to one of many concatenated fingerprints. */
export function similarityOf(query: Uint32Array, words: Uint32Array, row: number): number {
  const start = row * FINGERPRINT_WORDS
  const shared = countShared(query, words, start)
  const other = countBits(words.subarray(start, start + FINGERPRINT_WORDS))
  return shared / Math.max(countBits(query) + other - shared, 1)
}

/** An index loop without bounds checks on purpose: it runs over every training compound. */
function countShared(query: Uint32Array, words: Uint32Array, start: number): number {
  let shared = 0
  for (let at = 0; at < FINGERPRINT_WORDS; at += 1) {
    shared += bitsInWord((query[at] as number) & (words[start + at] as number))
  }
  return shared
}

function countBits(words: Uint32Array): number {
  return words.reduce((sum, word) => sum + bitsInWord(word), 0)
}

function bitsInWord(word: number): number {
  const pairs = word - ((word >>> 1) & 0x55555555)
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333)
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}
