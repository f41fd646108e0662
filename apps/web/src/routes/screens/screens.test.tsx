import { screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { type Call, serveCalls } from '#web/test/calls.ts'
import { renderRoutes } from '#web/test/screen.tsx'
import { firstPage, library, openScreen, pageOf, row, started } from '#web/test/screens.tsx'
import { NewScreenPage } from './new-screen-page.tsx'
import { ScreenPage } from './screen-page.tsx'

const quote = {
  targets: 1,
  compounds: 3,
  total: 3,
  known: 1,
  duplicates: 0,
  stereoisomers: 0,
  to_predict: 2,
  credits_needed: 2,
  credits_left: 40,
  unusable: [],
  unusable_count: 0,
  model_version: '1',
}

function openNew(handlers: Record<string, (call: Call) => Response> = {}) {
  const calls = serveCalls({
    ...library,
    'POST /screens/quote': () => Response.json(quote),
    'POST /screens': () => Response.json(started),
    ...handlers,
  })
  const routes = { '/screens/new': <NewScreenPage />, '/screens/:id': <p>The screen</p> }
  renderRoutes(routes, '/screens/new')
  return (name: string) => calls.filter((call) => call.name === name)
}

async function startScreen() {
  const start = screen.getByRole('button', { name: 'Start screen' })
  await waitFor(() => expect(start.hasAttribute('disabled')).toBe(false))
  await userEvent.click(start)
  await screen.findByText('The screen')
}

test('shows what a screen costs before it starts, and starts what was quoted', async () => {
  const callsOf = openNew()
  await screen.findByText('1 target × 3 compounds = 3')
  expect(callsOf('POST /screens')).toHaveLength(0)
  await userEvent.click(screen.getByRole('option', { name: 'C2' }))
  await startScreen()
  expect(callsOf('POST /screens')[0]?.body).toEqual({
    targets: ['src'],
    compounds: ['C1', 'C3'],
    structure: true,
  })
})

test('the quote says which compounds are listed twice, and which get the same number', async () => {
  const repeated = { ...quote, targets: 2, total: 20, known: 17, duplicates: 1, stereoisomers: 7 }
  openNew({ 'POST /screens/quote': () => Response.json(repeated) })
  const free = await screen.findByText('Listed twice (free)')
  expect(free.nextSibling?.textContent).toBe('2')
  expect(screen.getByText('Already predicted (free)').nextSibling?.textContent).toBe('1')
  expect(screen.getByText('Stereoisomers (free)').nextSibling?.textContent).toBe('14')
  screen.getByText('1 compound is listed twice.')
  screen.getByText(
    '7 compounds differ from others only in stereochemistry, which the model ignores. They get the same number and are charged once.',
  )
})

/** Two ligands, so that one is chosen. */
function quotePlaced({ body }: Call): Response {
  const Asked = z.object({
    structure: z.boolean(),
    targets: z.array(z.union([z.string(), z.object({ reference: z.string() })])),
  })
  const asked = Asked.safeParse(body).data
  if (asked === undefined) return Response.json(quote)
  const [target] = asked.targets
  const reference = typeof target === 'object' ? target.reference : 'STI 201 A'
  const references = ['STI 201 A', 'ABX 900 A'].map((id) => ({ id, heavy_atoms: 37 }))
  const ligands = [{ target: 'src', chain: 'A', reference, references }]
  return Response.json({
    ...quote,
    structure: { poses: 3, seconds: 2, ligands, without_ligand: [] },
  })
}

test('SPEC 29.17: the ligand of a target with several is chosen before the screen starts', async () => {
  const callsOf = openNew({ 'POST /screens/quote': quotePlaced })
  const ligand = await screen.findByRole('combobox', { name: 'Ligand of src, chain A' })
  await userEvent.selectOptions(ligand, 'ABX 900 A (37 heavy atoms)')
  const start = screen.getByRole('button', { name: 'Start screen' })
  await waitFor(() => expect(start.hasAttribute('disabled')).toBe(true))
  await startScreen()
  expect(callsOf('POST /screens')[0]?.body).toMatchObject({
    targets: [{ name: 'src', reference: 'ABX 900 A' }],
  })
})

test('SPEC 29.10: the quote has the number of poses and their time, unless poses are switched off', async () => {
  const callsOf = openNew({ 'POST /screens/quote': quotePlaced })
  await screen.findByText('3, about 2 s after the predictions')
  await userEvent.click(screen.getByRole('switch', { name: 'Place compounds in the structure' }))
  await waitFor(() => expect(screen.queryByText('Poses (free)')).toBeNull())
  await startScreen()
  expect(callsOf('POST /screens')[0]?.body).toEqual({ targets: ['src'], compounds: 'all' })
})

test('SPEC 29.11: the table shows the number that the pose has moved; the stage is an optional column', async () => {
  const placed = {
    ...started,
    structure_status: 'DONE',
    structure_total: 3,
    structure_done: 3,
    structure_message: null,
  }
  const adjusted = { value: 7.6, lower: 6.6, upper: 8.6 }
  openScreen({
    'GET /screens/s1': () => Response.json(placed),
    [firstPage]: pageOf([
      { ...row(1, 7), best_kd: 7.6, structure_adjusted: adjusted, structure_reason: null },
      { ...row(2, 6), structure_adjusted: null, structure_reason: 'Too different.' },
    ]),
  })
  await screen.findByText('7.6')
  await userEvent.click(screen.getByRole('button', { name: 'Columns' }))
  await userEvent.click(screen.getByRole('checkbox', { name: 'pKd, pose' }))
  expect(screen.getAllByText('7.6')).toHaveLength(2)
  expect(screen.getByText('no pose').getAttribute('title')).toBe('Too different.')
  await userEvent.click(screen.getByRole('button', { name: 'Reset' }))
})

test('a failed start is repeated with the same key, so it is never charged twice', async () => {
  let answers = 0
  const callsOf = openNew({
    'POST /screens': () =>
      answers++ === 0 ? new Response('', { status: 502 }) : Response.json(started),
  })
  const start = await screen.findByRole('button', { name: 'Start screen' })
  await waitFor(() => expect(start.hasAttribute('disabled')).toBe(false))
  await userEvent.click(start)
  await screen.findByRole('alert')
  await waitFor(() => expect(start.hasAttribute('disabled')).toBe(false))
  await userEvent.click(start)
  await screen.findByText('The screen')
  const keys = callsOf('POST /screens').map(({ headers }) => headers.get('Idempotency-Key'))
  expect(keys).toHaveLength(2)
  expect(new Set(keys).size).toBe(1)
})

test('a screen that cannot be paid does not start, and unusable rows are named', async () => {
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
  await screen.findByText('Not enough credits')
  screen.getByText(/You would need 1 credit more\..*or ask your administrator for more/)
  screen.getByText('1 row skipped')
  screen.getByText(/The SMILES cannot be read/)
  const start = screen.getByRole('button', { name: 'Start screen' })
  expect(start.hasAttribute('disabled')).toBe(true)
})

test.each([
  ['CSV', 'csv'],
  ['XLSX', 'xlsx'],
  ['SDF', 'sdf'],
])('the button %s requests a file of that format', async (format, extension) => {
  const calls = serveCalls({
    ...library,
    'GET /screens/s1': () => Response.json(started),
    [`GET /screens/s1/results.${extension}`]: () =>
      Response.json({ detail: `There is no ${format} today.` }, { status: 503 }),
  })
  renderRoutes({ '/screens/:id': <ScreenPage /> }, '/screens/s1?view=charts')
  await userEvent.click(await screen.findByRole('button', { name: 'Export' }))
  await userEvent.click(screen.getByRole('button', { name: format }))
  await screen.findByText(`There is no ${format} today.`)
  expect(calls.filter(({ name }) => name.includes('/results.'))).toHaveLength(1)
})

test('a file contains the rows that pass the filters, or all of them if selected', async () => {
  const refused = () => Response.json({ detail: 'Not today.' }, { status: 503 })
  const filtered = 'GET /screens/s1/results.csv?min=7.5&text=C2'
  const asked = openScreen(
    {
      'GET /screens/s1/results?sort=affinity&min=7.5&text=C2&page=1&page_size=100': pageOf([
        row(2, 8.1),
      ]),
      [filtered]: refused,
      'GET /screens/s1/results.csv': refused,
    },
    '?min=7.5&text=C2',
  )
  await userEvent.click(await screen.findByRole('button', { name: 'Export' }))
  await userEvent.click(screen.getByRole('button', { name: 'CSV' }))
  await waitFor(() => expect(asked()).toContain(filtered))
  expect(asked()).not.toContain('GET /screens/s1/results.csv')
  await userEvent.selectOptions(screen.getByLabelText('Rows to download'), 'All rows')
  await userEvent.click(screen.getByRole('button', { name: 'CSV' }))
  await waitFor(() => expect(asked()).toContain('GET /screens/s1/results.csv'))
})

test('SPEC 20.18: a workbook as shown has the columns, order, filters and structures on screen', async () => {
  const asked = openScreen(
    { 'GET /screens/s1/results?sort=mass&text=C2&page=1&page_size=100': pageOf([row(2, 8.1)]) },
    '?sort=mass&text=C2',
  )
  await userEvent.click(await screen.findByRole('button', { name: 'Columns' }))
  await userEvent.click(screen.getByRole('checkbox', { name: 'Domain' }))
  await userEvent.click(screen.getByRole('button', { name: 'Move pKd left' }))
  await userEvent.click(await screen.findByRole('button', { name: 'Export' }))
  await userEvent.click(screen.getByRole('button', { name: 'XLSX as shown' }))
  const file = await waitFor(() => asked().find((name) => name.includes('results.xlsx')) ?? fail())
  const query = new URLSearchParams(file.split('?')[1])
  expect(Object.fromEntries(query)).toMatchObject({
    sort: 'mass',
    text: 'C2',
    by: 'pair',
    pictures: 'true',
  })
  expect(query.get('columns')).toMatch(/^row,compound,smiles,best_kd,target,best_lower,best_upper,/)
  expect(query.get('columns')).not.toContain('domain_state')
  await userEvent.click(screen.getByRole('button', { name: 'Columns' }))
  await userEvent.click(screen.getByRole('button', { name: 'Reset' }))
})

function fail(): never {
  throw new Error('not yet')
}

test('a new screen can have the starred compounds only', async () => {
  const callsOf = openNew({
    'GET /dta/get_compound_names': () =>
      Response.json({ compound_names: ['C1', 'C2', 'C3'], starred: ['C3', 'C1'] }),
  })
  await userEvent.click(await screen.findByRole('button', { name: 'Only 2 starred' }))
  await startScreen()
  expect(callsOf('POST /screens')[0]?.body).toMatchObject({ compounds: ['C1', 'C3'] })
})

test('whole files are selected, and two with one name are distinguishable', async () => {
  const callsOf = openNew({
    'GET /dta/get_compound_names': () =>
      Response.json({
        compound_names: ['C1', 'C2', 'C3'],
        file_names: ['series.csv', 'series.csv'],
        files: [0, 1, 0],
      }),
  })
  await userEvent.selectOptions(await screen.findByLabelText('Select compounds by'), 'By file')
  const files = screen.getAllByRole('option', { name: /^series/ })
  expect(files.map(({ textContent }) => textContent)).toEqual(['series.csv', 'series.csv, 2'])
  await userEvent.click(screen.getByRole('option', { name: 'series.csv' }))
  await startScreen()
  expect(callsOf('POST /screens')[0]?.body).toMatchObject({ targets: ['src'], compounds: ['C2'] })
})

test('the menu of a screen renames it and keeps a note and tags; the focus comes back', async () => {
  const named = { ...started, name: 'jak_eln × src' }
  const sent: unknown[] = []
  openScreen({
    'GET /screens/s1': () => Response.json(named),
    'PATCH /screens/s1': ({ body }) => {
      sent.push(body)
      return Response.json({ ...named, ...(body as object) })
    },
  })
  const more = await screen.findByRole('button', { name: 'More' })
  expect(screen.queryByRole('button', { name: 'Delete' })).toBeNull()
  await userEvent.click(more)
  screen.getByRole('button', { name: 'Delete' })
  await userEvent.click(screen.getByRole('button', { name: 'Rename' }))
  await userEvent.type(await screen.findByRole('textbox', { name: 'Note' }), 'Assay of March')
  await userEvent.type(screen.getByRole('textbox', { name: 'Tags' }), 'round 2, hot,{Enter}')
  await screen.findByText('Assay of March')
  expect(sent).toEqual([{ note: 'Assay of March', tags: ['round 2', 'hot'] }])
  const tag = screen.getByRole('link', { name: 'round 2' })
  expect(tag.getAttribute('href')).toBe('/screens?tag=round+2')
  await waitFor(() => expect(document.activeElement).toBe(more))
  await userEvent.click(more)
  await userEvent.click(screen.getByRole('button', { name: 'Rename' }))
  const name = await screen.findByRole('textbox', { name: 'Name' })
  await userEvent.clear(name)
  await userEvent.type(name, 'MET{Enter}')
  await screen.findByRole('heading', { level: 1, name: 'MET' })
})
