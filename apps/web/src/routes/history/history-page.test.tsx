/** Past predictions are listed, searched, reopened and saved. */
import type { listHistory } from '@pkdex/contract'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { z } from 'zod'
import { userEvent } from '@testing-library/user-event'
import { refuse, serveCalls } from '#web/test/calls.ts'
import { catchSaved } from '#web/test/saved.ts'
import { renderRoutes } from '#web/test/screen.tsx'
import { HistoryPage } from './history-page.tsx'

type Past = z.infer<typeof listHistory.answer>['predictions'][number]

const past: Past = {
  task_id: 't1',
  target: 'abl 1',
  chain: 'A',
  compound: 'imatinib',
  smiles: 'CC',
  measured_pk: null,
  status: 'SUCCESS',
  message: null,
  best_kd: 7.126,
  best_lower: 6,
  best_upper: 8.25,
  predicted_kd: 6.9,
  lower: 5.8,
  upper: 8,
  model_version: 'v3',
  credits_charged: 1,
  created_at: '2026-11-22T10:00:00.000Z',
}

function answerOf(predictions: Past[], total = predictions.length) {
  return () => Response.json({ predictions }, { headers: { 'X-Total-Count': String(total) } })
}

function open(calls: Parameters<typeof serveCalls>[0], at = '/history') {
  const made = serveCalls({
    'GET /dta/get_compound_names': () => Response.json({ compound_names: ['imatinib'] }),
    ...calls,
  })
  const router = renderRoutes({ '/history': <HistoryPage />, '/screens/new': <p>New</p> }, at)
  return { made, router }
}

const LIST = 'GET /history?page=1&search=&page_size=50'

test('a pair is listed with prediction, interval, model and cost, and links to its page', async () => {
  open({ [LIST]: answerOf([past]) })
  const link = await screen.findByRole('link', { name: 'imatinib on abl 1' })
  expect(link.getAttribute('href')).toBe('/results?target=abl+1&compound=imatinib')
  const cells = within(screen.getByRole('table', { name: 'Predictions' })).getAllByRole('cell')
  const texts = cells.map(({ textContent }) => textContent)
  expect(texts.slice(3, 9)).toEqual(['A', '', '7.1', '6.0 to 8.3', 'v3', '1'])
  await screen.findByRole('button', { name: 'Star imatinib' })
})

test('SPEC 30.11: a measured value has the column before the prediction, and one more digit', async () => {
  open({ [LIST]: answerOf([{ ...past, measured_pk: 7.305 }]) })
  await screen.findByRole('link', { name: 'imatinib on abl 1' })
  const texts = screen.getAllByRole('cell').map(({ textContent }) => textContent)
  expect(texts.join(' ')).toContain('Measured 7.30 7.1')
})

test('deleted items are marked and not linked, and failures have a reason', async () => {
  const none = { best_kd: null, best_lower: null, best_upper: null, predicted_kd: null }
  const failed = { ...past, ...none, status: 'FAILURE', message: 'It failed on our side.' }
  const waiting = { ...past, ...none, task_id: 't3', status: 'STARTED' }
  const gone = { ...failed, task_id: 't2', compound: null }
  open({ [LIST]: answerOf([gone, waiting]) })
  await screen.findByText('deleted compound')
  screen.getByText('Failed. It failed on our side.')
  screen.getByText('In progress')
  const links = within(screen.getByRole('table', { name: 'Predictions' })).getAllByRole('link')
  expect(links.map(({ textContent }) => textContent)).toEqual(['imatinib on abl 1'])
})

test('a search starts at the first page and is in the URL', async () => {
  const { router } = open(
    {
      'GET /history?page=2&search=&page_size=50': answerOf([past], 60),
      'GET /history?page=1&search=zzz&page_size=50': answerOf([]),
    },
    '/history?page=2',
  )
  await screen.findByText('51–60 of 60')
  const box = screen.getByRole('searchbox', { name: 'Search by target or compound' })
  fireEvent.change(box, { target: { value: 'zzz' } })
  fireEvent.keyDown(box, { key: 'Enter' })
  await screen.findByText(/No matches for “zzz”/)
  expect(router.state.location.search).toBe('?search=zzz')
})

test('a page past the last shows the last one', async () => {
  const { router } = open(
    { 'GET /history?page=9&search=&page_size=50': answerOf([], 1), [LIST]: answerOf([past]) },
    '/history?page=9',
  )
  await screen.findByRole('link', { name: 'imatinib on abl 1' })
  expect(router.state.location.search).toBe('')
})

test('a user without predictions gets a link to the Predict page', async () => {
  open({ [LIST]: answerOf([]) })
  const link = await screen.findByRole('link', { name: 'Predict a pair' })
  expect(link.getAttribute('href')).toBe('/results')
})

test('the saved table contains the search results; an error is shown', async () => {
  const found = 'GET /history?page=1&search=abl&page_size=50'
  const csv = 'GET /history.csv?search=abl'
  let isRefused = false
  const saved = catchSaved()
  open(
    {
      [found]: answerOf([past]),
      [csv]: () => (isRefused ? refuse(503, 'Please wait a moment.') : new Response('a,b')),
    },
    '/history?search=abl',
  )
  fireEvent.click(await screen.findByRole('button', { name: 'CSV' }))
  await waitFor(() => expect(saved).toHaveLength(1))
  expect(await saved[0]?.content.text()).toBe('a,b')
  isRefused = true
  fireEvent.click(screen.getByRole('button', { name: 'CSV' }))
  expect((await screen.findByRole('alert')).textContent).toBe('Please wait a moment.')
})

test('ticked predictions are listed to make with their numbers, on their own target', async () => {
  const gone = { ...past, task_id: 't2', compound: null, smiles: null }
  const other = { ...past, task_id: 't3', target: 'src', smiles: 'CCO', best_kd: null }
  const { made, router } = open({
    [LIST]: answerOf([past, gone, other]),
    'PUT /series/lists': ({ body }) =>
      Response.json({
        make_name: null,
        make_tags: [],
        make: Object(body).smiles,
        added_with: [null],
        excluded: [],
      }),
  })
  const ticks = await screen.findAllByRole('checkbox')
  expect(ticks).toHaveLength(2)
  await userEvent.click(screen.getByRole('checkbox', { name: 'Select imatinib on abl 1' }))
  await screen.findByText('1 prediction selected')
  await userEvent.click(screen.getByRole('checkbox', { name: 'Select imatinib on src' }))
  await screen.findByText('2 predictions selected')
  await userEvent.click(screen.getByRole('button', { name: 'Make list' }))
  await userEvent.click(await screen.findByRole('button', { name: 'abl 1' }))
  await screen.findByText('On the make list of abl 1')
  expect(made.find(({ name }) => name === 'PUT /series/lists')?.body).toEqual({
    target: 'abl 1',
    list: 'make',
    listed: true,
    smiles: ['CC'],
    added_with: [{ predicted_kd: 7.126, lower: 6, upper: 8.25 }],
  })
  await userEvent.click(screen.getByRole('link', { name: 'New screen' }))
  await waitFor(() =>
    expect(router.state.location.state).toEqual({
      targets: ['abl 1', 'src'],
      compounds: ['imatinib'],
    }),
  )
})
