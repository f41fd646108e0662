/** Measured values are imported, reported line by line, compared, changed and deleted. */
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
      smiles: 'CCO',
      pk: 7.92,
      bound: null,
      count: 1,
      spread: null,
      without_own: { predicted: 6.2, lower: 4.4, upper: 8 },
      with_own: { predicted: 7.1, lower: 6.3, upper: 7.9 },
    },
  ],
  waiting: 0,
  without_own: { rmse: 1.2, tau: 0.2, tau_interval: null },
  with_own: { rmse: 0.7, tau: -0.4, tau_interval: { lower: -0.8, upper: 0.3 } },
  mean_of_own: { rmse: 0.9, tau: null, tau_interval: null },
  verdict: 'helps',
  summary: 'Your values improve predictions (leave-one-out RMSE 1.20 → 0.70, n = 6).',
  use: null,
  is_used: true,
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

const two = {
  'GET /dta/get_protein_names': () =>
    Response.json({ protein_names: ['1hpv', 'MET'], residues: [99, 300] }),
  'GET /measurements?target=&page=1&page_size=50': () =>
    Response.json({ measurements: [value], targets: [{ name: '1hpv', count: 1 }] }),
  'GET /measurements?target=MET&page=1&page_size=50': () =>
    Response.json({ measurements: [], targets: [] }),
  'GET /measurements/comparison?target=MET': () => Response.json({ ...comparison, compared: [] }),
  'POST /measurements': () =>
    Response.json({ added: 2, replaced: 0, repeated: 0, rejected: [], has_header: true }),
}

test('SPEC 21.17: no target is preselected, and choosing one keeps what was pasted with its type and unit', async () => {
  const calls = open(two)
  const box = await screen.findByRole<HTMLTextAreaElement>('textbox', { name: 'Measured values' })
  const choice = screen.getByRole<HTMLSelectElement>('combobox', { name: 'Target' })
  expect(choice.selectedOptions[0]?.text).toBe('Choose a target')
  fireEvent.change(box, { target: { value: 'a,12\nb,13' } })
  fireEvent.change(screen.getByRole('combobox', { name: 'Type' }), { target: { value: 'IC50' } })
  fireEvent.change(screen.getByRole('combobox', { name: 'Unit' }), { target: { value: 'µM' } })
  const send = screen.getByRole<HTMLButtonElement>('button', { name: 'Choose a target first' })
  expect(send.disabled).toBe(true)
  fireEvent.submit(box)
  fireEvent.change(choice, { target: { value: 'MET' } })
  await screen.findByRole('button', { name: 'Import for MET' })
  expect(box.value).toBe('a,12\nb,13')
  fireEvent.click(screen.getByRole('button', { name: 'Import for MET' }))
  await screen.findByText('2 values added')
  const sent = calls.filter(({ name }) => name === 'POST /measurements').map(({ body }) => body)
  expect(sent).toMatchObject([{ target: 'MET', type: 'IC50', unit: 'µM' }])
})

test('the list of targets shows how many values each has, separate from its name', async () => {
  const names = ['TYK2', 'TYK2 (2)', 'abl']
  const counted = [
    { name: 'TYK2', count: 7 },
    { name: 'TYK2 (2)', count: 1 },
  ]
  open({
    'GET /dta/get_protein_names': () =>
      Response.json({ protein_names: names, residues: [300, 300, 274] }),
    'GET /measurements?target=&page=1&page_size=50': () =>
      Response.json({ measurements: [], targets: counted }),
    'GET /measurements?target=TYK2&page=1&page_size=50': () =>
      Response.json({ measurements: [], targets: counted }),
    'GET /measurements/comparison?target=TYK2': () =>
      Response.json({ ...comparison, compared: [] }),
  })
  const choice = await screen.findByRole('combobox', { name: 'Target' })
  const options = () =>
    within(choice)
      .getAllByRole('option')
      .map(({ textContent }) => textContent)
  await waitFor(() =>
    expect(options().slice(1)).toEqual(['TYK2, 7 values', 'TYK2 (2), 1 value', 'abl']),
  )
})

test('predicted and measured values are listed with error, rank correlation and verdict', async () => {
  open()
  await screen.findByText(
    'Your values improve predictions (leave-one-out RMSE 1.20 → 0.70, n = 6).',
  )
  const figures = screen.getByRole('table', { name: 'Agreement with measured values' })
  expect(
    within(figures)
      .getAllByRole('cell')
      .map(({ textContent }) => textContent),
  ).toEqual([
    'RMSE (pK units)',
    '1.20',
    '0.70',
    '0.90',
    'Rank correlation (Kendall’s τ)',
    '0.20',
    '−0.40 (−0.80 to 0.30)',
    '–',
  ])
  const row = (await screen.findByRole('cell', { name: 'Kd 12 nM' })).closest('tr')
  await waitFor(() => expect(row?.textContent).toContain('imatinibKd 12 nM7.926.207.10'))
  screen.getByRole('group', { name: /^Predicted vs measured pK for 1 compound\./ })
})

test('a measured compound without a prediction has no number, and the page says what to do', async () => {
  const compared = comparison.compared.map((one) => ({ ...one, without_own: null, with_own: null }))
  open({
    'GET /measurements/comparison?target=abl': () => Response.json({ ...comparison, compared }),
  })
  await screen.findByText(/^1 measured compound not predicted on this target yet/)
  expect(screen.getByRole('link', { name: 'predict' }).getAttribute('href')).toBe('/prompt')
  const row = (await screen.findByRole('cell', { name: 'Kd 12 nM' })).closest('tr')
  await waitFor(() => expect(row?.textContent).toContain('imatinibKd 12 nM7.92––'))
  expect(screen.queryByRole('group', { name: /^Predicted vs measured/ })).toBeNull()
})

