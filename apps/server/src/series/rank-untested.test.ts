import { expect, test } from 'vitest'
import type { Estimate } from '#server/inference/service.ts'
import { rankUntested } from './rank-untested.ts'

const estimate = (predicted: number, halfWidth: number): Estimate => {
  return { predicted, halfWidth, bits: [], descriptors: [] }
}
const unchanged = (others: Estimate[]) => others

test('half a standard deviation is added to the predicted value', () => {
  const candidates = [estimate(7, 0.5), estimate(6.9, 1), estimate(6.9, 0.5), estimate(7.2, 0.1)]
  const order = rankUntested(candidates, unchanged, 8).map(({ place }) => place)
  expect(order).toEqual([3, 1, 0, 2])
})

test('SPEC 31.2: a probability is rounded down to whole percent and never 100', () => {
  const chanceOf = (predicted: number, goal: number) =>
    rankUntested([estimate(predicted, 1.959964)], unchanged, goal)[0]?.chance
  expect(chanceOf(7, 7)).toBe(0.5)
  // Student's t with 6 degrees of freedom exceeds 1.44 with 10% and 2.447 with 2.5%; its scale is 0.7.
  expect(chanceOf(7, 7 + 0.7 * 1.439)).toBe(0.1)
  expect(chanceOf(7, 7 + 0.7 * 1.441)).toBe(0.09)
  expect(chanceOf(7 + 0.7 * 1.439, 7)).toBe(0.89)
  expect(chanceOf(7, 7 + 0.7 * 2.447)).toBe(0.02)
  expect(chanceOf(7, 10)).toBe(0)
  expect(chanceOf(7, 1)).toBe(0.99)
  expect(chanceOf(7, 20)).toBe(0)
})

test('compounds are ranked by the adjusted prediction, not the plain one', () => {
  const update = (others: Estimate[]) =>
    others.map(({ predicted, halfWidth }) => ({ predicted: 10 - predicted, halfWidth }))
  const ranked = rankUntested([estimate(7, 1), estimate(4, 1)], update, 5)
  expect(ranked.map(({ place, predicted }) => [place, predicted])).toEqual([
    [1, 6],
    [0, 3],
  ])
})
