/** The index finds the same as comparing with every fingerprint. */
import { expect, test } from 'vitest'
import { foldMorgan } from './fingerprints.ts'
import { indexFingerprints } from './fingerprints.ts'

const fingerprint = (bits: number[]) => foldMorgan(Uint16Array.from(bits.toSorted((a, b) => a - b)))

test('the closest compound of a training compound is itself', () => {
  const known = [
    [1, 40, 1023],
    [5, 70, 900, 901],
  ]
  const index = indexFingerprints(joined(known))
  expect(index.nearest(fingerprint([5, 70, 900, 901]))).toBe(1)
})

test('returns the largest Tanimoto similarity', () => {
  const index = indexFingerprints(joined([[1, 2, 3, 4], [1, 2, 9], [700]]))
  expect(index.nearest(fingerprint([1, 2, 3, 9]))).toBeCloseTo(3 / 4)
  expect(index.nearest(fingerprint([1, 2, 3, 8]))).toBeCloseTo(3 / 5)
  expect(index.nearest(fingerprint([800]))).toBe(0)
})

test('finds the same as comparing with every fingerprint, for sets of all sizes', () => {
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
  const index = indexFingerprints(joined(known.map((one) => [...one])))
  for (const query of queries) {
    const similarities = known.map((one) => {
      const shared = [...query].filter((bit) => one.has(bit)).length
      return shared / (query.size + one.size - shared)
    })
    expect(index.nearest(fingerprint([...query]))).toBeCloseTo(Math.max(...similarities), 10)
  }
})

test('folds the two halves of a Morgan fingerprint together, and no other block', () => {
  expect(foldMorgan(Uint16Array.of(3, 1027, 2048))).toEqual(foldMorgan(Uint16Array.of(3)))
})

function joined(fingerprints: number[][]): Uint32Array {
  return Uint32Array.from(fingerprints.flatMap((bits) => [...foldMorgan(Uint16Array.from(bits))]))
}
