/** The index finds the same as comparing with every fingerprint. */
import { expect, test } from 'vitest'
import { foldMorgan } from './fingerprints.ts'
import { indexFingerprints } from './fingerprints.ts'

const fingerprint = (bits: number[]) => foldMorgan(Uint16Array.from(bits.toSorted((a, b) => a - b)))

const ONE = { count: 1, from: 1 }
const closestOf = (known: number[][], query: number[]) =>
  indexFingerprints(joined(known)).closest(fingerprint(query), ONE)

test('the closest compound of a training compound is itself', () => {
  const known = [
    [1, 40, 1023],
    [5, 70, 900, 901],
  ]
  expect(closestOf(known, [5, 70, 900, 901])).toEqual([{ row: 1, similarity: 1 }])
})

test('if no compound is similar enough, the closest is returned, and none that shares nothing', () => {
  const known = [[1, 2, 9], [700], [1, 2, 3, 4]]
  expect(closestOf(known, [1, 2, 3, 9])).toEqual([{ row: 0, similarity: 3 / 4 }])
  expect(closestOf(known, [1, 2, 3, 8])).toEqual([{ row: 2, similarity: 3 / 5 }])
  expect(closestOf(known, [800])).toEqual([])
})

test.each([65_536, 100])(
  'finds the same as comparing with every fingerprint, for sets of all sizes and all limits, in parts of %d',
  (part) => {
    let seed = 7
    const random = (below: number) => {
      seed = (seed * 48_271) % 2_147_483_647
      return seed % below
    }
    const sets = Array.from({ length: 400 }, () => {
      const size = 1 + random(90)
      return new Set(Array.from({ length: size }, () => random(200)))
    })
    const [queries, known] = [sets.slice(0, 50), sets.slice(50)]
    const index = indexFingerprints(joined(known.map((one) => [...one])), { part })
    for (const query of queries) {
      const all = known
        .map((one, row) => {
          const shared = [...query].filter((bit) => one.has(bit)).length
          return { row, similarity: shared / (query.size + one.size - shared) }
        })
        .toSorted((one, other) => other.similarity - one.similarity || one.row - other.row)
      for (const limits of [ONE, { count: 3, from: 0.1 }, { count: 300, from: 0.2 }]) {
        const close = all.filter(({ similarity }) => similarity >= limits.from)
        const wanted = close.length > 0 ? close.slice(0, limits.count) : all.slice(0, 1)
        expect(index.closest(fingerprint([...query]), limits)).toEqual(wanted)
      }
    }
  },
)

test('finds the closest to a fingerprint with more bits than are looked at', () => {
  const range = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, at) => from + at)
  const index = indexFingerprints(joined([range(100, 500), range(0, 900), [3], range(0, 300)]))
  expect(index.closest(fingerprint(range(0, 400)), { count: 9, from: 0.001 })).toEqual([
    { row: 3, similarity: 300 / 400 },
    { row: 0, similarity: 300 / 500 },
    { row: 1, similarity: 400 / 900 },
    { row: 2, similarity: 1 / 400 },
  ])
})

test('two compounds of the index are as similar as they say of each other', () => {
  const index = indexFingerprints(joined([[1, 2, 3], [2, 3, 4, 5], [900]]))
  expect(index.similarityBetween(0, 1)).toBe(2 / 5)
  expect(index.similarityBetween(1, 2)).toBe(0)
})

test('folds the two halves of a Morgan fingerprint together, and no other block', () => {
  expect(foldMorgan(Uint16Array.of(3, 1027, 2048))).toEqual(foldMorgan(Uint16Array.of(3)))
})

function joined(fingerprints: number[][]): Uint32Array {
  return Uint32Array.from(fingerprints.flatMap((bits) => [...foldMorgan(Uint16Array.from(bits))]))
}
