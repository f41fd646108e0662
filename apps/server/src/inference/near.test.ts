/** Kriging of residuals: the same as solving the whole system, and no effect without values. */
import { expect, test } from 'vitest'
import { bitsIn, foldMorgan, indexFingerprints } from './fingerprints.ts'
import { indexMeasured } from './measured-compounds.ts'
import { openKriging } from './near.ts'
import { indexTargets } from './nearest-targets.ts'

const settings = {
  height: 0.8,
  noise: 0.3,
  power: 2,
  neighbours: 32,
  unrelated: 0.2,
  compounds: 10,
  similarFrom: 0.1,
}
const compounds = [
  [1, 2, 3, 4],
  [1, 2, 3, 9],
  [1, 2, 8, 9],
  [500, 600],
]
/** Compound, target and residual of each value; the targets are alike to 1/2, the third is like none. */
const values = [
  { row: 0, target: 0, residual: 1 },
  { row: 1, target: 0, residual: -0.5 },
  { row: 2, target: 0, residual: 0.25 },
  { row: 3, target: 0, residual: 2 },
  { row: 1, target: 1, residual: -1.5 },
  { row: 2, target: 2, residual: 0.5 },
]
const entryOf = (measured: number) => ({
  name: 'T',
  words: 2,
  measured,
  exact: measured,
  mostlyIc50: false,
})
const fingerprints = Uint32Array.from(compounds.flatMap((bits) => [...folded(bits)]))
const index = indexFingerprints(fingerprints)
const measured = indexMeasured(
  {
    fingerprints,
    packed: Uint32Array.from(values, ({ row }) => row * 4096 + 700),
    residuals: Float16Array.from(values, ({ residual }) => residual),
  },
  [4, 1, 1, 0],
)
const targets = indexTargets([4, 1, 1, 0].map(entryOf), Uint32Array.of(1, 2, 1, 3, 4, 5, 6, 7))

function near(
  bits: number[],
  { target = 0, ...changed }: Partial<typeof settings> & { target?: number } = {},
) {
  const chosen = { ...settings, ...changed }
  const krige = openKriging({ compounds: index, measured, targets }, chosen)
  const closest = index.closest(folded(bits), { count: chosen.compounds, from: chosen.similarFrom })
  return krige({ bits: bitsIn(folded(bits)), closest }, target)
}

test('mean and variance equal those of the whole system, values on other targets included', () => {
  const query = [1, 2, 3, 8]
  const relations = [1, 0.2 + 0.8 * 0.5, 0.2]
  const relationOf = (one: number, other: number) =>
    relations[one === other ? 0 : one + other === 1 ? 1 : 2] ?? 0
  const k = values.map(
    ({ row, target }) => covariance(query, compounds[row] ?? []) * relationOf(0, target),
  )
  const system = values.map((one, at) =>
    values.map((other, to) => {
      const alike = covariance(compounds[one.row] ?? [], compounds[other.row] ?? [])
      return alike * relationOf(one.target, other.target) + (at === to ? settings.noise : 0)
    }),
  )
  const residuals = values.map(({ residual }) => residual)
  const found = near(query)
  expect(found.mean).toBeCloseTo(product(k, solved(system, residuals)), 6)
  expect(found.variance).toBeCloseTo(settings.height - product(k, solved(system, k)), 6)
  expect(found.similarity).toBe(3 / 5)
})

test('a value of the compound itself moves it most of the way, and narrows it', () => {
  const found = near([500, 600])
  expect(found.mean).toBeCloseTo((2 * 0.8) / 1.1, 3)
  expect(found.variance).toBeCloseTo(0.8 - 0.64 / 1.1, 6)
})

test('a compound measured on a related target alone is moved less, and its similarity there does not count', () => {
  const found = near([1, 2, 3, 9], { target: 1, neighbours: 1, similarFrom: 1 })
  expect(found.mean).toBeCloseTo((-1.5 * 0.8) / 1.1, 3)
  const other = near([500, 600], { target: 1 })
  expect(other.mean).toBeCloseTo((2 * 0.8 * 0.6) / 1.1, 3)
  expect(other.similarity).toBe(0)
})

test('a compound that shares nothing with the measured ones is not moved', () => {
  const found = near([900])
  expect(found.mean).toBe(0)
  expect(found.variance).toBe(settings.height)
})

test('a target without values is moved by values on others alone', () => {
  expect(near([500, 600], { target: 3 }).mean).toBeCloseTo((2 * 0.8 * 0.2) / 1.1, 3)
  expect(near([500, 600], { target: 3, similarFrom: 2 })).toEqual({
    mean: 0,
    variance: settings.height,
    similarity: 0,
    terms: [],
  })
})

test('the terms name every value, and add up to the mean', () => {
  const found = near([1, 2, 3, 8])
  const total = found.terms.reduce((sum, { contribution }) => sum + contribution, 0)
  expect(total).toBeCloseTo(found.mean, 6)
  expect(found.terms.map(({ place }) => place).toSorted((a, b) => a - b)).toEqual([
    0, 1, 2, 3, 4, 5,
  ])
})

test('only the values of largest covariance count if there are more', () => {
  const few = near([1, 2, 3, 8], { neighbours: 1 })
  expect(few.mean).not.toBeCloseTo(near([1, 2, 3, 8]).mean, 2)
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
