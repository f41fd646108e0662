/** The SAR table of a screen with too few compounds, and of compounds that were ticked. */
import type { Screen, ScreenRow } from '@pkdex/contract'
import { screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { serveCalls } from '#web/test/calls.ts'
import { renderRoutes } from '#web/test/screen.tsx'
import { library, pageOf, row, started } from '#web/test/screens.tsx'
import { SarTab } from './sar-tab.tsx'
import { SeriesPage } from './series-page.tsx'

const target = { name: 'src', chain: 'A' }
const rows = ['CCO', 'CCN'].map((smiles) => ({ smiles, compound: smiles }) as ScreenRow)
const asked = { target, chosen: {}, gaps: null, change: () => undefined }

test('SPEC 31.5: two compounds are not enough for a SAR table, and the page says what to add', async () => {
  const calls = serveCalls({})
  const tab = <SarTab {...asked} screen={{ id: 's1' } as Screen} rows={rows} />
  renderRoutes({ '/': tab, '/screens/new': <p>New</p> }, '/')
  const sentence = 'Add at least three compounds with a common core.'
  await screen.findByText(sentence)
  screen.getByRole('link', { name: 'New screen' })
  expect(calls.filter(({ name }) => name === 'POST /series/table')).toEqual([])
})

test('the series of ticked compounds has only these, and shows all on request', async () => {
  const rows = ['C', 'CC', 'CCC', 'CCCC'].map((smiles, at) => ({ ...row(at + 1, 7), smiles }))
  const calls = serveCalls({
    ...library,
    'GET /screens/s1': () => Response.json(started),
    'GET /screens/s1/results?target=src&page=1&page_size=1000': pageOf(rows),
  })
  renderRoutes({ '/screens/:id/series': <SeriesPage /> }, '/screens/s1/series?compounds=1-2-4')
  const asked = () =>
    calls
      .filter(({ name }) => name === 'POST /series/table')
      .map(({ body }) => Object(body).compounds)
  await waitFor(() => expect(asked()).toEqual([['C', 'CC', 'CCCC']]))
  screen.getByText('3 of 4 compounds.')
  expect(screen.queryByRole('link', { name: 'What to make next' })).toBeNull()
  await userEvent.click(screen.getByRole('link', { name: 'Show all' }))
  await waitFor(() => expect(asked().at(-1)).toEqual(['C', 'CC', 'CCC', 'CCCC']))
  screen.getByRole('link', { name: 'What to make next' })
})

test('with several targets the strongest compounds choose the core, and another is chosen from drawings', async () => {
  const rows = ['C', 'CC', 'CCC', 'CCCC'].map((smiles, at) => ({ ...row(at + 1, at + 4), smiles }))
  const cores = ['CC', 'CO'].map((smiles) => ({ smiles, atoms: 2, compounds: 4 }))
  const sides = { rows: null, columns: null, positions: [] }
  const table = { cores, core: null, ...sides, cells: [], gaps: [], left_out: [] }
  const calls = serveCalls({
    ...library,
    'GET /screens/s1': () => Response.json({ ...started, target_count: 2 }),
    'GET /screens/s1/results?target=src&page=1&page_size=1000': pageOf(rows),
    'POST /series/table': () => Response.json(table),
  })
  renderRoutes({ '/screens/:id/series': <SeriesPage /> }, '/screens/s1/series')
  await userEvent.click(await screen.findByRole('button', { name: 'Other core' }))
  await userEvent.click(
    screen.getAllByRole('button', { name: '2 atoms, 4 compounds' })[1] ?? document.body,
  )
  const asked = () =>
    calls.filter(({ name }) => name === 'POST /series/table').map(({ body }) => Object(body))
  await waitFor(() => expect(asked().map(({ core }) => core)).toEqual([undefined, 'CO']))
  expect(asked()[0].own).toEqual([3, 2, 1])
})

test('compounds are ticked in the SAR table, and in cliffs, with the same bar as in results', async () => {
  const rows = ['C', 'CC', 'CCC'].map((smiles, at) => ({ ...row(at + 1, at + 6), smiles }))
  const groups = [
    { smiles: '[H][*:1]', compounds: 2, svg: null },
    { smiles: 'C[*:1]', compounds: 1, svg: null },
  ]
  const table = {
    cores: [],
    core: { smiles: 'C', svg: '<svg />' },
    rows: { label: 'R1', groups },
    columns: null,
    positions: [],
    cells: [
      { row: 0, column: 0, compounds: [0, 1] },
      { row: 1, column: 0, compounds: [2] },
    ],
    gaps: [],
    left_out: [],
  }
  const cliffs = [
    { weaker: 0, stronger: 1, change: 2, similarity: 0.7, stereoisomers: false },
    { weaker: 0, stronger: 2, change: 3, similarity: 0.7, stereoisomers: false },
  ]
  const calls = serveCalls({
    ...library,
    'GET /screens/s1': () => Response.json(started),
    'GET /screens/s1/results?target=src&page=1&page_size=1000': pageOf(rows),
    'POST /series/table': () => Response.json(table),
    'GET /measurements/combined?target=src': () => Response.json({ compounds: [] }),
    'POST /series/clusters': () =>
      Response.json({ clusters: [], picked: [], cliffs, cliffs_total: 2, left_out: [] }),
    'PUT /file_manager/compounds/C3/star': () => Response.json({ starred: ['C3'] }),
  })
  const router = renderRoutes(
    { '/screens/:id/series': <SeriesPage />, '/screens/new': <p>The new screen</p> },
    '/screens/s1/series',
  )
  const both = await screen.findByRole('checkbox', { name: 'Select C2, C1' })
  await userEvent.click(both)
  await screen.findByText('2 compounds selected')
  await userEvent.click(screen.getByRole('checkbox', { name: 'Select C3' }))
  await screen.findByText('3 compounds selected')
  await userEvent.click(both)
  await screen.findByText('1 compound selected')
  await userEvent.click(screen.getByRole('button', { name: 'Star' }))
  await waitFor(() =>
    expect(calls.map(({ name }) => name)).toContain('PUT /file_manager/compounds/C3/star'),
  )
  await userEvent.click(screen.getByRole('link', { name: 'Clusters' }))
  const cliffTable = within(await screen.findByRole('table', { name: 'Activity cliffs' }))
  const [first, again] = cliffTable.getAllByRole<HTMLInputElement>('checkbox', { name: /C1/ })
  await userEvent.click(first ?? document.body)
  expect(again?.checked).toBe(true)
  const bar = within(await screen.findByRole('region', { name: 'Selection' }))
  bar.getByText('1 compound selected')
  await userEvent.click(bar.getByRole('link', { name: 'New screen' }))
  await screen.findByText('The new screen')
  expect(router.state.location.state).toEqual({ targets: ['src'], compounds: ['C1'] })
})
