/** Own values shift similar compounds most, narrow intervals, and change nothing if there are none. */
import { readFileSync } from 'node:fs'
import { kernelDescriptorNames } from '@pkdex/biochem'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { leaveOneOut, updateByOwnValues, type Estimate } from './own-values.ts'
import { type OwnValuesSettings, readOwnValuesSettings } from './own-values-settings.ts'

const MODEL = new URL('../../../../models/current/', import.meta.url).pathname

/** Fingerprints only, and intervals independent of the scatter. */
const shares = { assay: 0.3, near: 0.5, rest: 0, noise: 0.2, power: 1 }
const settings: OwnValuesSettings = {
  shares,
  descriptors: kernelDescriptorNames.map((name) => ({ name, mean: 0, deviation: 1 })),
  width: { factor: 1, priorCount: 1e9 },
}

const Example = z.object({
  compounds: z.array(
    z.object({
      bits: z.array(z.number()),
      descriptors: z.array(z.number()),
      predicted: z.number(),
      halfWidth: z.number(),
    }),
  ),
  measured: z.array(z.number()),
  updated: z.array(z.object({ predicted: z.number(), halfWidth: z.number() })),
})

test('the shipped settings reproduce the results computed by training', () => {
  const file: unknown = JSON.parse(readFileSync(`${MODEL}own-values.json`, 'utf8'))
  const { compounds, measured, updated } = z.object({ example: Example }).parse(file).example
  const shipped = readOwnValuesSettings(MODEL)
  // The example's descriptors are standardised.
  const descriptors = shipped.descriptors.map((descriptor) => ({
    ...descriptor,
    mean: 0,
    deviation: 1,
  }))
  const own = measured.map((value, at) => ({ ...(compounds[at] ?? estimate([])), measured: value }))
  const others = compounds.slice(measured.length)
  const answered = updateByOwnValues(own, others, { ...shipped, descriptors })
  expect(answered).toHaveLength(updated.length)
  for (const [at, { predicted, halfWidth }] of answered.entries()) {
    expect(predicted).toBeCloseTo(updated[at]?.predicted ?? Number.NaN, 9)
    expect(halfWidth).toBeCloseTo(updated[at]?.halfWidth ?? Number.NaN, 9)
  }
})

test('of two compounds without a common bit, the one with more similar descriptors shifts more', () => {
  const own = [{ ...estimate([1, 2]), measured: 8 }]
  const far = { ...estimate([3, 4]), descriptors: [3, 3, 3, 3, 3, 3, 3] }
  const [near, distant] = updateByOwnValues(own, [estimate([3, 4]), far], {
    ...settings,
    shares: { ...shares, near: 0.3, rest: 0.2 },
  })
  expect(near?.predicted).toBeCloseTo(6 + 2 * (0.3 + 0.2))
  expect(distant?.predicted).toBeCloseTo(6 + 2 * 0.3, 3)
})

test('own values that scatter less than expected narrow intervals further', () => {
  const random = seeded(5)
  const own = Array.from({ length: 10 }, () => drawn(random))
  const widthAfter = (miss: number) => {
    const missed = own.map((one, at) => ({
      ...one,
      measured: one.predicted + (at % 2 === 0 ? miss : -miss),
    }))
    const width = { factor: 1, priorCount: 8 }
    return updateByOwnValues(missed, [drawn(seeded(6))], { ...settings, width })[0]?.halfWidth ?? 0
  }
  expect(widthAfter(0.1)).toBeLessThan(0.9 * widthAfter(1.2))
})

test('without own values predictions and intervals are unchanged', () => {
  const others = [estimate([1, 2, 3]), estimate([4, 5], 7, 1.2)]
  expect(updateByOwnValues([], others, settings)).toEqual([
    { predicted: 6, halfWidth: 2 },
    { predicted: 7, halfWidth: 1.2 },
  ])
})

test('a value above its prediction raises a similar compound more than a dissimilar one', () => {
  const own = [{ ...estimate([1, 2, 3, 4]), measured: 8 }]
  const [like, unlike] = updateByOwnValues(
    own,
    [estimate([1, 2, 3, 5]), estimate([7, 8, 9])],
    settings,
  )
  expect(like?.predicted).toBeCloseTo(6 + 2 * (0.3 + 0.5 * (3 / 5)))
  expect(unlike?.predicted).toBeCloseTo(6 + 2 * 0.3)
  expect(like?.halfWidth).toBeLessThan(unlike?.halfWidth ?? 0)
  expect(unlike?.halfWidth).toBeLessThan(2)
})

test('predicting a measured compound follows its value, and keeps the assay error', () => {
  const compound = estimate([1, 2, 3, 4])
  const [again] = updateByOwnValues([{ ...compound, measured: 8 }], [compound], settings)
  expect(again?.predicted).toBeCloseTo(6 + 2 * 0.8)
  expect(again?.halfWidth).toBeCloseTo(2 * Math.sqrt(1 - 0.8 ** 2), 5)
})

