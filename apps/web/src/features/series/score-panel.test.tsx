/** The panel of another tool's score. */
import { screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { serveCalls } from '#web/test/calls.ts'
import { renderRoutes } from '#web/test/screen.tsx'
import { ScorePanel } from './score-panel.tsx'

test('a score that cannot be loaded says so, and Retry loads it', async () => {
  let isDown = true
  serveCalls({
    'POST /series/score': () => {
      if (isDown) throw new TypeError('Failed to fetch')
      return Response.json({ columns: ['FEP'], judgement: null, predictions: [] })
    },
  })
  renderRoutes({ '/': <ScorePanel screens={['s1']} target="src" chain="A" /> }, '/')
  expect((await screen.findByRole('alert')).textContent).toContain('Failed to load another tool’s')
  isDown = false
  await userEvent.click(screen.getByRole('button', { name: 'Retry' }))
  await screen.findByLabelText('Column')
})

test('SPEC 33.4: a column counts only after its direction was selected; none is preset', async () => {
  let judgement: object | null = null
  const calls = serveCalls({
    'POST /series/score': () =>
      Response.json({ columns: ['FEP', 'Docking'], judgement, predictions: [] }),
    'PUT /series/score': ({ body }) => {
      const { choice } = body as { choice: { column: string } }
      const counts = {
        scored: 20,
        measured: 12,
        slope: null,
        weight: 0.4,
        tau: 0.5,
        prediction_tau: 0.1,
      }
      judgement = { ...choice, ...counts, verdict: 'yes', summary: `Yes: ${choice.column} counts.` }
      return Response.json({ choice })
    },
  })
  const chosen = () => calls.filter(({ name }) => name === 'PUT /series/score')
  renderRoutes({ '/': <ScorePanel screens={['s1']} target="src" chain="A" /> }, '/')
  await userEvent.selectOptions(await screen.findByLabelText('Column'), 'FEP')
  const direction = () => screen.getByLabelText<HTMLSelectElement>('Direction')
  expect(direction().selectedOptions[0]?.label).toBe('Select a direction')
  screen.getByText('FEP is not used yet. Select its direction.')
  expect(chosen()).toHaveLength(0)
  await userEvent.selectOptions(direction(), 'Lower is stronger')
  await screen.findByText('Yes: FEP counts.')
  expect(chosen()[0]?.body).toEqual({
    target: 'src',
    choice: { column: 'FEP', direction: 'lower' },
  })
  // Another column has its own direction.
  await userEvent.selectOptions(screen.getByLabelText('Column'), 'Docking')
  expect(direction().selectedOptions[0]?.label).toBe('Select a direction')
  expect(chosen()).toHaveLength(1)
})
