/** Agreement of predictions with measured values, computed by hand. */
import { expect, test } from 'vitest'
import { agreementOf, agreementOfMean, judge, kendallTau } from './agreement.ts'

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
  const none = { rmse: null, tau: null, tau_interval: null }
  expect(agreementOf(points([5, 6], [6, 4]))).toEqual(none)
})

test('the interval of tau contains it, and narrows with the number of values', () => {
  const line = (count: number) =>
    agreementOf(
      points(...Array.from({ length: count }, (_, at) => [at, at % 7] as [number, number])),
    )
  const [few, many] = [line(10), line(100)]
  for (const { tau, tau_interval: interval } of [few, many]) {
    expect(interval?.lower).toBeLessThan(tau ?? Number.NaN)
    expect(interval?.upper).toBeGreaterThan(tau ?? Number.NaN)
  }
  const widthOf = ({ tau_interval: interval }: typeof few) =>
    (interval?.upper ?? 0) - (interval?.lower ?? 0)
  expect(widthOf(many)).toBeLessThan(widthOf(few))
  expect(line(4).tau_interval).toBeNull()
})

test('the average of the other values is the measure that own values must beat', () => {
  expect(agreementOfMean([6, 7, 8]).rmse).toBeCloseTo(Math.sqrt((1.5 ** 2 + 0 + 1.5 ** 2) / 3))
  expect(agreementOfMean([6, 7, 8]).tau).toBeNull()
})

test('says whether values help, harm, make no difference, are no better than their average, or too few', () => {
  const of = (rmse: number | null, tau: number | null = null) => ({ rmse, tau, tau_interval: null })
  const verdict = (without: number, withOwn: number, ofMean: number) =>
    judge(5, { without: of(without), withOwn: of(withOwn, 0.02), ofMean: of(ofMean) })
  expect(verdict(1.2, 0.7, 0.9)).toEqual({
    verdict: 'helps',
    summary: 'Your values improve predictions (leave-one-out RMSE 1.20 → 0.70, n = 5).',
  })
  expect(verdict(1, 1.2, 2).verdict).toBe('harms')
  expect(verdict(1, 0.97, 2).verdict).toBe('no difference')
  // The review's MET series: better than the predictions alone, but the mean of the values does as well.
  expect(verdict(0.95, 0.86, 0.73)).toEqual({
    verdict: 'no better than the average',
    summary:
      "Predictions with your values are no better than the average of your values (leave-one-out RMSE 0.95 → 0.86, n = 5; RMSE of the average 0.73; Kendall's τ 0.02).",
  })
  expect(judge(1, { without: of(null), withOwn: of(null), ofMean: of(null) })).toEqual({
    verdict: 'too few',
    summary: 'At least 3 compounds with exact values are needed for a comparison; you have 1.',
  })
})