test('skipped lines are listed with their reason and stay in the text box', async () => {
  const calls = open({
    'POST /measurements': () =>
      Response.json({
        added: 1,
        replaced: 0,
        repeated: 0,
        rejected: [{ line: 2, text: 'x,weak', reason: '“weak” is not a number.' }],
        has_header: false,
      }),
  })
  const box = await screen.findByRole<HTMLTextAreaElement>('textbox', { name: 'Measured values' })
  fireEvent.change(box, { target: { value: 'imatinib,12\nx,weak' } })
  fireEvent.change(screen.getByRole('combobox', { name: 'Type' }), { target: { value: 'IC50' } })
  fireEvent.click(screen.getByRole('button', { name: 'Import for abl' }))
  await screen.findByText('Line 2: “weak” is not a number.')
  screen.getByText('1 value added')
  expect(box.value).toBe('x,weak')
  expect(calls.find(({ name }) => name === 'POST /measurements')?.body).toEqual({
    target: 'abl',
    text: 'imatinib,12\nx,weak',
    replace: false,
    type: 'IC50',
    unit: 'nM',
  })
})

test('the header with type and unit stays above invalid lines', async () => {
  const calls = open({
    'POST /measurements': () =>
      Response.json({
        added: 1,
        replaced: 0,
        repeated: 0,
        rejected: [{ line: 3, text: 'CCN,n.d.', reason: '“n.d.” is not a number.' }],
        has_header: true,
      }),
  })
  const box = await screen.findByRole<HTMLTextAreaElement>('textbox', { name: 'Measured values' })
  fireEvent.change(box, { target: { value: 'SMILES,IC50 uM\nCCO,0.2\nCCN,n.d.' } })
  fireEvent.click(screen.getByRole('button', { name: 'Import for abl' }))
  await waitFor(() => expect(box.value).toBe('SMILES,IC50 uM\nCCN,n.d.'))
  fireEvent.change(box, { target: { value: box.value.replace('n.d.', '0.5') } })
  fireEvent.click(screen.getByRole('button', { name: 'Import for abl' }))
  const sent = () => calls.filter(({ name }) => name === 'POST /measurements')
  await waitFor(() => expect(sent()).toHaveLength(2))
  expect(sent()[1]?.body).toMatchObject({ text: 'SMILES,IC50 uM\nCCN,0.5' })
})

test('a value can be edited, and deleted after confirmation', async () => {
  const calls = open({
    'PUT /measurements/m1': () => Response.json({ ...value, value: 'Kd 15 nM' }),
    'DELETE /measurements/m1': () => Response.json({ deleted: 1 }),
  })
  fireEvent.click(await screen.findByRole('button', { name: 'Edit value for imatinib' }))
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
  fireEvent.click(screen.getByRole('button', { name: 'Delete value for imatinib' }))
  fireEvent.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Delete' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(calls.some(({ name }) => name === 'DELETE /measurements/m1')).toBe(true)
})

test('each replicate has a row with the mean of all, and an import can replace stored values', async () => {
  const rows = [value, { ...value, id: 'm2', value: 'Kd 120 nM', pk: 6.92 }]
  const [one] = comparison.compared
  const calls = open({
    [LIST]: () => Response.json({ measurements: rows, targets: [{ name: 'abl', count: 2 }] }),
    'GET /measurements/comparison?target=abl': () =>
      Response.json({ ...comparison, compared: [{ ...one, pk: 7.42, count: 2, spread: 0.707 }] }),
    'POST /measurements': () =>
      Response.json({ added: 1, replaced: 2, repeated: 3, rejected: [], has_header: false }),
  })
  const row = (await screen.findByRole('cell', { name: 'Kd 120 nM' })).closest('tr')
  await waitFor(() => expect(row?.textContent).toContain('6.92mean 7.42 ± 0.71, n = 2'))
  fireEvent.change(screen.getByRole('textbox', { name: 'Measured values' }), {
    target: { value: 'imatinib,12' },
  })
  fireEvent.click(
    screen.getByRole('checkbox', { name: 'Replace stored values of these compounds' }),
  )
  fireEvent.click(screen.getByRole('button', { name: 'Import for abl' }))
  await screen.findByText('1 value added, 2 replaced, 3 stored already')
  expect(calls.find(({ name }) => name === 'POST /measurements')?.body).toMatchObject({
    replace: true,
  })
})

test('the page explains itself even if the targets fail to load', async () => {
  open({ 'GET /dta/get_protein_names': () => Response.json({ message: 'No.' }, { status: 500 }) })
  await screen.findByText('Failed to load your targets')
  screen.getByRole('heading', { name: 'Measured values' })
})

test('a switch decides whether predictions on the target use the values', async () => {
  const calls = open({ 'PUT /measurements/use': () => Response.json({ use: false }) })
  const use = await screen.findByRole<HTMLInputElement>('checkbox', {
    name: 'Use these values in predictions',
  })
  expect(use.checked).toBe(true)
  fireEvent.click(use)
  await waitFor(() =>
    expect(calls.find(({ name }) => name === 'PUT /measurements/use')?.body).toEqual({
      target: 'abl',
      use: false,
    }),
  )
})
