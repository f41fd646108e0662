/** Kriging of residuals: the same as solving the whole system, and no effect without values. */
import { expect, test } from 'vitest'
import { bitsIn, foldMorgan } from './fingerprints.ts'
import { indexMeasured } from './measured-compounds.ts'
import { krige } from './near.ts'

const settings = { height: 0.8, noise: 0.3, power: 2, neighbours: 32 }
const compounds = [
  [1, 2, 3, 4],
  [1, 2, 3, 9],
  [1, 2, 8, 9],
  [500, 600],
]
const residuals = [1, -0.5, 0.25, 2]
const labels = indexMeasured(
  {
    fingerprints: Uint32Array.from(compounds.flatMap((bits) => [...folded(bits)])),
    packed: Uint32Array.from(compounds, (_, row) => row * 4096 + 700),
    residuals: Float16Array.from(residuals),
  },
  [4],
).labelsOf(0)

test('mean and variance equal those of the whole system', () => {
  const query = [1, 2, 3, 8]
  const k = compounds.map((one) => covariance(query, one))
  const system = compounds.map((one, at) =>
    compounds.map((other, to) => covariance(one, other) + (at === to ? settings.noise : 0)),
  )
  const near = krige(labels, bitsIn(folded(query)), settings)
  expect(near.mean).toBeCloseTo(product(k, solved(system, residuals)), 6)
  expect(near.variance).toBeCloseTo(settings.height - product(k, solved(system, k)), 6)
  expect(near.similarity).toBe(3 / 5)
})

test('a value of the compound itself moves it most of the way, and narrows it', () => {
  const near = krige(labels, [500, 600], settings)
  expect(near.mean).toBeCloseTo((2 * 0.8) / 1.1, 3)
  expect(near.variance).toBeCloseTo(0.8 - 0.64 / 1.1, 6)
})

test('a compound that shares nothing with the measured ones is not moved', () => {
  const near = krige(labels, [900], settings)
  expect(near.mean).toBe(0)
  expect(near.variance).toBe(settings.height)
})

test('the terms name every value, and add up to the mean', () => {
  const near = krige(labels, [1, 2, 3, 8], settings)
  const total = near.terms.reduce((sum, { contribution }) => sum + contribution, 0)
  expect(total).toBeCloseTo(near.mean, 6)
  expect(near.terms.map(({ place }) => place).toSorted((a, b) => a - b)).toEqual([0, 1, 2, 3])
})

test('only the closest values count if there are more', () => {
  const few = krige(labels, [1, 2, 3, 8], { ...settings, neighbours: 1 })
  expect(few.mean).not.toBeCloseTo(krige(labels, [1, 2, 3, 8], settings).mean, 2)
  expect(few.terms).toHaveLength(1)
})

function folded(bits: number[]): Uint32Array {
  return foldMorgan(Uint16Array.from(bits))
}

function covariance(one: number[], other: number[]): number {
  const shared = one.filter((bit) => other.includes(bit)).length
  const similarity = shared / (one.length + other.length - shared)
  return settings.height * similarity ** settings.power
}

function product(one: number[], other: number[]): number {
  return one.reduce((sum, value, at) => sum + value * (other[at] ?? 0), 0)
}

/** Gaussian elimination with pivots. */
function solved(system: number[][], right: number[]): number[] {
  const rows = system.map((row, at) => [...row, right[at] ?? 0])
  for (const [at] of rows.entries()) {
    const pivot = rows.findIndex((row, to) => to >= at && Math.abs(row[at] ?? 0) > 1e-12)
    const [one, other] = [rows[at] ?? [], rows[pivot] ?? []]
    rows[at] = other
    rows[pivot] = one
    for (const [to, row] of rows.entries()) {
      const factor = to === at ? 0 : (row[at] ?? 0) / (other[at] ?? 1)
      for (const [column, value] of other.entries()) {
        row[column] = (row[column] ?? 0) - factor * value
      }
    }
  }
  return rows.map((row, at) => (row.at(-1) ?? 0) / (row[at] ?? 1))
}
