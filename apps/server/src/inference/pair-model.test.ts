/** Levels and interval widths are those of `pair-model.json`. */
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { halfWidthOf, type PairFacts, readPairModel, withLevel } from './pair-model.ts'

const shipped = readPairModel(fileURLToPath(new URL('../../../../models/current', import.meta.url)))
const model = {
  ...shipped,
  level: {
    knots: [0, 1, 2],
    constants: [0.4, 1, 0.2],
    slope: -0.2,
    heavyAtoms: [12, 20] as [number, number],
  },
  widths: {
    level: 0.95,
    valueEdges: [1],
    similarityEdges: [0.5],
    factors: [2, 1],
    variances: [1, 0.36],
  },
}
const variance = shipped.near.height
const facts: PairFacts = { values: 0, similarity: 0, variance, heavyAtoms: 30, isKnown: false }

test('the level depends on the number of values, between its knots', () => {
  expect(withLevel(model, 6.5, facts)).toBeCloseTo(6.9, 6)
  expect(withLevel(model, 6.5, { ...facts, values: 9 })).toBeCloseTo(7.5, 6)
  expect(withLevel(model, 6.5, { ...facts, values: Math.sqrt(1000) - 1 })).toBeCloseTo(7.1, 6)
  expect(withLevel(model, 6.5, { ...facts, values: 1e6 })).toBeCloseTo(6.7, 6)
})

test('the level follows the prediction, and a fragment is not moved', () => {
  expect(withLevel(model, 7.5, facts)).toBeCloseTo(7.5 + 0.4 - 0.2, 6)
  expect(withLevel(model, 6.5, { ...facts, heavyAtoms: 60 })).toBeCloseTo(6.9, 6)
  expect(withLevel(model, 6.5, { ...facts, heavyAtoms: 16 })).toBeCloseTo(6.7, 6)
  expect(withLevel(model, 6.5, { ...facts, heavyAtoms: 11 })).toBe(6.5)
})

test('a compound that was measured is not moved, one that values leave half as uncertain half as much', () => {
  expect(withLevel(model, 6.5, { ...facts, isKnown: true })).toBe(6.5)
  // Rounding can make a variance of 0 negative.
  expect(withLevel(model, 6.5, { ...facts, variance: -1e-9 })).toBe(6.5)
  expect(withLevel(model, 6.5, { ...facts, variance: variance / 2 })).toBeCloseTo(6.7, 6)
})

test('intervals are wider where less was measured', () => {
  expect(halfWidthOf(model, { ...facts, variance: 0.8 })).toBeCloseTo(2 * Math.sqrt(1.8), 6)
  const known = { ...facts, values: 40, similarity: 0.8 }
  expect(halfWidthOf(model, { ...known, variance: 0.28 })).toBeCloseTo(0.8, 6)
  expect(halfWidthOf(model, { ...known, variance: -1e-9 })).toBeCloseTo(0.6, 6)
})

test('the shipped model orders two compounds of one target alike with and without its level', () => {
  for (const values of [0, 5, 50, 500, 5000]) {
    const one = { ...facts, values, similarity: 0.3 }
    expect(withLevel(shipped, 7, one)).toBeGreaterThan(withLevel(shipped, 6, one))
  }
})