test('the result equals that from the full covariance matrix', () => {
  const random = seeded(7)
  const own = Array.from({ length: 9 }, () => ({ ...drawn(random), measured: 5 + 4 * random() }))
  const others = Array.from({ length: 6 }, () => drawn(random))
  const updated = updateByOwnValues(own, others, settings)
  for (const [index, other] of others.entries()) {
    const expected = byElimination(own, other)
    expect(updated[index]?.predicted).toBeCloseTo(expected.predicted, 9)
    expect(updated[index]?.halfWidth).toBeCloseTo(expected.halfWidth, 6)
  }
})

test('a left-out value is predicted from the others alone', () => {
  const random = seeded(11)
  const own = Array.from({ length: 8 }, () => ({ ...drawn(random), measured: 4 + 4 * random() }))
  for (const [place, answer] of leaveOneOut(own, settings).entries()) {
    const [value] = own.slice(place)
    const others = own.filter((other) => other !== value)
    const [alone] = updateByOwnValues(others, value === undefined ? [] : [value], settings)
    expect(answer.predicted).toBeCloseTo(alone?.predicted ?? Number.NaN, 9)
    expect(answer.halfWidth).toBeCloseTo(alone?.halfWidth ?? Number.NaN, 9)
  }
})

test('each further value narrows an interval or leaves it unchanged', () => {
  const random = seeded(3)
  const own = Array.from({ length: 12 }, () => ({ ...drawn(random), measured: 6 }))
  const asked = drawn(random)
  const widths = own.map(
    (_, count) => updateByOwnValues(own.slice(0, count), [asked], settings)[0]?.halfWidth ?? 0,
  )
  expect(widths).toEqual(widths.toSorted((a, b) => b - a))
})

test('the same compound measured many times causes no numerical problem', () => {
  const compound = estimate([1, 2])
  const own = Array.from({ length: 300 }, () => ({ ...compound, measured: 9 }))
  const [updated] = updateByOwnValues(own, [compound], {
    ...settings,
    shares: { ...shares, assay: 0.5, noise: 0 },
  })
  expect(updated?.predicted).toBeCloseTo(9)
})

test('if the model’s intervals are too narrow, own values narrow them less, and never widen them', () => {
  const own = [{ ...estimate([1, 2, 3, 4]), measured: 8 }]
  const asked = [estimate([1, 2, 3, 4]), estimate([7, 8, 9])]
  const [like, unlike] = updateByOwnValues(own, asked, {
    ...settings,
    width: { ...settings.width, factor: 1.5 },
  })
  expect(like?.halfWidth).toBeCloseTo(2 * 1.5 * Math.sqrt(1 - 0.8 ** 2))
  expect(unlike?.halfWidth).toBe(2)
})

function estimate(bits: number[], predicted = 6, halfWidth = 2): Estimate {
  return { predicted, halfWidth, bits, descriptors: [0, 0, 0, 0, 0, 0, 0] }
}

function drawn(random: () => number): Estimate {
  const bits = Array.from({ length: 64 }, (_, bit) => bit).filter(() => random() < 0.4)
  return estimate(bits, 5 + 2 * random(), 1 + random())
}

function seeded(seed: number): () => number {
  let state = seed
  return () => (state = (state * 16_807) % 2_147_483_647) / 2_147_483_647
}

/** The textbook formula, by Gaussian elimination. */
function byElimination(own: (Estimate & { measured: number })[], other: Estimate) {
  const covariance = (a: Estimate, b: Estimate) => {
    const shared = a.bits.filter((bit) => b.bits.includes(bit)).length
    return shares.assay + (shares.near * shared) / (a.bits.length + b.bits.length - shared)
  }
  const rows = own.map((value, at) => [
    ...own.map((next, to) => covariance(value, next) + (at === to ? shares.noise : 0)),
    (value.measured - value.predicted) / value.halfWidth,
    covariance(value, other),
  ])
  const [errors = [], sides = []] = solveRows(rows, 2)
  const near = own.map((value) => covariance(value, other))
  const dot = (a: number[], b: number[]) =>
    a.reduce((sum, value, at) => sum + value * (b[at] ?? 0), 0)
  return {
    predicted: other.predicted + other.halfWidth * dot(near, errors),
    halfWidth: other.halfWidth * Math.sqrt(1 - dot(near, sides)),
  }
}

/** The solutions of the last `sides` columns. */
function solveRows(rows: number[][], sides: number): number[][] {
  const size = rows.length
  for (const [at, pivot] of rows.entries()) {
    const scale = pivot[at] ?? 1
    for (const [column, value] of pivot.entries()) pivot[column] = value / scale
    for (const [other, row] of rows.entries()) {
      const weight = row[at] ?? 0
      if (other === at) continue
      for (const [column, value] of row.entries()) {
        row[column] = value - weight * (pivot[column] ?? 0)
      }
    }
  }
  return Array.from({ length: sides }, (_, side) => rows.map((row) => row[size + side] ?? 0))
}
