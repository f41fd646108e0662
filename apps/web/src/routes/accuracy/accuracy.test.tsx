/** How good the model is: for anyone, on one target, and in one line where predictions are ranked. */
import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { RankingLines } from '#web/features/measurements/ranking-lines.tsx'
import { serveCalls } from '#web/test/calls.ts'
import { renderRoutes } from '#web/test/screen.tsx'
import { AccuracyPage } from './accuracy-page.tsx'
import { TargetPage } from './target-page.tsx'

const predictors = [
  { name: 'pKdex', rmse: 1.144, tau: 0.25 },
  { name: 'Free-energy perturbation (FEP)', rmse: 0.926, tau: 0.47 },
  { name: 'The average of all compounds', rmse: 1.207, tau: -0.004 },
]
const figures = { model_version: '1', series: { series: 12, compounds: 3538, predictors } }

const number = { predicted: 6, lower: 5, upper: 7 }
const compared = Array.from({ length: 6 }, (_, at) => ({
  id: `m${at}`,
  compound: `C${at}`,
  smiles: 'C'.repeat(at + 1),
  pk: 6 + at / 10,
  bound: at === 5 ? 'upper' : null,
  count: 1,
  spread: null,
  without_own: number,
  with_own: number,
}))
const comparison = {
  target: 'abl',
  compared,
  waiting: 0,
  without_own: { rmse: 1, tau: 0.31, tau_interval: null },
  with_own: { rmse: 0.8, tau: -0.1, tau_interval: null },
  mean_of_own: { rmse: 0.9, tau: null, tau_interval: null },
  verdict: 'no difference',
  summary: 'Your values make no clear difference.',
  use: null,
  is_used: true,
}

function serve(more: Parameters<typeof serveCalls>[0] = {}) {
  return serveCalls({
    'GET /evidence/model': () => Response.json(figures),
    'GET /measurements?target=&page=1&page_size=50': () =>
      Response.json({
        measurements: [],
        targets: [
          { name: 'abl', count: 6 },
          { name: 'src', count: 4 },
          { name: 'other', count: 50 },
        ],
      }),
    'GET /measurements/comparison?target=abl': () => Response.json(comparison),
    ...more,
  })
}

test('where predictions are ranked, one line says how well, and one more per target with five own values', async () => {
  const calls = serve()
  renderRoutes({ '/': <RankingLines targets={['src', 'abl', 'abl']} /> }, '/')
  const line = await screen.findByText(/^On 12 series/)
  expect(line.textContent).toBe(
    'On 12 series new to it, this model ordered compounds with tau 0.25 (FEP 0.47). How good on src?, How good on abl?',
  )
  await screen.findByText('On your 5 values for abl: tau 0.31 (−0.10 with your values).')
  expect(calls.filter(({ name }) => name.includes('comparison'))).toHaveLength(1)
})

test('a model without figures on series shows no line', async () => {
  const calls = serve({
    'GET /evidence/model': () => Response.json({ model_version: '1', series: null }),
  })
  renderRoutes({ '/': <RankingLines targets={['src']} /> }, '/')
  await expect.poll(() => calls.length).toBe(2)
  expect(screen.queryByText(/tau/)).toBeNull()
})

test('the page of a target has values known, error, ranking and own values', async () => {
  serve({
    'GET /evidence/target?target=abl': () =>
      Response.json({
        target: 'abl',
        chain: 'A',
        known: { name: 'ABL1', similarity: 0.99, measured: 51, heard: 787 },
        accuracy: {
          family: null,
          from: 300,
          below: 1000,
          rmse: 1,
          tau: null,
          interval: null,
          compounds: 9,
        },
      }),
  })
  renderRoutes({ '/targets/:name': <TargetPage /> }, '/targets/abl')
  await screen.findByText('Closest training protein: ABL1, similarity 0.99, 787 measured values.')
  screen.getByText(/^Error on new series for proteins with 300 to 999 measured values: RMSE 1\.00/)
  await screen.findByText('On your 5 values for abl: tau 0.31 (−0.10 with your values).')
  screen.getByRole('table', { name: 'Agreement with measured values' })
  await screen.findByRole('table', { name: 'Accuracy on published series' })
})

test('anyone can read the table of the model beside FEP, size and the average', async () => {
  serve()
  renderRoutes({ '/accuracy': <AccuracyPage /> }, '/accuracy')
  const row = await screen.findByRole('row', { name: /^pKdex/ })
  expect(row.textContent).toBe('pKdex1.140.25')
  expect(screen.getByRole('row', { name: /^The average/ }).textContent).toBe(
    'The average of all compounds1.210.00',
  )
})
