/** How near the nearest training compound is. The index holds folded fingerprints, no structures. */
import type { CompoundFeatures } from '@pkdex/biochem'
import { readWords } from './read-words.ts'

export type CompoundNeighbours = {
  /** Tanimoto similarity of folded Morgan fingerprints, radius 2. */
  nearest(features: CompoundFeatures): number
}

const FOLDED_BITS = 1024
const WORDS = FOLDED_BITS / 32
/** The Morgan block is the first of the spec. */
const MORGAN_BITS = 2048

export function openCompoundNeighbours(file: string): CompoundNeighbours {
  return indexFingerprints(readWords(file))
}

/** `words`: fingerprints one behind the other, 32 bits a word, the lowest bit first. */
export function indexFingerprints(words: Uint32Array): CompoundNeighbours {
  const counts = Uint16Array.from({ length: words.length / WORDS }, (_, row) =>
    countBits(words.subarray(row * WORDS, (row + 1) * WORDS)),
  )

  function nearest(features: CompoundFeatures): number {
    const query = foldMorgan(features.bits)
    const bits = countBits(query)
    let best = 0
    for (let row = 0; row < counts.length; row += 1) {
      const other = counts[row] ?? 0
      // Shared bits cannot be more than the smaller set, nor all bits fewer than the larger.
      if (Math.min(bits, other) <= best * Math.max(bits, other)) continue
      const shared = countShared(query, words, row * WORDS)
      best = Math.max(best, shared / (bits + other - shared))
    }
    return best
  }

  return { nearest }
}

export function foldMorgan(bits: Uint16Array): Uint32Array {
  const folded = new Uint32Array(WORDS)
  for (const position of bits) {
    if (position >= MORGAN_BITS) break
    const bit = position % FOLDED_BITS
    folded[bit >> 5] = (folded[bit >> 5] ?? 0) | (1 << (bit & 31))
  }
  return folded
}

/** An index loop on purpose: it runs over every training compound. */
function countShared(query: Uint32Array, words: Uint32Array, start: number): number {
  let shared = 0
  for (let at = 0; at < WORDS; at += 1) {
    shared += bitsIn((query[at] ?? 0) & (words[start + at] ?? 0))
  }
  return shared
}

function countBits(words: Uint32Array): number {
  return words.reduce((sum, word) => sum + bitsIn(word), 0)
}

function bitsIn(word: number): number {
  const pairs = word - ((word >>> 1) & 0x55555555)
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333)
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}
