/** Agreement of predictions with measured values, computed by hand. */
import { expect, test } from 'vitest'
import { agreementOf, judge, kendallTau } from './agreement.ts'

const points = (...pairs: [measured: number, predicted: number][]) =>
  pairs.map(([measured, predicted]) => ({ measured, predicted }))

test('tau is 1 in the right order, -1 in the reverse one, and null if all are equal', () => {
  expect(kendallTau(points([1, 5], [2, 6], [3, 9]))).toBe(1)
  expect(kendallTau(points([1, 9], [2, 6], [3, 5]))).toBe(-1)
  expect(kendallTau(points([1, 5], [2, 5], [3, 5]))).toBeNull()
})

test('ties count as neither agreement nor disagreement', () => {
  // Of six pairs four agree, one is reversed, and one is tied in the measured values.
  const tied = points([1, 1], [1, 2], [2, 4], [3, 3])
  expect(kendallTau(tied)).toBeCloseTo(3 / Math.sqrt(5 * 6))
})

test('the error is the root mean square, and two values are too few', () => {
  expect(agreementOf(points([5, 6], [6, 4], [7, 9])).rmse).toBeCloseTo(Math.sqrt(3))
  expect(agreementOf(points([5, 6], [6, 4]))).toEqual({ rmse: null, tau: null })
})

test('says whether values help, harm, make no difference, or are too few to tell', () => {
  const of = (rmse: number | null) => ({ rmse, tau: null })
  expect(judge(5, of(1.2), of(0.7))).toEqual({
    verdict: 'helps',
    summary: 'Your values improve predictions (leave-one-out RMSE 1.20 → 0.70, n = 5).',
  })
  expect(judge(5, of(1), of(1.2)).verdict).toBe('harms')
  expect(judge(5, of(1), of(0.97)).verdict).toBe('no difference')
  expect(judge(1, of(null), of(null))).toEqual({
    verdict: 'too few',
    summary: 'At least 3 compounds with exact values are needed for a comparison; you have 1.',
  })
})
