import { fireEvent, screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { beforeEach, expect, test, vi } from 'vitest'
import { type Call, serveCalls } from '#web/test/calls.ts'
import { renderRoutes } from '#web/test/screen.tsx'
import { NewScreenPage } from './new-screen-page.tsx'
import { ScreenPage } from './screen-page.tsx'

beforeEach(() => {
  vi.stubGlobal(
    'ResizeObserver',
    class {
      observe() {}
      unobserve() {}
      disconnect() {}
    },
  )
})

const quote = {
  targets: 1,
  compounds: 3,
  total: 3,
  known: 1,
  to_predict: 2,
  credits_needed: 2,
  credits_left: 40,
  unusable: [],
  unusable_count: 0,
  model_version: '1',
}

const started = {
  id: 's1',
  status: 'DONE',
  total: 3,
  done: 3,
  known: 1,
  credits_charged: 2,
  targets: [{ name: 'src', chain: 'A' }],
  compounds: 3,
  model_version: '1',
  created_at: '2026-11-22T10:00:00Z',
  finished_at: '2026-11-22T10:00:02Z',
  message: null,
}

const row = (place: number, pkd: number | null) => ({
  row: place,
  compound: `C${place}`,
  smiles: 'CCO',
  target: 'src',
  chain: 'A',
  predicted_kd: pkd,
  lower: pkd && pkd - 1,
  upper: pkd && pkd + 1,
  in_domain: pkd === null ? null : true,
  is_ligand_driven: null,
  compound_similarity: 0.5,
  target_similarity: 0.9,
  selectivity: null,
  reason: pkd === null ? 'The SMILES cannot be read.' : null,
  own_values: null,
  predicted_kd_with_own: null,
  lower_with_own: null,
  upper_with_own: null,
})

const library = {
  'GET /dta/get_protein_names': () => Response.json({ protein_names: ['src'], residues: [274] }),
  'GET /dta/get_compound_names': () => Response.json({ compound_names: ['C1', 'C2', 'C3'] }),
  'GET /file_manager/targets/src': () => new Response('', { status: 404 }),
  'GET /dta/credits': () => Response.json({ credits: 40 }),
  'GET /measurements?target=&page=1&page_size=50': () =>
    Response.json({ measurements: [], targets: [] }),
}

function openNew(handlers: Record<string, (call: Call) => Response>) {
  const calls = serveCalls({ ...library, ...handlers })
  const routes = { '/screens/new': <NewScreenPage />, '/screens/:id': <p>The screen</p> }
  renderRoutes(routes, '/screens/new')
  return (name: string) => calls.filter((call) => call.name === name)
}

test('says what a screen costs before it starts, and starts what was quoted', async () => {
  const callsOf = openNew({
    'POST /screens/quote': () => Response.json(quote),
    'POST /screens': () => Response.json(started),
  })
  expect(await screen.findByText('1 target × 3 compounds = 3')).toBeDefined()
  expect(callsOf('POST /screens')).toHaveLength(0)
  await userEvent.click(screen.getByRole('option', { name: 'C2' }))
  const start = screen.getByRole('button', { name: 'Start the screen' })
  await waitFor(() => expect(start.hasAttribute('disabled')).toBe(false))
  await userEvent.click(start)
  expect(await screen.findByText('The screen')).toBeDefined()
  expect(callsOf('POST /screens')[0]?.body).toEqual({
    targets: ['src'],
    compounds: ['C1', 'C3'],
  })
})

test('a start that failed is sent again under the same key, so that it is never paid twice', async () => {
  let answers = 0
  const callsOf = openNew({
    'POST /screens/quote': () => Response.json(quote),
    'POST /screens': () =>
      answers++ === 0 ? new Response('', { status: 502 }) : Response.json(started),
  })
  const start = await screen.findByRole('button', { name: 'Start the screen' })
  await waitFor(() => expect(start.hasAttribute('disabled')).toBe(false))
  await userEvent.click(start)
  await screen.findByRole('alert')
  await waitFor(() => expect(start.hasAttribute('disabled')).toBe(false))
  await userEvent.click(start)
  expect(await screen.findByText('The screen')).toBeDefined()
  const keys = callsOf('POST /screens').map(({ headers }) => headers.get('Idempotency-Key'))
  expect(keys).toHaveLength(2)
  expect(new Set(keys).size).toBe(1)
})

test('does not start what cannot be paid, and names the rows that cannot be used', async () => {
  const reason = 'The SMILES cannot be read.'
  openNew({
    'POST /screens/quote': () =>
      Response.json({
        ...quote,
        credits_left: 1,
        unusable: [{ kind: 'compound', name: 'C3', reason }],
        unusable_count: 1,
      }),
  })
  expect(await screen.findByText('Not enough credits')).toBeDefined()
  expect(screen.getByText(/You would need 1 credit more/)).toBeDefined()
  expect(screen.getByText('1 row cannot be used')).toBeDefined()
  expect(screen.getByText(/The SMILES cannot be read/)).toBeDefined()
  const start = screen.getByRole('button', { name: 'Start the screen' })
  expect(start.hasAttribute('disabled')).toBe(true)
})

test.each([
  ['CSV', 'csv'],
  ['XLSX', 'xlsx'],
  ['SDF', 'sdf'],
])('the button %s asks for the file of that format', async (format, extension) => {
  const calls = serveCalls({
    ...library,
    'GET /screens/s1': () => Response.json(started),
    [`GET /screens/s1/results.${extension}`]: () =>
      Response.json({ detail: `There is no ${format} today.` }, { status: 503 }),
  })
  renderRoutes({ '/screens/:id': <ScreenPage /> }, '/screens/s1?view=charts')
  await userEvent.click(await screen.findByRole('button', { name: format }))
  expect(await screen.findByText(`There is no ${format} today.`)).toBeDefined()
  expect(calls.filter(({ name }) => name.includes('/results.'))).toHaveLength(1)
})

test('the table is ranked by the server, and filters and order stand in the address', async () => {
  const asked: string[] = []
  const answerRows = ({ name }: Call) => {
    asked.push(name)
    const rows = [row(2, 8.1), row(1, 7), row(3, null)]
    return Response.json({ rows }, { headers: { 'X-Total-Count': '3' } })
  }
  const served = (query: string) => `GET /screens/s1/results?${query}page=1&page_size=100`
  serveCalls({
    ...library,
    'GET /screens/s1': () => Response.json(started),
    'GET /screens/s1/matrix': () =>
      Response.json({ targets: started.targets, compounds: [], predicted_kd: '', flags: '' }),
    [served('sort=affinity&')]: answerRows,
    [served('sort=interval&')]: answerRows,
    [served('sort=interval&text=C2&')]: answerRows,
    [served('sort=interval&text=C2&heavy_atoms_max=30&')]: answerRows,
    [served('sort=interval&text=C2&smarts=C1&heavy_atoms_max=30&')]: () =>
      Response.json({ detail: 'The SMARTS cannot be read.' }, { status: 400 }),
  })
  const router = renderRoutes({ '/screens/:id': <ScreenPage /> }, '/screens/s1')

  expect(await screen.findByText('8.10')).toBeDefined()
  expect(screen.getByText('The SMILES cannot be read.')).toBeDefined()
  await userEvent.click(screen.getByRole('button', { name: 'Interval' }))
  await waitFor(() => expect(asked.at(-1)).toContain('sort=interval'))
  searchFor('Name or SMILES', 'C2')
  await waitFor(() => expect(asked.at(-1)).toContain('text=C2'))
  expect(router.state.location.search).toBe('?sort=interval&text=C2')
  await userEvent.type(screen.getByLabelText('Heavy atoms to'), '30{Enter}')
  await waitFor(() => expect(asked.at(-1)).toContain('heavy_atoms_max=30'))
  searchFor('SMARTS', 'C1')
  expect(await screen.findByText('The SMARTS cannot be read.')).toBeDefined()
})

/** At once: between letters typed one by one the pause that a search waits for may pass. */
function searchFor(label: string, value: string) {
  fireEvent.change(screen.getByRole('searchbox', { name: label }), { target: { value } })
}

const firstPage = 'GET /screens/s1/results?sort=affinity&page=1&page_size=100'

/** The page of a screen of two rows, with what the test adds. */
function openScreen(handlers: Record<string, (call: Call) => Response>, search = '') {
  const calls = serveCalls({
    ...library,
    'GET /screens/s1': () => Response.json(started),
    'GET /screens/s1/matrix': () =>
      Response.json({ targets: started.targets, compounds: [], predicted_kd: '', flags: '' }),
    [firstPage]: () =>
      Response.json({ rows: [row(2, 8.1), row(1, 7)] }, { headers: { 'X-Total-Count': '2' } }),
    ...handlers,
  })
  renderRoutes({ '/screens/:id': <ScreenPage /> }, `/screens/s1${search}`)
  return () => calls.map(({ name }) => name)
}

test('a file holds the rows that pass the filters, or all of them where that is chosen', async () => {
  const refused = () => Response.json({ detail: 'Not today.' }, { status: 503 })
  const filtered = 'GET /screens/s1/results.csv?min=7.5&text=C2'
  const asked = openScreen(
    {
      'GET /screens/s1/results?sort=affinity&min=7.5&text=C2&page=1&page_size=100': () =>
        Response.json({ rows: [row(2, 8.1)] }, { headers: { 'X-Total-Count': '1' } }),
      [filtered]: refused,
      'GET /screens/s1/results.csv': refused,
    },
    '?min=7.5&text=C2',
  )
  await userEvent.click(await screen.findByRole('button', { name: 'CSV' }))
  await waitFor(() => expect(asked()).toContain(filtered))
  expect(asked()).not.toContain('GET /screens/s1/results.csv')
  await userEvent.selectOptions(screen.getByLabelText('Rows of the files'), 'All rows')
  await userEvent.click(screen.getByRole('button', { name: 'CSV' }))
  await waitFor(() => expect(asked()).toContain('GET /screens/s1/results.csv'))
})

test('rows of a target with own values say both numbers', async () => {
  const own = {
    ...row(2, 6.2),
    own_values: 5,
    predicted_kd_with_own: 7.1,
    lower_with_own: 6.3,
    upper_with_own: 7.9,
  }
  openScreen({
    'GET /measurements?target=&page=1&page_size=50': () =>
      Response.json({ measurements: [], targets: [{ name: 'src', count: 5 }] }),
    [firstPage]: () =>
      Response.json({ rows: [own, row(1, 5)] }, { headers: { 'X-Total-Count': '2' } }),
  })
  expect(await screen.findByText('With your values')).toBeDefined()
  const cellsOf = (text: string) => screen.getByText(text).closest('tr')?.textContent
  expect(cellsOf('C2')).toContain('6.205.2 to 7.27.10 (6.3 to 7.9) with 5 values')
  expect(cellsOf('C1')).not.toContain('with')
})

test('the unit is chosen once, and the table follows', async () => {
  openScreen({})
  expect(await screen.findByText('8.10')).toBeDefined()
  await userEvent.selectOptions(screen.getByLabelText('Unit of affinities'), 'Kd')
  expect(screen.getByText('7.94 nM')).toBeDefined()
  expect(screen.getByText('794 pM to 79.4 nM')).toBeDefined()
  expect(screen.getByRole('button', { name: 'Kd' })).toBeDefined()
  await userEvent.selectOptions(screen.getByLabelText('Unit of affinities'), 'pKd')
  expect(screen.getByText('8.10')).toBeDefined()
})

test('whole files are chosen, and two of one name are told apart', async () => {
  const callsOf = openNew({
    'GET /dta/get_compound_names': () =>
      Response.json({
        compound_names: ['C1', 'C2', 'C3'],
        file_names: ['series.csv', 'series.csv'],
        files: [0, 1, 0],
      }),
    'POST /screens/quote': () => Response.json(quote),
    'POST /screens': () => Response.json(started),
  })
  await userEvent.selectOptions(await screen.findByLabelText('Choose compounds'), 'By file')
  const files = screen.getAllByRole('option', { name: /^series/ })
  expect(files.map(({ textContent }) => textContent)).toEqual(['series.csv', 'series.csv, 2'])
  await userEvent.click(screen.getByRole('option', { name: 'series.csv' }))
  const start = screen.getByRole('button', { name: 'Start the screen' })
  await waitFor(() => expect(start.hasAttribute('disabled')).toBe(false))
  await userEvent.click(start)
  await waitFor(() =>
    expect(callsOf('POST /screens')[0]?.body).toEqual({ targets: ['src'], compounds: ['C2'] }),
  )
})
