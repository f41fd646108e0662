/** The panel says a number with the user's values and without them. */
import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { result } from '#web/test/results.tsx'
import { renderRoutes } from '#web/test/screen.tsx'
import { OwnValues } from './own-values.tsx'

test('a number is said with own values and without, each with its interval', () => {
  const details = {
    ...result(6.2),
    interval: { lower: 4.4, upper: 8, level: 0.95 },
    own_values: {
      count: 5,
      predicted_kd: 7.1,
      interval: { lower: 6.3, upper: 7.9, level: 0.95 },
    },
  }
  renderRoutes({ '/': <OwnValues details={details} /> }, '/')
  expect(screen.getByText(/^With your 5 values/).textContent).toBe(
    'With your 5 values 7.10 (6.30 to 7.90), without 6.20 (4.40 to 8.00). Your measured values',
  )
})
