/** A pair opened from a link or from the history. */
import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { held, openResults, pass, reading, result } from '#web/test/results.tsx'

test('SPEC 23.8: a link to an already predicted pair shows its prediction without a request', async () => {
  const details = held({ target: 'abl', chain: 'A', compound: 'imatinib', result: result(8.13) })
  const { countOf } = await openResults(
    {
      'GET /dta/known?protein_id=abl': () =>
        Response.json({
          known: [{ compound_id: 'imatinib', predicted_kd: 7.9, best_kd: 8.13 }],
          to_predict: 1,
          credits_needed: 1,
        }),
      'GET /evidence/details?target=abl&compound=imatinib': details.answer,
    },
    { search: '?target=abl&compound=imatinib' },
  )
  // The prediction appears with its interval, so that nothing moves.
  expect(screen.queryByText(reading('8.13'))).toBeNull()
  expect(screen.queryByRole('button', { name: 'Predict' })).toBeNull()
  details.release()
  await pass(20)
  screen.getByText(reading('8.13'))
  screen.getByText('95% interval, calibrated')
  expect(screen.queryByRole('button', { name: 'Predict' })).toBeNull()
  expect(countOf('POST /dta/predict')).toBe(0)
})

test('SPEC 27.10: a prediction of an earlier model is shown with its version, and can be repeated', async () => {
  const { countOf } = await openResults(
    {
      'GET /dta/known?protein_id=abl': () =>
        Response.json({
          known: [],
          earlier: [
            { compound_id: 'imatinib', predicted_kd: 7, best_kd: 7.12, model_version: '1.4.1' },
          ],
          to_predict: 2,
          credits_needed: 2,
        }),
    },
    { search: '?target=abl&compound=imatinib' },
  )
  await pass(20)
  screen.getByText('pKd 7.12 by model 1.4.1')
  screen.getByRole('button', { name: 'Predict' })
  expect(countOf('POST /dta/predict')).toBe(0)
})
