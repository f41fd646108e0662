/** Values are imported, told line by line, compared, changed and deleted. */
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { serveCalls } from '#web/test/calls.ts'
import { renderRoutes } from '#web/test/screen.tsx'
import { MeasurementsPage } from './measurements-page.tsx'

const value = {
  id: 'm1',
  target: 'abl',
  compound: 'imatinib',
  smiles: 'CCO',
  type: 'Kd',
  value: 'Kd 12 nM',
  pk: 7.92,
  bound: null,
  created_at: '2026-11-22T10:00:00.000Z',
}

const comparison = {
  target: 'abl',
  compared: [
    {
      id: 'm1',
      compound: 'imatinib',
      pk: 7.92,
      bound: null,
      without_own: { predicted: 6.2, lower: 4.4, upper: 8 },
      with_own: { predicted: 7.1, lower: 6.3, upper: 7.9 },
    },
  ],
  waiting: 0,
  without_own: { rmse: 1.2, tau: 0.2 },
  with_own: { rmse: 0.7, tau: -0.4 },
  verdict: 'helps',
  summary: 'Your values help: so much.',
}

const LIST = 'GET /measurements?target=abl&page=1&page_size=50'

function open(answers: Parameters<typeof serveCalls>[0] = {}) {
  const calls = serveCalls({
    'GET /dta/get_protein_names': () => Response.json({ protein_names: ['abl'], residues: [274] }),
    'GET /measurements?target=&page=1&page_size=50': () =>
      Response.json({ measurements: [value], targets: [{ name: 'abl', count: 1 }] }),
    [LIST]: () => Response.json({ measurements: [value], targets: [{ name: 'abl', count: 1 }] }),
    'GET /measurements/comparison?target=abl': () => Response.json(comparison),
    ...answers,
  })
  renderRoutes({ '/measurements': <MeasurementsPage /> }, '/measurements')
  return calls
}

test('predicted stands beside measured, with error, order and a plain verdict', async () => {
  open()
  expect(await screen.findByText('Your values help: so much.')).toBeDefined()
  const figures = screen.getByRole('table', { name: 'Agreement with what was measured' })
  expect(
    within(figures)
      .getAllByRole('cell')
      .map(({ textContent }) => textContent),
  ).toEqual([
    'Root mean square error, pK',
    '1.20',
    '0.70',
    'Order (Kendall’s tau)',
    '0.20',
    '−0.40',
  ])
  const row = (await screen.findByRole('cell', { name: 'Kd 12 nM' })).closest('tr')
  await waitFor(() => expect(row?.textContent).toContain('imatinibKd 12 nM7.926.207.10'))
  expect(
    screen.getByRole('img', { name: /^Predicted against measured pK of 1 compounds/ }),
  ).toBeDefined()
})

test('lines that were not taken are told and stay in the box', async () => {
  const calls = open({
    'POST /measurements': () =>
      Response.json({
        added: 1,
        replaced: 0,
        rejected: [{ line: 2, text: 'x,weak', reason: '“weak” is not a number.' }],
      }),
  })
  const box = await screen.findByRole<HTMLTextAreaElement>('textbox', { name: 'Measured values' })
  fireEvent.change(box, { target: { value: 'imatinib,12\nx,weak' } })
  fireEvent.change(screen.getByRole('combobox', { name: 'Type' }), { target: { value: 'IC50' } })
  fireEvent.click(screen.getByRole('button', { name: 'Import' }))
  expect(await screen.findByText('Line 2: “weak” is not a number.')).toBeDefined()
  expect(screen.getByText('1 value added')).toBeDefined()
  expect(box.value).toBe('x,weak')
  expect(calls.find(({ name }) => name === 'POST /measurements')?.body).toEqual({
    target: 'abl',
    text: 'imatinib,12\nx,weak',
    type: 'IC50',
    unit: 'nM',
  })
})

test('a value is edited with what was measured, and deleted after a question', async () => {
  const calls = open({
    'PUT /measurements/m1': () => Response.json({ ...value, value: 'Kd 15 nM' }),
    'DELETE /measurements/m1': () => Response.json({ deleted: 1 }),
  })
  fireEvent.click(await screen.findByRole('button', { name: 'Edit the value of imatinib' }))
  const box = screen.getByRole<HTMLInputElement>('textbox', { name: 'Value' })
  expect(box.value).toBe('12 nM')
  fireEvent.change(box, { target: { value: '15' } })
  fireEvent.click(screen.getByRole('button', { name: 'Save' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(calls.find(({ name }) => name === 'PUT /measurements/m1')?.body).toEqual({
    value: '15',
    type: 'Kd',
    unit: 'nM',
  })
  fireEvent.click(screen.getByRole('button', { name: 'Delete the value of imatinib' }))
  fireEvent.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Delete' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(calls.some(({ name }) => name === 'DELETE /measurements/m1')).toBe(true)
})

test('the page says what it is also where the targets cannot be loaded', async () => {
  open({ 'GET /dta/get_protein_names': () => Response.json({ message: 'No.' }, { status: 500 }) })
  expect(await screen.findByText('Failed to load your targets')).toBeDefined()
  expect(screen.getByRole('heading', { name: 'Measured values' })).toBeDefined()
})
