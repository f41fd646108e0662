/** How near the nearest training compound is. The index holds folded fingerprints, no structures. */
import { FINGERPRINT_WORDS } from './fingerprint.ts'

export type CompoundNeighbours = {
  /** Tanimoto similarity of folded Morgan fingerprints, radius 2. */
  nearest(fingerprint: Uint32Array): number
}

/** `words`: fingerprints one behind the other. */
export function indexFingerprints(words: Uint32Array): CompoundNeighbours {
  const counts = Uint16Array.from({ length: words.length / FINGERPRINT_WORDS }, (_, row) =>
    countBits(words.subarray(row * FINGERPRINT_WORDS, (row + 1) * FINGERPRINT_WORDS)),
  )

  function nearest(query: Uint32Array): number {
    const bits = countBits(query)
    let best = 0
    for (let row = 0; row < counts.length; row += 1) {
      const other = counts[row] ?? 0
      // Shared bits cannot be more than the smaller set, nor all bits fewer than the larger.
      if (Math.min(bits, other) <= best * Math.max(bits, other)) continue
      const shared = countShared(query, words, row * FINGERPRINT_WORDS)
      best = Math.max(best, shared / (bits + other - shared))
    }
    return best
  }

  return { nearest }
}

/** An index loop on purpose: it runs over every training compound. */
function countShared(query: Uint32Array, words: Uint32Array, start: number): number {
  let shared = 0
  for (let at = 0; at < FINGERPRINT_WORDS; at += 1) {
    shared += bitsInWord((query[at] ?? 0) & (words[start + at] ?? 0))
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
