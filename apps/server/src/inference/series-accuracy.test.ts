/** Which error on published series applies to a protein, by its family and the number of values measured on it. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { readConfig } from '#server/main/settings.ts'
import { readModelCard } from './model-card.ts'
import type { Relative } from './relatives.ts'
import { accuracyFor, openAccuracy } from './series-accuracy.ts'

const { modelDir } = readConfig({})
const card = await readModelCard(modelDir)
const scratch = await mkdtemp(join(tmpdir(), 'pkdex-accuracy-'))
afterAll(() => rm(scratch, { recursive: true }))

const families = {
  families: { 'protein kinases': [0, 1], 'other proteins': [2] },
  rows: [
    {
      family: 'protein kinases',
      from: 300,
      below: 1000,
      proteins: 17,
      compounds: 800,
      rmse: 0.9,
      tau: 0.3,
      interval: [0.8, 1],
    },
    {
      family: 'other proteins',
      from: 0,
      below: 1,
      proteins: 8,
      compounds: 300,
      rmse: 1.5,
      tau: null,
      interval: [1, 2],
    },
  ],
}

function relative(places: number[], identityPercent: number | null): Relative {
  return { name: 'protein', similarity: 0.5, identityPercent, measurements: 1, places }
}

test('a protein has the error of its family, that of the closest related training target', async () => {
  await writeFile(join(scratch, 'accuracy.json'), JSON.stringify(families))
  const accuracyOf = openAccuracy(scratch, card)
  const kinases = {
    family: { name: 'protein kinases', proteins: 17 },
    from: 300,
    below: 1000,
    rmse: 0.9,
    tau: 0.3,
    interval: { lower: 0.8, upper: 1 },
    compounds: 800,
  }
  expect(accuracyOf([relative([1], 40), relative([2], 30)], 300)).toEqual(kinases)
  // 3 is an unnamed target, and the other relation is no better than chance.
  expect(accuracyOf([relative([3], 99), relative([0], 30)], 999)).toEqual(kinases)
  expect(accuracyOf([relative([0], null)], 500)?.family).toBeNull()
  expect(accuracyOf([relative([0], null)], 0)?.family?.name).toBe('other proteins')
  expect(accuracyOf([], 0)?.rmse).toBe(1.5)
  expect(accuracyOf([relative([3], 99)], 0)?.family).toBeNull()
})

test('a family without series of as many values has the error of all proteins', async () => {
  await writeFile(join(scratch, 'accuracy.json'), JSON.stringify(families))
  const found = openAccuracy(scratch, card)([relative([0], 50)], 5)
  expect(found).toEqual(accuracyFor(card, 5))
  expect(found).toMatchObject({ family: null, interval: null, from: 1, below: 10 })
})

test('a model folder without families has the error of all proteins', () => {
  const accuracyOf = openAccuracy(join(scratch, 'none'), card)
  expect(accuracyOf([relative([0], 50)], 500)).toEqual(accuracyFor(card, 500))
})

test('SPEC 22.6: the shipped model has an error for kinases with many values', () => {
  const accuracyOf = openAccuracy(modelDir, card)
  // Index 0 is AAK1.
  const found = accuracyOf([relative([0], 50)], 500)
  expect(found).toMatchObject({ family: { name: 'protein kinases' }, from: 300, below: 1000 })
  expect(found?.family?.proteins).toBeGreaterThanOrEqual(9)
})

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
