/** The table, the filter and the dialog of a screen show the same number of a pair. */
import { screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { result as resultOf } from '#web/test/results.tsx'
import { openScreen, pageOf, row, started } from '#web/test/screens.tsx'

test('SPEC 29.19: the value that is clicked is the headline of its pair; its stages are one click away', async () => {
  const pose = { value: 8.37, lower: 7.3, upper: 9.4 }
  const best = { best_kd: 8.21, best_lower: 7.4, best_upper: 9, own_values: 12 }
  const rows = [{ ...row(1, 7.59), ...best, structure_adjusted: pose, structure_reason: null }]
  const path = 'GET /screens/s1/results?sort=affinity&'
  const intervalOf = (pkd: number) => ({ lower: pkd - 1, upper: pkd + 1, level: 0.95 })
  const result = {
    ...resultOf(7.59),
    best_estimate: {
      predicted_kd: 8.21,
      interval: { lower: 7.4, upper: 9, level: 0.95 },
      pose: { predicted_kd: 8.37, interval: intervalOf(8.37) },
      own_values: 12,
    },
  }
  const asked = openScreen({
    'GET /screens/s1': () => Response.json({ ...started, structure_status: 'DONE' }),
    [`${path}page=1&page_size=100`]: pageOf(rows),
    [`${path}min=8&page=1&page_size=100`]: pageOf(rows),
    'GET /evidence/details?screen=s1&row=1&column=1': () =>
      Response.json({ target: 'src', chain: 'A', compound: 'C1', result }),
  })
  const shown = (await screen.findByText('C1')).closest('tr')?.textContent
  expect(shown).toContain('8.2')
  for (const other of ['7.6', '8.4']) expect(shown).not.toContain(other)
  await userEvent.click(screen.getByRole('button', { name: 'Filter' }))
  await userEvent.type(screen.getByLabelText('pKd from'), '8')
  await screen.findByRole('button', { name: 'Remove the filter pKd ≥ 8' })
  await waitFor(() => expect(asked()).toContain(`${path}min=8&page=1&page_size=100`))
  await userEvent.click(screen.getByText('C1'))
  const dialog = within(await screen.findByRole('dialog'))
  await dialog.findByText('12 own values')
  dialog.getByText('pKd = 8.21 ± 1.5')
  dialog.getByText('Best estimate, strong binding')
  dialog.getByText('Pose in src')
  await userEvent.click(dialog.getByRole('button', { name: 'How this was obtained' }))
  for (const stage of ['7.59', '8.37']) dialog.getByText(stage)
})
