/** A bound among own values counts as its compound's expected value given the bound, or not at all. */
import { kernelDescriptorNames } from '@pkdex/biochem'
import { expect, test } from 'vitest'
import { type BoundedValue, expectBounds } from './bounds.ts'
import type { OwnValuesSettings } from './own-values-settings.ts'

const shares = { assay: 0.3, near: 0.5, rest: 0, noise: 0.2, power: 1 }
const settings: OwnValuesSettings = {
  shares,
  descriptors: kernelDescriptorNames.map((name) => ({ name, mean: 0, deviation: 1 })),
  width: { factor: 1, priorCount: 1e9 },
}

/** Predicted 6 ± 1.96: an error has a standard deviation of 1. */
function value(measured: number, bound: BoundedValue['bound'] = null, bits = [1, 2]): BoundedValue {
  const descriptors = kernelDescriptorNames.map(() => 0)
  return { measured, bound, predicted: 6, halfWidth: 1.959964, bits, descriptors }
}

const measured = (values: BoundedValue[]) =>
  expectBounds(values, settings).map((one) => one.measured)

test('exact values are unchanged', () => {
  const values = [value(8), value(5, null, [3])]
  expect(expectBounds(values, settings)).toEqual(values)
})

test('a single bound counts as the mean of the truncated normal distribution', () => {
  // Half of a standard normal distribution has its mean at 0.79788.
  expect(measured([value(6, 'upper')])).toEqual([expect.closeTo(6 - 0.797_88, 4)])
  expect(measured([value(6, 'lower')])).toEqual([expect.closeTo(6 + 0.797_88, 4)])
  expect(measured([value(7, 'lower')])).toEqual([expect.closeTo(6 + 1.525_14, 4)])
  // Far out, the mean lies just beyond the bound; at 4 the exact ratio is 4.22561.
  expect(measured([value(2, 'upper')])).toEqual([expect.closeTo(6 - 4.225_61, 3)])
})

test('a bound that is satisfied anyway adds no information', () => {
  expect(measured([value(9, 'upper')])).toEqual([])
  expect(measured([value(7, null), value(3, 'lower')])).toEqual([7])
})

test('values of similar compounds change what a bound adds', () => {
  const others = [value(9), value(9, null, [1, 2, 3])]
  // Alone, 8 is far above the prediction of 6; with both values it is not.
  expect(measured([value(8, 'upper')])).toEqual([])
  const [bound = 0] = measured([value(8, 'upper'), ...others])
  expect(bound).toBeLessThan(8)
  expect(bound).toBeGreaterThan(6.5)
})

test('two bounds on similar compounds reinforce each other', () => {
  const [alone = 0] = measured([value(5, 'upper')])
  const [one = 0, other = 0] = measured([value(5, 'upper'), value(5, 'upper')])
  expect(one).toBeLessThan(alone)
  expect(other).toBeCloseTo(one, 3)
})
