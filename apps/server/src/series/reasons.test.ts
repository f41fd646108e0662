import { expect, test } from 'vitest'
import type { Estimate } from '#server/inference/service.ts'
import type { FittedValues } from '#server/measurements/service.ts'
import { findReasons, writeReason } from './reasons.ts'

const near = { compound: 'near', pk: 8.39, similarity: 0.75, effect: 0.4 }
const far = { compound: 'far', pk: 5.1, similarity: 0.31, effect: -0.1 }

test('a reason lists the values that shift the prediction in the overall direction', () => {
  expect(writeReason({ plain: 7.6, predicted: 8.1, isUsed: true }, [near, far])).toBe(
    'Your values raise the prediction from 7.6 to 8.1, mostly that of near (8.39, similarity 0.75).',
  )
  expect(writeReason({ plain: 7.6, predicted: 7.2, isUsed: true }, [near, far])).toBe(
    'Your values lower the prediction from 7.6 to 7.2, mostly that of far (5.10, similarity 0.31).',
  )
})

test('an unchanged prediction says so, with the most similar value', () => {
  expect(writeReason({ plain: 7.62, predicted: 7.64, isUsed: true }, [far, near])).toBe(
    'Your values leave the prediction at 7.6; the most similar one is near (8.39, similarity 0.75).',
  )
})

test('values that are not used are not given as a reason', () => {
  expect(writeReason({ plain: 7.6, predicted: 7.6, isUsed: false }, [near])).toBe(
    'Ranked by the prediction, because your values are not used; the most similar one is near (8.39, similarity 0.75).',
  )
})

test('a reason says that it is about the prediction with its pose', () => {
  const adjusted = { plain: 7.6, predicted: 8.1, isAdjusted: true }
  expect(writeReason({ ...adjusted, isUsed: true }, [near])).toBe(
    'Your values raise the prediction with its pose from 7.6 to 8.1, mostly that of near (8.39, similarity 0.75).',
  )
  expect(writeReason({ ...adjusted, isUsed: false }, [near])).toMatch(
    /^Ranked by the prediction with its pose, because your values are not used/,
  )
})

test('an effect is the change of the prediction when the value is left out', async () => {
  const candidate: Estimate = { predicted: 6, halfWidth: 1, bits: [1, 2, 3], descriptors: [] }
  const measured = ['CCO', 'CCN', 'CCC'].map((smiles, at) => {
    return { compound: `m${at}`, smiles, pk: 7 + at, bound: null, bits: [1, 2, 3 + at] }
  })
  const move = (by: number) => (others: Estimate[]) =>
    others.map(({ predicted, halfWidth }) => ({ predicted: predicted + by, halfWidth }))
  const fitted: FittedValues = {
    count: 3,
    verdict: 'helps',
    update: move(0.5),
    withScore: () => null,
    updateWithout: (smiles) => move(smiles === 'CCN' ? 0.1 : 0.45),
  }
  expect(await findReasons(candidate, { measured, fitted })).toEqual([
    { compound: 'm1', pk: 8, similarity: 0.5, effect: 0.4 },
    { compound: 'm0', pk: 7, similarity: 1, effect: 0.05 },
  ])
})
