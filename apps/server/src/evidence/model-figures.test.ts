import { expect, test } from 'vitest'
import { readTestConfig } from '#test/open-test-app.ts'
import { readFigures } from './model-figures.ts'

test('the shipped model has its figures beside those of FEP, size and the average', async () => {
  const { series } = await readFigures(readTestConfig().modelDir)
  expect(series?.predictors.map(({ name }) => name)).toEqual([
    'pKdex',
    'Free-energy perturbation (FEP)',
    'Molecular size alone',
    'The average of all compounds',
  ])
  for (const { rmse, tau } of series?.predictors ?? []) {
    expect(rmse).toBeGreaterThan(0.5)
    expect(Math.abs(tau)).toBeLessThan(1)
  }
})
