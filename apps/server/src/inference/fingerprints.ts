/**
 * Morgan fingerprints, radius 2, folded to 1,024 bits: used to compare compounds and to find the closest training
 * compound. 32 bits per word, lowest first; the index contains no structures.
 */
import { insertSorted } from './insert-sorted.ts'
import { listHolders, PLACES_IN_TWO_BYTES } from './inverted-index.ts'
import { keepPrivate, type Share } from './shared-arrays.ts'

const FOLDED_BITS = 1024
/** Possible numbers of set bits. */
const SIZES = FOLDED_BITS + 1
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

/** `row`: of the fingerprint; `similarity`: Tanimoto. */
export type Neighbour = { row: number; similarity: number }

export type CompoundNeighbours = {
  /**
   * The training compounds of at least this similarity, closest first, at most `count`; of equally similar ones the first
   * rows. If none is so similar, the closest that shares anything.
   */
  closest(fingerprint: Uint32Array, limits: { count: number; from: number }): Neighbour[]
  /** Tanimoto similarity of two training compounds, by row. */
  similarityBetween(row: number, other: number): number
}

/** Part of the query's bits that is looked at beyond need: it is faster than comparing the compounds that this rules out. */
const SPARE = 0.12
/** Places checked at once, each a byte of a word. */
const ABREAST = 4
/** Maximum number of bits that are looked at: the highest bit of each byte stays free. */
const MET_MAX = 127
/** Products of similarities and sizes are rounded. */
const ROUNDING = 1e-9

/** `words`: concatenated fingerprints; `part`: see `splitHolders`. */
export function indexFingerprints(
  words: Uint32Array,
  { part = PLACES_IN_TWO_BYTES, share = keepPrivate } = {},
): CompoundNeighbours {
  const length = words.length / FINGERPRINT_WORDS
  const sizes = share(Uint16Array, () =>
    Uint16Array.from({ length }, (_, row) => countBits(words, row)),
  )
  // A place is a row's index in the order of size.
  const forEachSize = (visit: (row: number, size: number) => void) =>
    sizes.forEach((size, row) => visit(row, size))
  const bySize = listHolders(forEachSize, SIZES, Uint32Array, share)
  const rows = bySize.holders
  const parts = splitHolders(words, rows, { part, share })
  /** By bit: how many compounds have it. */
  const counts = Array.from({ length: FOLDED_BITS }, (_, bit) =>
    parts.reduce((sum, { starts }) => sum + (starts[bit + 1] ?? 0) - (starts[bit] ?? 0), 0),
  )
  /** By place: how many of the query's bits the compound shares, of those that were looked at. */
  const met = new Uint8Array(Math.ceil(sizes.length / ABREAST) * ABREAST)
  const abreast = new Int32Array(met.buffer)
  /** By size: how many of the query's bits were not looked at. */
  const leftOf = new Uint16Array(SIZES)

  /**
   * Looks at the query's bits from rare to common. Frequent bits are never looked at: once few are left, only a compound
   * that shares most of the rare ones can be close. Large compounds must share more bits than small ones, so they are done
   * with earlier. Returns the similarity of a close one, at most `from`.
   */
  function meetRare(bits: number[], from: number, compare: (row: number) => number): number {
    const count = bits.length
    let [least, shares] = [0, 0]
    /** Larger compounds are done with. */
    let largest = SIZES - 1
    met.fill(0)
    for (const [at, bit] of bits.slice(0, MET_MAX).entries()) {
      const left = count - at
      for (; largest > 0; largest -= 1) {
        if (left > neededOf(largest, count, least) - SPARE * count) break
        leftOf[largest] = left
      }
      const end = bySize.starts[largest + 1] ?? 0
      const leader = meet(parts, bit, met, { most: shares, end })
      if (leader === null) continue
      shares += 1
      least = Math.min(Math.max(least, compare(rows[leader] as number)), from)
    }
    leftOf.fill(Math.max(count - MET_MAX, 0), 0, largest + 1)
    return least
  }

  /** Compares in full only compounds that can be close. */
  function closest(
    query: Uint32Array,
    { count: most, from }: { count: number; from: number },
  ): Neighbour[] {
    const bits = bitsIn(query).toSorted((one, other) => (counts[one] ?? 0) - (counts[other] ?? 0))
    const count = bits.length
    const compare = (row: number) => {
      const shared = countShared(query, words, 0, row * FINGERPRINT_WORDS)
      return shared / (count + (sizes[row] as number) - shared)
    }
    let least = meetRare(bits, from, compare)
    const near: Neighbour[] = []
    // The most similar sizes come first: similarity is at most the smaller size divided by the larger.
    for (let step = 0; step < 2 * SIZES; step += 1) {
      // The query's size, one less, one more, two less, and so on.
      const size = count + (step % 2 === 0 ? step : -1 - step) / 2
      if (Math.min(size, count) < least * Math.max(size, count) - ROUNDING) continue
      const end = bySize.starts[size + 1] ?? 0
      const metOf = () =>
        Math.ceil(neededOf(size, count, least) - (leftOf[size] as number) - ROUNDING)
      let place = nextWith({ met, abreast }, metOf(), bySize.starts[size] ?? 0, end)
      for (; place < end; place = nextWith({ met, abreast }, metOf(), place + 1, end)) {
        const row = rows[place] as number
        const similarity = compare(row)
        if (similarity < least || similarity === 0) continue
        insertSorted(near, { row, similarity }, most, (kept) =>
          kept.similarity === similarity ? kept.row < row : kept.similarity > similarity,
        )
        const [best, last] = [near[0] as Neighbour, near[most - 1]]
        least = Math.max(least, last?.similarity ?? Math.min(best.similarity, from))
      }
    }
    const isClose = ({ similarity }: Neighbour) => similarity >= from
    return near.some(isClose) ? near.filter(isClose) : near.slice(0, 1)
  }

  function similarityBetween(row: number, other: number): number {
    const from = other * FINGERPRINT_WORDS
    const shared = countShared(words, words, row * FINGERPRINT_WORDS, from)
    return shared / Math.max((sizes[row] as number) + (sizes[other] as number) - shared, 1)
  }

  return { closest, similarityBetween }
}

