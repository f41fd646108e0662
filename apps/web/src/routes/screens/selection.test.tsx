/** Rows of a screen are ticked for actions; an open pair has the rows before and after it, and Back closes it. */
import { screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'
import { catchSaved } from '#web/test/saved.ts'
import { serveCalls } from '#web/test/calls.ts'
import { renderRoutes } from '#web/test/screen.tsx'
import { firstPage, library, pageOf, row, started } from '#web/test/screens.tsx'
import { ScreenPage } from './screen-page.tsx'

function open() {
  const calls = serveCalls({
    ...library,
    'GET /screens/s1': () => Response.json(started),
    'GET /screens/s1/matrix': () =>
      Response.json({ targets: started.targets, compounds: [], best_kd: '', flags: '' }),
    [firstPage]: pageOf([
      { ...row(2, 8.1), measured_pk: 8.5, mass: 46.068 },
      row(1, 7),
      row(3, null),
    ]),
    'PUT /file_manager/compounds/C2/star': () => Response.json({ starred: true }),
    'PUT /series/lists': ({ body }) => {
      const { smiles, added_with } = body as { smiles: string[]; added_with: object[] }
      return Response.json({
        make_name: null,
        make_tags: [],
        make: smiles,
        added_with,
        excluded: [],
      })
    },
  })
  const router = renderRoutes(
    {
      '/screens/:id': <ScreenPage />,
      '/screens/:id/series': <p>Series of some</p>,
      '/screens/new': <p>The new screen</p>,
    },
    '/screens/s1',
  )
  return { calls, router }
}

const tick = async (name: string) =>
  userEvent.click(await screen.findByRole('checkbox', { name: `Select ${name}` }))
const press = (name: string) => userEvent.click(screen.getByRole('button', { name }))

test('ticked rows are copied as a table, in the order in which they were ticked', async () => {
  const writeText = vi.fn<(text: string) => Promise<void>>().mockResolvedValue()
  open()
  await tick('C1')
  await tick('C2')
  vi.stubGlobal('navigator', { clipboard: { writeText } })
  screen.getByText('2 compounds selected')
  await press('Copy')
  await screen.findByText('Copied')
  const cells = writeText.mock.calls[0]?.[0].split('\n').map((line) => line.split('\t').slice(0, 7))
  expect(cells).toEqual([
    ['Compound', 'SMILES', 'pKd', 'Lower 95%', 'Upper 95%', 'Measured pK', 'MW'],
    ['C1', 'CCO', '7.00', '6.00', '8.00', '', ''],
    ['C2', 'CCO', '8.10', '7.10', '9.10', '8.50', '46'],
  ])
  vi.unstubAllGlobals()
  const saved = catchSaved()
  await press('CSV')
  expect(saved.map(({ filename }) => filename)).toEqual(['selected compounds.csv'])
  await press('Clear')
  expect(screen.queryByRole('region', { name: 'Selection' })).toBeNull()
})

test('ticked compounds are compared side by side, a fact per row', async () => {
  open()
  await tick('C1')
  expect(screen.queryByRole('button', { name: 'Compare' })).toBeNull()
  await tick('C2')
  await press('Compare')
  const table = await screen.findByRole('table', { name: 'Compared compounds' })
  const [head, pkd] = within(table)
    .getAllByRole('row')
    .map((line) => line.textContent)
  expect([head, pkd]).toEqual(['FactC1C2', 'pKd7.008.10'])
})

test('all rows that pass the filters are ticked at once, and unticked', async () => {
  open()
  await userEvent.click(await screen.findByRole('checkbox', { name: 'Select all' }))
  await screen.findByText('3 compounds selected')
  await userEvent.click(screen.getByRole('checkbox', { name: 'Select all' }))
  expect(screen.queryByRole('region', { name: 'Selection' })).toBeNull()
})

test('three ticked compounds are opened as a series', async () => {
  const { router } = open()
  for (const name of ['C1', 'C2', 'C3']) await tick(name)
  await userEvent.click(screen.getByRole('link', { name: 'Open as series' }))
  await screen.findByText('Series of some')
  expect(router.state.location).toMatchObject({
    pathname: '/screens/s1/series',
    search: '?compounds=1-2-3',
  })
})

test('ticked compounds are starred, listed to make with their numbers, or put into a new screen', async () => {
  const { calls, router } = open()
  await tick('C2')
  expect(screen.queryByRole('dialog')).toBeNull()
  await press('Star')
  await waitFor(() =>
    expect(calls.map(({ name }) => name)).toContain('PUT /file_manager/compounds/C2/star'),
  )
  await press('Make list')
  await screen.findByText('On the make list of src')
  expect(calls.find(({ name }) => name === 'PUT /series/lists')?.body).toEqual({
    target: 'src',
    list: 'make',
    smiles: ['CCO'],
    listed: true,
    added_with: [{ predicted_kd: 8.1, lower: 7.1, upper: 9.1 }],
  })
  await userEvent.click(screen.getByRole('link', { name: 'New screen' }))
  await screen.findByText('The new screen')
  expect(router.state.location.state).toEqual({ targets: ['src'], compounds: ['C2'] })
})

test('an open pair has the rows before and after it, and Back closes it', async () => {
  const { router } = open()
  await userEvent.click(await screen.findByRole('button', { name: 'Open C2 on src' }))
  await screen.findByRole('dialog', { name: 'C2 on src' })
  screen.getByText('1 of 3')
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Previous' }).disabled).toBe(true)
  await press('Next')
  await screen.findByRole('dialog', { name: 'C1 on src' })
  await press('Next')
  await screen.findByRole('dialog', { name: 'C3 on src' })
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Next' }).disabled).toBe(true)
  await router.navigate(-1)
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(router.state.location).toMatchObject({ pathname: '/screens/s1', search: '' })
})
