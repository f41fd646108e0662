/** The table of a screen shows structure-adjusted values on request. */
import { screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { openScreen, row, started, stubResizeObserver } from '#web/test/screens.tsx'

stubResizeObserver()

test('SPEC 29.19: the columns of targets show structure-adjusted values, or that there is no pose', async () => {
  const adjusted = { value: 7.6, lower: 6.6, upper: 8.6 }
  const rows = [
    { ...row(1, 7), structure_adjusted: adjusted, structure_reason: null },
    { ...row(1, 6), target: 'abl', structure_adjusted: null, structure_reason: 'Too different.' },
  ]
  const answer = () => Response.json({ rows }, { headers: { 'X-Total-Count': '1' } })
  const path = (sort: string) => `GET /screens/s1/results?sort=${sort}&`
  const targets = [...started.targets, { name: 'abl', chain: 'A' }]
  const placed = { structure_status: 'DONE', structure_total: 2, structure_done: 2 }
  const asked = openScreen({
    'GET /screens/s1': () =>
      Response.json({ ...started, ...placed, targets, compounds: 1, total: 2 }),
    [`${path('affinity')}by=compound&page=1&page_size=100`]: answer,
    [`${path('structure')}column=1&by=compound&page=1&page_size=100`]: answer,
  })
  const cell = async (at: number) =>
    (await screen.findByText('C1')).closest('tr')?.cells[at]?.textContent.replace(/^Open .*: /, '')
  expect(await cell(3)).toBe('7.0')
  await userEvent.selectOptions(screen.getByLabelText('Value'), 'Structure-adjusted')
  await waitFor(async () => expect(await cell(3)).toBe('7.6'))
  expect((await cell(4))?.trim()).toBe('–')
  expect(screen.getByTitle('Too different.')).toBeDefined()
  await userEvent.click(screen.getByRole('button', { name: 'src' }))
  await waitFor(() =>
    expect(asked()).toContain(`${path('structure')}column=1&by=compound&page=1&page_size=100`),
  )
})
