/** The index finds the same as comparing with every fingerprint of the shipped model. */
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { FINGERPRINT_WORDS, indexFingerprints, similarityOf } from './fingerprints.ts'
import { readNumbers } from './read-numbers.ts'

const file = '../../../../models/current/compound-fingerprints.bin.gz'
const words = readNumbers(fileURLToPath(new URL(file, import.meta.url)))
const rows = words.length / FINGERPRINT_WORDS
const index = indexFingerprints(words)

const fingerprintOf = (row: number) =>
  words.slice(row * FINGERPRINT_WORDS, (row + 1) * FINGERPRINT_WORDS)

const nearest = (query: Uint32Array) =>
  index.closest(query, { count: 1, from: 1 })[0]?.similarity ?? 0

function plain(query: Uint32Array): number {
  let best = 0
  for (let row = 0; row < rows; row += 1) best = Math.max(best, similarityOf(query, words, row))
  return best
}

/** One half of a compound and the other half of another: no measured compound is very similar. */
function mix(one: number, other: number): Uint32Array {
  const [first, second] = [fingerprintOf(one), fingerprintOf(other)]
  return first.map((word, at) => (at % 2 === 0 ? word : (second[at] ?? 0)))
}

test('finds exactly the largest similarity for known, changed and mixed compounds', () => {
  for (let row = 0; row < rows; row += Math.ceil(rows / 4)) {
    const changed = fingerprintOf(row).fill(0, 0, 3)
    for (const query of [changed, mix(row, rows - 1 - row), fingerprintOf(row)]) {
      expect(nearest(query)).toBe(plain(query))
    }
  }
})

test('finds exactly the largest similarity for fingerprints with no, one and all bits', () => {
  const empty = new Uint32Array(FINGERPRINT_WORDS)
  for (const query of [empty, empty.with(0, 1), empty.map(() => 0xffffffff)]) {
    expect(nearest(query)).toBe(plain(query))
  }
})

test('finds the same compounds as comparing with every fingerprint, with every limit', () => {
  const query = fingerprintOf(777).fill(0, 0, 3)
  const all = Array.from({ length: rows }, (_, row) => ({
    row,
    similarity: similarityOf(query, words, row),
  })).toSorted((one, other) => other.similarity - one.similarity || one.row - other.row)
  for (const [count, from] of [
    [1, 0.2],
    [50, 0.5],
    [500, 0.35],
  ] as const) {
    const wanted = all.filter(({ similarity }) => similarity >= from).slice(0, count)
    expect(wanted.length).toBeGreaterThan(0)
    expect(index.closest(query, { count, from })).toEqual(wanted)
  }
})