/** Bits that two compounds of these sizes share if they are so similar. */
function neededOf(size: number, other: number, similarity: number): number {
  return (similarity * (size + other)) / (1 + similarity)
}

/**
 * Notes a bit for all compounds before `end` that have it. Returns the place of one that now shares more than `most` bits, or
 * null.
 */
function meet(
  parts: Part[],
  bit: number,
  met: Uint8Array,
  { most, end }: { most: number; end: number },
): number | null {
  let leader: number | null = null
  for (const { from, starts, holders } of parts) {
    const last = starts[bit + 1] as number
    for (let at = starts[bit] as number; at < last; at += 1) {
      const place = from + (holders[at] as number)
      if (place >= end) break
      const shared = (met[place] as number) + 1
      met[place] = shared
      if (shared > most) leader = place
    }
  }
  return leader
}

/** The counts of bits, and the same memory as words of four counts. */
type Met = { met: Uint8Array; abreast: Int32Array }

/** The next place before `end` whose compound shares at least so many of the bits that were looked at; `end` if none does. */
function nextWith({ met, abreast }: Met, needed: number, place: number, end: number): number {
  if (needed > MET_MAX) return end
  // Added to four counts, this sets the highest bit of each that is large enough.
  const missing = Math.imul(MET_MAX + 1 - Math.max(needed, 0), 0x01010101)
  for (let at = place; at < end; at += 1) {
    if (at % ABREAST === 0) {
      let word = at / ABREAST
      const last = end / ABREAST
      while (word < last && (((abreast[word] as number) + missing) & 0x80808080) === 0) word += 1
      at = word * ABREAST
    }
    if ((met[at] as number) >= needed) return Math.min(at, end)
  }
  return end
}

/** `holders`: places, counted from `from`. */
type Part = { from: number; starts: Uint32Array; holders: Uint16Array }

/** The rows that have each bit, by their index in `rows`, in two bytes instead of four: 25 MB less. */
function splitHolders(
  words: Uint32Array,
  rows: Uint32Array,
  { part, share }: { part: number; share: Share },
): Part[] {
  return Array.from({ length: Math.ceil(rows.length / part) }, (_, at) => {
    const from = at * part
    const some = rows.subarray(from, from + part)
    const forEach = (visit: (place: number, bit: number) => void) => forEachBit(words, some, visit)
    return { from, ...listHolders(forEach, FOLDED_BITS, Uint16Array, share) }
  })
}

/** The bits of the rows, in their order; calls back with the index in `rows`. */
function forEachBit(
  words: Uint32Array,
  rows: Uint32Array,
  visit: (place: number, bit: number) => void,
): void {
  for (let place = 0; place < rows.length; place += 1) {
    const start = (rows[place] as number) * FINGERPRINT_WORDS
    for (let at = 0; at < FINGERPRINT_WORDS; at += 1) {
      for (let left = words[start + at] as number; left !== 0; left &= left - 1) {
        visit(place, at * 32 + 31 - Math.clz32(left & -left))
      }
    }
  }
}

/** Tanimoto similarity to one of many concatenated fingerprints. */
export function similarityOf(query: Uint32Array, words: Uint32Array, row: number): number {
  const shared = countShared(query, words, 0, row * FINGERPRINT_WORDS)
  return shared / Math.max(countBits(query, 0) + countBits(words, row) - shared, 1)
}

/**
 * Bits that a fingerprint of each array shares, by its first word. An index loop without bounds checks on purpose: it runs
 * for every pair. The sums of four bits of two words fit into four bits, so they are added up before they are spread.
 */
function countShared(ones: Uint32Array, others: Uint32Array, start: number, from: number): number {
  let [low, high] = [0, 0]
  for (let at = 0; at < FINGERPRINT_WORDS; at += 2) {
    const fours =
      foursIn((ones[start + at] as number) & (others[from + at] as number)) +
      foursIn((ones[start + at + 1] as number) & (others[from + at + 1] as number))
    low += fours & LOW_FOURS
    high += (fours >>> 4) & LOW_FOURS
  }
  return sumOfBytes(low) + sumOfBytes(high)
}

function countBits(words: Uint32Array, row: number): number {
  const start = row * FINGERPRINT_WORDS
  let count = 0
  for (let at = 0; at < FINGERPRINT_WORDS; at += 1) count += bitsInWord(words[start + at] as number)
  return count
}

function bitsInWord(word: number): number {
  const fours = foursIn(word)
  return sumOfBytes((fours + (fours >>> 4)) & LOW_FOURS)
}

/** Number of set bits in every four. */
function foursIn(word: number): number {
  const pairs = word - ((word >>> 1) & 0x55555555)
  return (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333)
}

const LOW_FOURS = 0x0f0f0f0f

function sumOfBytes(word: number): number {
  const halves = (word & 0x00ff00ff) + ((word >>> 8) & 0x00ff00ff)
  return (halves & 0xffff) + (halves >>> 16)
}
