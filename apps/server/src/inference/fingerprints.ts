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
  /** Tanimoto similarity of folded Morgan fingerprints, radius 2. */
  nearest(fingerprint: Uint32Array): number
}

/** `words`: concatenated fingerprints. */
export function indexFingerprints(words: Uint32Array): CompoundNeighbours {
  const counts = Uint16Array.from({ length: words.length / FINGERPRINT_WORDS }, (_, row) =>
    countBits(words.subarray(row * FINGERPRINT_WORDS, (row + 1) * FINGERPRINT_WORDS)),
  )

  const bySize = Uint32Array.from(counts.keys()).sort(
    (one, other) => (counts[one] ?? 0) - (counts[other] ?? 0),
  )
  const sizes = Uint16Array.from(bySize, (row) => counts[row] ?? 0)
  const sorted = inOrder(words, bySize)

  /** Upper bound on the similarity: shared bits are at most the smaller set, all bits at least the larger. */
  function isHopeless(bits: number, place: number, best: number): boolean {
    const other = sizes[place] ?? 0
    return Math.min(bits, other) <= best * Math.max(bits, other)
  }

  // Searches outwards from sets of the query's size: each direction stops at the first size that cannot win.
  function nearest(query: Uint32Array): number {
    const bits = countBits(query)
    const start = firstNotBelow(sizes, bits)
    let [up, down, best] = [start, start - 1, 0]
    while (up < sizes.length || down >= 0) {
      const isUp = up < sizes.length && !isHopeless(bits, up, best)
      const isDown = down >= 0 && !isHopeless(bits, down, best)
      if (!isUp && !isDown) break
      if (isUp) best = Math.max(best, similarity(query, bits, up++))
      if (isDown) best = Math.max(best, similarity(query, bits, down--))
    }
    return best
  }

  function similarity(query: Uint32Array, bits: number, place: number): number {
    const shared = countShared(query, sorted, place * FINGERPRINT_WORDS)
    return shared / (bits + (sizes[place] ?? 0) - shared)
  }

  return { nearest }
}

/** Concatenates the fingerprints of these rows, for sequential memory access. */
function inOrder(words: Uint32Array, rows: Uint32Array): Uint32Array {
  const sorted = new Uint32Array(words.length)
  for (const [place, row] of rows.entries()) {
    const from = row * FINGERPRINT_WORDS
    sorted.set(words.subarray(from, from + FINGERPRINT_WORDS), place * FINGERPRINT_WORDS)
  }
  return sorted
}

/** Tanimoto similarity to one of many concatenated fingerprints. */
export function similarityOf(query: Uint32Array, words: Uint32Array, row: number): number {
  const start = row * FINGERPRINT_WORDS
  const shared = countShared(query, words, start)
  const other = countBits(words.subarray(start, start + FINGERPRINT_WORDS))
  return shared / Math.max(countBits(query) + other - shared, 1)
}

/** Index of the first of ascending sizes that is at least this one. */
function firstNotBelow(sizes: Uint16Array, size: number): number {
  let [low, high] = [0, sizes.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((sizes[middle] ?? 0) < size) low = middle + 1
    else high = middle
  }
  return low
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
