/** Looking up measured compounds finds the same as comparing with every label of the target. */
import { expect, test } from 'vitest'
import { bitsIn, FINGERPRINT_WORDS, foldMorgan } from './fingerprints.ts'
import { indexMeasured } from './measured-compounds.ts'

const fingerprints = [
  [1, 2, 3, 4],
  [1, 2, 3, 9],
  [1, 2, 8, 9],
  [500, 600, 1023],
  [1, 2, 3, 4, 31, 32],
  [3, 9],
  [4, 70],
]
const index = indexMeasured(
  {
    fingerprints: Uint32Array.from(
      fingerprints.flatMap((bits) => [...foldMorgan(Uint16Array.from(bits))]),
    ),
    residuals: Float16Array.from([0.5, -0.25, 0, 0, 1, 0, 0, 0.75, 0]),
    packed: Uint32Array.from([
      label(0, 9),
      label(1, 8),
      label(2, 7),
      label(3, 6),
      label(4, 5),
      label(5, 4),
      label(6, 3),
      label(3, 6.5),
      label(0, 7.25, true),
    ]),
  },
  [7, 2],
)

test('returns the five closest values, closest first, those of equal similarity in the order of the file', () => {
  const near = index.nearOnAny([1, 2, 3, 4], [0])
  expect(near.map(({ value }) => value)).toEqual([9, 5, 8, 7, 4])
  expect(near.map(({ similarity }) => similarity)).toEqual([1, 4 / 6, 3 / 5, 2 / 6, 1 / 5])
  expect(index.nearOnAny([777], [0]).map(({ value }) => value)).toEqual([9, 8, 7, 6, 5])
})

test('an upper bound is marked as one and keeps its value', () => {
  expect(index.nearOnAny([1, 2, 3, 4], [1])).toEqual([
    { value: 7.25, isBelow: true, similarity: 1, place: 8, row: 0 },
    { value: 6.5, isBelow: false, similarity: 0, place: 7, row: 3 },
  ])
})

test('bounds are left out where exact values are wanted', () => {
  expect(index.nearestExact(1, [1, 2, 3, 4], 5)).toEqual([{ place: 7, row: 3, similarity: 0 }])
  expect(index.residualAt(7)).toBe(0.75)
  const places = index.nearestExact(0, [1, 2, 3, 4], 3).map(({ place }) => place)
  expect(places).toEqual([0, 4, 1])
})

test('every exact value of a compound is found, with its target', () => {
  const valuesOf = (row: number) => {
    const found: [place: number, target: number][] = []
    index.forEachExact(row, (place, target) => found.push([place, target]))
    return found
  }
  expect(valuesOf(3)).toEqual([
    [3, 0],
    [7, 1],
  ])
  expect(valuesOf(0)).toEqual([[0, 0]])
  expect([0, 6, 7, 8].map((place) => index.targetOf(place))).toEqual([0, 0, 1, 1])
})

test('a fingerprint contains the bits it was made from, at both ends of a word', () => {
  const bits = [0, 31, 32, 63, 1023]
  const folded = foldMorgan(Uint16Array.from(bits))
  expect(folded).toHaveLength(FINGERPRINT_WORDS)
  expect(bitsIn(folded)).toEqual(bits)
})

/** As in the file: fingerprint index, upper bound or not, and label in hundredths. */
function label(fingerprint: number, value: number, isBelow = false): number {
  return fingerprint * 4096 + (isBelow ? 2048 : 0) + Math.round(value * 100)
}
