/** Own values move what is like them most, narrow intervals, and leave a number without them as it was. */
import { expect, test } from 'vitest'
import { leaveOneOut, updateByOwnValues, type Estimate } from './own-values.ts'

const shares = { shift: 0.3, alike: 0.5, chance: 0.2, reach: 1 }

test('without own values every number and interval stays', () => {
  const others = [estimate([1, 2, 3]), estimate([4, 5], 7, 1.2)]
  expect(updateByOwnValues([], others, shares)).toEqual([
    { predicted: 6, halfWidth: 2 },
    { predicted: 7, halfWidth: 1.2 },
  ])
})

test('a value above its number lifts the like compound more than the unlike one, and both some', () => {
  const own = [{ ...estimate([1, 2, 3, 4]), measured: 8 }]
  const [like, unlike] = updateByOwnValues(
    own,
    [estimate([1, 2, 3, 5]), estimate([7, 8, 9])],
    shares,
  )
  expect(like?.predicted).toBeCloseTo(6 + 2 * (0.3 + 0.5 * (3 / 5)))
  expect(unlike?.predicted).toBeCloseTo(6 + 2 * 0.3)
  expect(like?.halfWidth).toBeLessThan(unlike?.halfWidth ?? 0)
  expect(unlike?.halfWidth).toBeLessThan(2)
})

test('a measured compound asked again leans on its value, and keeps the chance of an assay', () => {
  const compound = estimate([1, 2, 3, 4])
  const [again] = updateByOwnValues([{ ...compound, measured: 8 }], [compound], shares)
  expect(again?.predicted).toBeCloseTo(6 + 2 * 0.8)
  expect(again?.halfWidth).toBeCloseTo(2 * Math.sqrt(1 - 0.8 ** 2))
})

test('the answer is the one that the whole covariance matrix gives', () => {
  const random = seeded(7)
  const own = Array.from({ length: 9 }, () => ({ ...drawn(random), measured: 5 + 4 * random() }))
  const others = Array.from({ length: 6 }, () => drawn(random))
  const updated = updateByOwnValues(own, others, shares)
  for (const [index, other] of others.entries()) {
    const expected = byElimination(own, other)
    expect(updated[index]?.predicted).toBeCloseTo(expected.predicted, 9)
    expect(updated[index]?.halfWidth).toBeCloseTo(expected.halfWidth, 9)
  }
})

test('a value that is left out gets what the others alone say of its compound', () => {
  const random = seeded(11)
  const own = Array.from({ length: 8 }, () => ({ ...drawn(random), measured: 4 + 4 * random() }))
  for (const [place, answer] of leaveOneOut(own, shares).entries()) {
    const [value] = own.slice(place)
    const others = own.filter((other) => other !== value)
    const [alone] = updateByOwnValues(others, value === undefined ? [] : [value], shares)
    expect(answer.predicted).toBeCloseTo(alone?.predicted ?? Number.NaN, 9)
    expect(answer.halfWidth).toBeCloseTo(alone?.halfWidth ?? Number.NaN, 9)
  }
})

test('each further value narrows an interval or leaves it', () => {
  const random = seeded(3)
  const own = Array.from({ length: 12 }, () => ({ ...drawn(random), measured: 6 }))
  const asked = drawn(random)
  const widths = own.map(
    (_, count) => updateByOwnValues(own.slice(0, count), [asked], shares)[0]?.halfWidth ?? 0,
  )
  expect(widths).toEqual(widths.toSorted((a, b) => b - a))
})

test('the same compound measured many times over breaks nothing', () => {
  const compound = estimate([1, 2])
  const own = Array.from({ length: 300 }, () => ({ ...compound, measured: 9 }))
  const [updated] = updateByOwnValues(own, [compound], {
    ...shares,
    shift: 0.5,
    alike: 0.5,
    chance: 0,
  })
  expect(updated?.predicted).toBeCloseTo(9)
})

test('where the model’s intervals are too narrow, own values narrow them less, and never widen them', () => {
  const own = [{ ...estimate([1, 2, 3, 4]), measured: 8 }]
  const asked = [estimate([1, 2, 3, 4]), estimate([7, 8, 9])]
  const [like, unlike] = updateByOwnValues(own, asked, { ...shares, reach: 1.5 })
  expect(like?.halfWidth).toBeCloseTo(2 * 1.5 * Math.sqrt(1 - 0.8 ** 2))
  expect(unlike?.halfWidth).toBe(2)
})

function estimate(bits: number[], predicted = 6, halfWidth = 2): Estimate {
  return { predicted, halfWidth, bits }
}

function drawn(random: () => number): Estimate {
  const bits = Array.from({ length: 64 }, (_, bit) => bit).filter(() => random() < 0.4)
  return estimate(bits, 5 + 2 * random(), 1 + random())
}

function seeded(seed: number): () => number {
  let state = seed
  return () => (state = (state * 16_807) % 2_147_483_647) / 2_147_483_647
}

/** The textbook's formula, by Gaussian elimination. */
function byElimination(own: (Estimate & { measured: number })[], other: Estimate) {
  const covariance = (a: Estimate, b: Estimate) => {
    const shared = a.bits.filter((bit) => b.bits.includes(bit)).length
    return shares.shift + (shares.alike * shared) / (a.bits.length + b.bits.length - shared)
  }
  const rows = own.map((value, at) => [
    ...own.map((next, to) => covariance(value, next) + (at === to ? shares.chance : 0)),
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
