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
  expect(await screen.findByLabelText('Column')).toBeDefined()
})
