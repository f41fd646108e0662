/** The final prediction depends on the values measured on the target, and is capped by compound size. */
import { expect, test } from 'vitest'
import { finish, type FinalStage, type Known } from './final-stage.ts'

const stage: FinalStage = {
  sameTargetFrom: 0.9,
  analoguesHeard: [0.3, 0.5],
  stack: { constant: 5, heavyAtoms: 0.1, logp: 0.5, pooled: 1, analogues: 2, kernel: 0 },
  base: {
    labelKnots: [0, 100],
    similarityKnots: [0.4, 0.8],
    knownCompound: [0.9, 1],
    shares: [
      [0, 0.5],
      [0.2, 1],
    ],
  },
  calibration: {
    labelEdges: [10],
    similarityEdges: [0.4],
    halfWidths: {
      other: [
        [2.5, 2],
        [2.2, 1.4],
      ],
      Ki: [
        [2.5, 2],
        [2.1, 1.3],
      ],
      IC50: [
        [2.5, 2],
        [2.4, 1.6],
      ],
    },
  },
}

const unknown: Known = {
  base: 9,
  kernel: 7,
  pooled: 0.5,
  analogues: 1,
  similarity: 0,
  labels: 0,
  mostly: 'other',
  means: null,
  labelsOfBase: 0,
  similarityOfBase: 0,
  compoundSimilarity: 0,
  heavyAtoms: 10,
  logp: 0,
  highest: 12,
}

test('without similar measured compounds only the linear stage counts, without analogues', () => {
  expect(finish(stage, unknown).predicted).toBeCloseTo(5 + 1 + 0.5)
  expect(finish(stage, { ...unknown, logp: 2 }).predicted).toBeCloseTo(6.5 + 1)
  expect(finish(stage, { ...unknown, similarity: 0.4 }).predicted).toBeCloseTo(6.5 + 1)
  expect(finish(stage, { ...unknown, similarity: 0.9 }).predicted).toBeCloseTo(6.5 + 2)
})

test('on a target with values in ChEMBL the linear stage moves to their level and to the kernel', () => {
  const level = { prior: 10, values: 0.5, kernel: 0 }
  // The stack expects 6.5 for the measured compounds: their values are 1 higher.
  const means = { pk: 7.5, heavyAtoms: 10, logp: 0, pooled: 0.5, analogues: 0, kernel: 0 }
  const known = { ...unknown, means, mostly: 'Ki', labels: 10 } as const
  expect(finish({ ...stage, level }, known).predicted).toBeCloseTo(6.5 + 0.5 * 0.5)
  expect(finish({ ...stage, level }, { ...known, labels: 1e6 }).predicted).toBeCloseTo(7)
  const kernel = { ...level, values: 0, kernel: 0.4 }
  expect(finish({ ...stage, level: kernel }, known).predicted).toBeCloseTo(6.5 + 0.4 * 0.5)
})

test('values of panels do not move the linear stage, and a model without a level moves nothing', () => {
  const level = { prior: 10, values: 0.5, kernel: 0.5 }
  const means = { pk: 9, heavyAtoms: 10, logp: 0, pooled: 0, analogues: 0, kernel: 0 }
  const known = { ...unknown, means, mostly: 'other', labels: 50 } as const
  expect(finish({ ...stage, level }, known).predicted).toBeCloseTo(6.5)
  expect(finish(stage, { ...known, mostly: 'Ki' }).predicted).toBeCloseTo(6.5)
  expect(finish({ ...stage, level }, { ...known, mostly: 'Ki', means: null }).predicted).toBe(6.5)
})

test('near a compound that the base model knows on the target, only the base model counts', () => {
  const near = { ...unknown, labelsOfBase: 500, similarityOfBase: 0.9 }
  expect(finish(stage, near).predicted).toBe(9)
  expect(finish(stage, { ...near, similarityOfBase: 0.6 }).predicted).toBeCloseTo(
    0.6 * 9 + 0.4 * 6.5,
  )
  expect(finish(stage, { ...near, labelsOfBase: 50 }).predicted).toBeCloseTo(0.5 * 9 + 0.5 * 6.5)
})

test('for an unknown protein the base model’s share follows the closest training compound', () => {
  expect(finish(stage, { ...unknown, compoundSimilarity: 0.6 }).predicted).toBeCloseTo(
    0.25 * 9 + 0.75 * 6.5,
  )
  // On a target with measured compounds only these count.
  const known = { ...unknown, labelsOfBase: 100, similarityOfBase: 0.4 }
  expect(finish(stage, { ...known, compoundSimilarity: 0.6 }).predicted).toBeCloseTo(
    0.2 * 9 + 0.8 * 6.5,
  )
})

test('for a compound known from other targets the base model’s share rises, and is all for an identical one', () => {
  const known = { ...unknown, labelsOfBase: 100, similarityOfBase: 0.4 }
  expect(finish(stage, { ...known, compoundSimilarity: 0.95 }).predicted).toBeCloseTo(
    0.6 * 9 + 0.4 * 6.5,
  )
  expect(finish(stage, { ...known, compoundSimilarity: 1 }).predicted).toBe(9)
})

test('no prediction exceeds the maximum for compounds of its size', () => {
  expect(finish(stage, { ...unknown, highest: 3.5 }).predicted).toBe(3.5)
})

test('the interval uses the highest similarity and count from either table', () => {
  const widths = [
    unknown,
    { ...unknown, labels: 10 },
    { ...unknown, labelsOfBase: 10 },
    { ...unknown, similarity: 0.4 },
    { ...unknown, labels: 10, similarityOfBase: 0.4 },
  ].map((known) => finish(stage, known).halfWidth)
  expect(widths).toEqual([2.5, 2.2, 2.2, 2, 1.4])
})

test('the interval also depends on the target’s most common value type', () => {
  const known = { ...unknown, labels: 10, similarity: 0.4 }
  const types = ['other', 'Ki', 'IC50'] as const
  const widths = types.map((mostly) => finish(stage, { ...known, mostly }).halfWidth)
  expect(widths).toEqual([1.4, 1.3, 1.6])
})

test('between knots the prediction changes continuously', () => {
  const numbers = Array.from(
    { length: 200 },
    (_, step) =>
      finish(stage, { ...unknown, labelsOfBase: step, similarityOfBase: step / 200 }).predicted,
  )
  const jumps = numbers.slice(1).map((number, at) => Math.abs(number - (numbers[at] ?? 0)))
  expect(Math.max(...jumps)).toBeLessThan(0.05)
})
