/** Which range of the model card a number of measured values belongs to. */
import { expect, test } from 'vitest'
import { readConfig } from '#server/main/settings.ts'
import { readModelCard } from './model-card.ts'
import { accuracyFor } from './series-accuracy.ts'

const card = await readModelCard(readConfig({}).modelDir)

test('SPEC 22.6: every number of measured values has the error of its range in the shipped card', () => {
  const ranges = [0, 1, 9, 10, 299, 300, 999, 1000, 50_000].map((values) => {
    const { from, below } = accuracyFor(card, values) ?? {}
    return [values, from, below]
  })
  expect(ranges).toEqual([
    [0, 0, 1],
    [1, 1, 10],
    [9, 1, 10],
    [10, 10, 30],
    [299, 100, 300],
    [300, 300, 1000],
    [999, 300, 1000],
    [1000, 1000, null],
    [50_000, 1000, null],
  ])
  expect(accuracyFor(card, 500)?.rmse).toBeGreaterThan(0.5)
})

test('a card without scores on series, or without the range, has no error', () => {
  expect(accuracyFor({ ...card, series: undefined }, 500)).toBeNull()
  const rows = [{ range: '1 to 10', compounds: 380, rmse: 0.964 }]
  const one = { ...card, series: { strata: [{ by: 'values measured on the target', rows }] } }
  expect(accuracyFor(one, 500)).toBeNull()
})
