/** The table of a screen shows structure-adjusted values on request. */
import { screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { firstPage, openScreen, pageOf, row, started } from '#web/test/screens.tsx'

const own = { own_values: 3, predicted_kd_with_own: 7.4, lower_with_own: 6.6, upper_with_own: 8.2 }

test('SPEC 29.19: the columns of targets show structure-adjusted values, or that there is no pose', async () => {
  const adjusted = { value: 7.6, lower: 6.6, upper: 8.6 }
  const rows = [
    {
      ...row(1, 7),
      ...own,
      structure_adjusted: adjusted,
      structure_reason: null,
      own_values_start: 'structure_adjusted',
    },
    { ...row(1, 6), target: 'abl', structure_adjusted: null, structure_reason: 'Too different.' },
  ]
  const answer = pageOf(rows, 1)
  const path = (sort: string) => `GET /screens/s1/results?sort=${sort}&`
  const targets = [...started.targets, { name: 'abl', chain: 'A' }]
  const placed = { structure_status: 'DONE', structure_total: 2, structure_done: 2 }
  const asked = openScreen({
    'GET /screens/s1': () =>
      Response.json({ ...started, ...placed, targets, compounds: 1, total: 2 }),
    [`${path('affinity')}by=compound&page=1&page_size=100`]: answer,
    [`${path('affinity')}values=adjusted&by=compound&page=1&page_size=100`]: answer,
    [`${path('affinity')}values=adjusted&min=7.5&by=compound&page=1&page_size=100`]: answer,
    [`${path('structure')}column=1&values=adjusted&min=7.5&by=compound&page=1&page_size=100`]:
      answer,
  })
  const cell = async (at: number) =>
    (await screen.findByText('C1')).closest('tr')?.cells[at]?.textContent.replace(/^Open .*: /, '')
  expect(await cell(3)).toBe('7.0')
  await userEvent.selectOptions(screen.getByLabelText('Value'), 'Structure-adjusted')
  await waitFor(async () => expect(await cell(3)).toBe('7.6'))
  screen.getByTitle(/with your values and structure 7\.4$/)
  expect((await cell(4))?.trim()).toBe('–')
  screen.getByTitle('Too different.')
  // Order and filter are asked for these values, and the filter names them.
  await userEvent.click(screen.getByRole('button', { name: 'Filter' }))
  await userEvent.type(screen.getByLabelText('pKd from'), '7.5')
  await screen.findByRole('button', { name: 'Remove the filter Structure-adjusted pKd ≥ 7.5' })
  await waitFor(() =>
    expect(asked()).toContain(
      `${path('affinity')}values=adjusted&min=7.5&by=compound&page=1&page_size=100`,
    ),
  )
  await userEvent.click(screen.getByRole('button', { name: 'src' }))
  await waitFor(() =>
    expect(asked()).toContain(
      `${path('structure')}column=1&values=adjusted&min=7.5&by=compound&page=1&page_size=100`,
    ),
  )
  // The clicked value is the headline of its pair; the other one is told beside it.
  const [cellOnTarget] = screen.getAllByRole('button', { name: /^Open C1 on src/ })
  if (cellOnTarget) await userEvent.click(cellOnTarget)
  const dialog = within(await screen.findByRole('dialog'))
  dialog.getByText('pKd = 7.60 ± 1.5')
  dialog.getByText(/^Structure-adjusted, \w+ binding; 7\.00 without the structure$/)
})

const measured = () =>
  Response.json({ measurements: [], targets: [{ name: 'src', count: 3 }] }, { headers: {} })

test.each([
  ['RUNNING', 'With your values'],
  ['DONE', 'With your values and structure'],
])('SPEC 29.21: with poses %s the column says what own values adjust', async (status, title) => {
  const isDone = status === 'DONE'
  const adjusted = { value: 7.6, lower: 6.6, upper: 8.6 }
  const start = (own_values_start: string) => (isDone ? { own_values_start } : {})
  const rows = [
    { ...row(1, 7), ...own, structure_adjusted: adjusted, ...start('structure_adjusted') },
    { ...row(2, 6), ...own, structure_adjusted: null, ...start('plain') },
  ]
  openScreen({
    'GET /screens/s1': () =>
      Response.json({
        ...started,
        structure_status: status,
        structure_total: 2,
        structure_done: 2,
      }),
    'GET /measurements?target=&page=1&page_size=50': measured,
    [firstPage]: pageOf(rows),
  })
  const head = await screen.findByRole('columnheader', { name: title })
  const cellOf = (name: string) =>
    screen.getByText(name).closest('tr')?.cells[(head as HTMLTableCellElement).cellIndex]
      ?.textContent
  expect(cellOf('C1')).toBe('7.4 (6.6 to 8.2) with 3 values')
  const why = isDone ? ', without structure: no pose' : ''
  expect(cellOf('C2')).toBe(`7.4 (6.6 to 8.2) with 3 values${why}`)
})
