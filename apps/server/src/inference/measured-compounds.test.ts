/** Looking up measured compounds finds the same as comparing with every label of the target. */
import { expect, test } from 'vitest'
import { bitsIn, FINGERPRINT_WORDS, foldMorgan } from './fingerprints.ts'
import { indexMeasured, MEASURED_COLUMNS } from './measured-compounds.ts'

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
  Uint32Array.from(fingerprints.flatMap((bits) => [...foldMorgan(Uint16Array.from(bits))])),
  Uint32Array.from([
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
  [7, 2],
)

test('returns the five closest labels, their similarities, and averages over them and over all labels', () => {
  const row = index.near([1, 2, 3, 4], 0).columns
  expect(row).toHaveLength(MEASURED_COLUMNS)
  const labels = [9, 5, 8, 7, 4]
  const similarities = [1, 4 / 6, 3 / 5, 2 / 6, 1 / 5]
  const weights = similarities.map((similarity) => Math.exp(15 * (similarity - 1)))
  const total = sum(weights)
  const mean = sum(weights.map((weight, at) => weight * (labels[at] ?? 0))) / total
  const variance =
    sum(weights.map((weight, at) => weight * ((labels[at] ?? 0) - mean) ** 2)) / total
  const expected = [...labels, ...similarities, mean, Math.sqrt(variance), 6, 7]
  for (const [column, number] of expected.entries()) expect(row[column]).toBeCloseTo(number, 5)
})

test('missing labels are replaced by the mean of all labels', () => {
  const row = [...index.near([1, 2, 3, 4], 1).columns]
  const expected = [7.25, 6.5, 6.875, 6.875, 6.875, 1, 0, 0, 0, 0]
  for (const [column, number] of expected.entries()) expect(row[column]).toBeCloseTo(number, 5)
  expect(row.at(-1)).toBe(2)
})

test('an upper bound is marked as one and keeps its value', () => {
  const { labels } = index.near([1, 2, 3, 4], 1)
  expect(labels).toEqual([
    { value: 7.25, isBelow: true, similarity: 1, place: 8, row: 0 },
    { value: 6.5, isBelow: false, similarity: 0, place: 7, row: 3 },
  ])
})

test('among equally similar compounds the first in the file comes first', () => {
  expect([...index.near([777], 0).columns].slice(0, 10)).toEqual([9, 8, 7, 6, 5, 0, 0, 0, 0, 0])
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

function sum(numbers: number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}
