/** The table of a screen: rows, columns, filters and units. */
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { type Call, serveCalls } from '#web/test/calls.ts'
import { noEvidence, result as resultOf } from '#web/test/results.tsx'
import { renderRoutes } from '#web/test/screen.tsx'
import { firstPage, library, openScreen, pageOf, row, started } from '#web/test/screens.tsx'
import { ScreenPage } from './screen-page.tsx'

test('the server sorts the table, and filters and order are in the URL', async () => {
  const asked: string[] = []
  const answerRows = ({ name }: Call) => {
    asked.push(name)
    return pageOf([row(2, 8.1), row(1, 7), row(3, null)])()
  }
  const served = (query: string) => `GET /screens/s1/results?${query}page=1&page_size=100`
  serveCalls({
    ...library,
    'GET /screens/s1': () => Response.json(started),
    'GET /screens/s1/matrix': () =>
      Response.json({ targets: started.targets, compounds: [], best_kd: '', flags: '' }),
    [served('sort=affinity&')]: answerRows,
    [served('sort=interval&')]: answerRows,
    [served('sort=interval&text=C2&')]: answerRows,
    [served('sort=interval&text=C2&heavy_atoms_max=30&')]: answerRows,
    [served('sort=interval&text=C2&smarts=C1&heavy_atoms_max=30&')]: () =>
      Response.json({ detail: 'This is not valid SMARTS.' }, { status: 400 }),
  })
  const router = renderRoutes({ '/screens/:id': <ScreenPage /> }, '/screens/s1')

  await screen.findByText('8.1')
  screen.getByText('The SMILES cannot be read.')
  await userEvent.click(screen.getByRole('button', { name: 'Interval' }))
  await waitFor(() => expect(asked.at(-1)).toContain('sort=interval'))
  searchFor('Name or SMILES', 'C2')
  await waitFor(() => expect(asked.at(-1)).toContain('text=C2'))
  expect(router.state.location.search).toBe('?sort=interval&text=C2')
  await userEvent.click(screen.getByRole('button', { name: 'Filter' }))
  await userEvent.selectOptions(screen.getByLabelText('Property'), 'Heavy atoms')
  await userEvent.type(screen.getByLabelText('Max. Heavy atoms'), '30')
  await waitFor(() => expect(asked.at(-1)).toContain('heavy_atoms_max=30'))
  fireEvent.change(screen.getByLabelText('Substructure, as SMARTS'), { target: { value: 'C1' } })
  await screen.findByText('Invalid SMARTS')
  expect(screen.queryByText('Loading rows')).toBeNull()
  const substructure = screen.getByLabelText('Substructure, as SMARTS')
  expect(substructure.getAttribute('aria-invalid')).toBe('true')
  screen.getByText('This is not valid SMARTS.')
  await userEvent.click(screen.getByRole('button', { name: 'Remove the filter Contains C1' }))
  await screen.findByText('8.1')
  await userEvent.click(screen.getByRole('button', { name: 'Remove the filter Heavy atoms ≤ 30' }))
  await waitFor(() => expect(router.state.location.search).toBe('?sort=interval&text=C2'))
  await userEvent.click(screen.getByRole('button', { name: 'Filter' }))
  await userEvent.selectOptions(screen.getByLabelText('Property'), 'Heavy atoms')
  expect(screen.getByLabelText<HTMLInputElement>('Max. Heavy atoms').value).toBe('')
})

test('an empty result is reported, and one click shows all rows again', async () => {
  const none = pageOf([])
  openScreen({ 'GET /screens/s1/results?sort=affinity&min=9&page=1&page_size=100': none }, '?min=9')
  await screen.findByText('No compounds match.')
  screen.getByText('0 of 3 pairs')
  await userEvent.click(screen.getByRole('button', { name: 'Clear filters' }))
  await screen.findByText('8.1')
})

/** A screen of two targets, as compounds: C2 differs beyond its error, C1 within it. */
function openCompounds({ own = {}, measured = [] }: { own?: object; measured?: object[] } = {}) {
  const pair = (place: number, target: string, pkd: number, selectivity: number) => ({
    ...row(place, pkd),
    target,
    in_domain: target === 'src',
    selectivity,
    selectivity_error: 1.4,
    ...(target === 'src' && own),
  })
  const rows = [
    pair(2, 'src', 8.1, 2.1),
    pair(2, 'abl', 6, -2.1),
    pair(1, 'src', 7, 0.4),
    pair(1, 'abl', 6.6, -0.4),
  ]
  const answer = pageOf(rows, 2)
  const path = 'GET /screens/s1/results?sort=affinity&'
  const sorted = `${path}column=2&by=compound&page=1&page_size=100`
  const targets = [...started.targets, { name: 'abl', chain: 'A' }]
  const asked = openScreen({
    'GET /measurements?target=&page=1&page_size=50': () =>
      Response.json({ measurements: [], targets: measured }),
    'GET /screens/s1': () => Response.json({ ...started, targets, compounds: 2, total: 4 }),
    [`${path}by=compound&page=1&page_size=100`]: answer,
    [sorted]: answer,
    [`${path}page=1&page_size=100`]: pageOf(rows.slice(0, 1), 4),
  })
  return { asked, sorted }
}

test('each of several targets has a column, and a difference within error is not shown', async () => {
  const { asked, sorted } = openCompounds()
  // Without the words for screen readers.
  const cellsOf = async (name: string) =>
    [...((await screen.findByText(name)).closest('tr')?.cells ?? [])].map((cell) =>
      cell.textContent.replace(/^Open .*: /, ''),
    )
  const facts = ['–', '–', '–', '–']
  expect(await cellsOf('C2')).toEqual([
    '2',
    '',
    '',
    'C2',
    '8.1',
    '6.0',
    'src +2.1',
    '0.50',
    '0.90',
    ...facts,
  ])
  expect(await cellsOf('C1')).toEqual([
    '1',
    '',
    '',
    'C1',
    '7.0',
    '6.6',
    'within error',
    '0.50',
    '0.90',
    ...facts,
  ])
  screen.getByText('2 compounds')
  await userEvent.click(screen.getByRole('button', { name: 'abl' }))
  await waitFor(() => expect(asked()).toContain(sorted))
  await userEvent.selectOptions(screen.getByLabelText('Rows of the table'), 'Row per pair')
  await screen.findByRole('button', { name: 'Interval' })
})

test('SPEC 21.9: a row per compound shows the best estimate; the stage before own values is an optional column', async () => {
  openCompounds({
    own: { own_values: 3, best_kd: 7.4, best_lower: 6.6, best_upper: 8.2 },
    measured: [{ name: 'src', count: 3 }],
  })
  const cellUnder = (head: HTMLElement) =>
    screen.getByText('C2').closest('tr')?.cells[(head as HTMLTableCellElement).cellIndex]
  await screen.findByText('C2')
  const [target] = screen.getAllByRole('columnheader', { name: /^src/ })
  expect(target && cellUnder(target)?.textContent).toContain('7.4')
  expect(screen.getAllByTitle(/with 3 own values$/).length).toBeGreaterThan(0)
  expect(screen.queryByRole('columnheader', { name: 'src, pKd, sequence' })).toBeNull()
  await userEvent.click(screen.getByRole('button', { name: 'Columns' }))
  expect(screen.queryByRole('checkbox', { name: 'abl, pKd, sequence' })).toBeNull()
  await userEvent.click(screen.getByRole('checkbox', { name: 'src, pKd, sequence' }))
  const head = screen.getByRole('columnheader', { name: 'src, pKd, sequence' })
  expect(cellUnder(head)?.textContent).toBe('8.1')
  await userEvent.click(screen.getByRole('button', { name: 'Reset' }))
})

test('hidden and moved columns are remembered', async () => {
  openCompounds()
  await screen.findByText('C2')
  const heads = () => screen.getAllByRole('columnheader').map(({ textContent }) => textContent)
  const before = ['Row', 'Select', 'Structure', 'Compound', 'src4710', 'abl4710']
  const facts = ['MW', 'cLogP', 'LE', 'Alerts']
  const all = [...before, 'Selectivity', 'Closest compound', 'Closest target', ...facts]
  expect(heads()).toEqual(all)
  await userEvent.click(screen.getByRole('button', { name: 'Columns' }))
  await userEvent.click(screen.getByRole('checkbox', { name: 'Closest compound' }))
  await userEvent.click(screen.getByRole('button', { name: 'Move abl left' }))
  const after = ['Row', 'Select', 'Structure', 'Compound', 'abl4710', 'src4710', 'Selectivity']
  expect(heads()).toEqual([...after, 'Closest target', ...facts])
  expect(JSON.parse(localStorage.getItem('screen-columns') ?? '')).toMatchObject({
    shown: { 'compound similarity': false },
  })
  await userEvent.click(screen.getByRole('button', { name: 'Reset' }))
  expect(heads()).toEqual(all)
})

/** Pasted: with single letters, the pause of the search might pass between two of them. */
function searchFor(label: string, value: string) {
  fireEvent.change(screen.getByRole('searchbox', { name: label }), { target: { value } })
}

test('rows of a target with own values show one number, the best estimate', async () => {
  const own = {
    ...row(2, 6.2),
    own_values: 5,
    best_kd: 7.1,
    best_lower: 6.3,
    best_upper: 7.9,
  }
  openScreen({
    'GET /measurements?target=&page=1&page_size=50': () =>
      Response.json({ measurements: [], targets: [{ name: 'src', count: 5 }] }),
    [firstPage]: pageOf([own, row(1, 5)]),
  })
  const row2 = (await screen.findByText('C2')).closest('tr')
  expect(row2?.textContent).toContain('7.16.3 to 7.9')
  expect(row2?.textContent).not.toContain('6.2')
})

test('the unit is selected once, and the table follows', async () => {
  openScreen({})
  await screen.findByText('8.1')
  await userEvent.selectOptions(screen.getByLabelText('Affinity unit'), 'Kd')
  screen.getByText('7.9 nM')
  screen.getByText('0.8 nM to 80 nM')
  screen.getByRole('button', { name: 'Kd' })
  await userEvent.selectOptions(screen.getByLabelText('Affinity unit'), 'pKd')
  screen.getByText('8.1')
})

test('a pair shows the screen’s prediction immediately, and its details without an order', async () => {
  const details = Promise.withResolvers<Response>()
  const asked = openScreen({
    'GET /evidence/details?screen=s1&row=2&column=1': () => details.promise,
    'GET /evidence/similar?screen=s1&row=2&column=1&theme=light': () => Response.json(noEvidence),
  })
  await userEvent.click(await screen.findByText('C2'))
  const dialog = within(await screen.findByLabelText('C2 on src', { selector: '[role="dialog"]' }))
  dialog.getByText('8.10')
  expect(dialog.queryByText(/interval, calibrated/)).toBeNull()
  const result = { ...resultOf(8.1), interval: { lower: 7.12, upper: 9.34, level: 0.95 } }
  details.resolve(Response.json({ target: 'src', chain: 'A', compound: 'C2', result }))
  await dialog.findByText('7.12 to 9.34')
  expect(asked().filter((name) => /predict|quote/.test(name))).toEqual([])
})

test('a screen on one target draws each interval, and a measured value as a diamond', async () => {
  openScreen({
    [firstPage]: pageOf([{ ...row(2, 8.1), measured_pk: 7.3 }, row(1, 7), row(3, null)]),
  })
  await screen.findByText('8.1')
  const drawn = (shape: string) => document.querySelectorAll(`[data-state] svg ${shape}`).length
  expect([drawn('circle'), drawn('line'), drawn('path')]).toEqual([2, 2, 1])
})

test('a pair without a prediction says why', async () => {
  openScreen({
    [firstPage]: pageOf([row(3, null)]),
  })
  await userEvent.click(await screen.findByText('C3'))
  const dialog = within(await screen.findByLabelText('C3 on src', { selector: '[role="dialog"]' }))
  dialog.getByText('The SMILES cannot be read.')
})

test('SPEC 30.1: the table has three domain states, and can be filtered by each', async () => {
  const elsewhere = { ...row(2, 6.2), in_domain: false, domain_state: 'known_on_other_targets' }
  const outside = { ...row(3, 5.1), in_domain: false, domain_state: 'outside' }
  const old = { ...row(1, 7), domain_state: null }
  const asked = openScreen({
    [firstPage]: pageOf([old, elsewhere, outside]),
    'GET /screens/s1/results?sort=affinity&domain_state=known_on_other_targets&page=1&page_size=100':
      pageOf([elsewhere]),
  })
  const rowOf = async (text: string) => (await screen.findByText(text)).closest('tr')
  expect((await rowOf('Known on this target'))?.textContent).toContain('C1')
  const known = await rowOf('Known on other targets only')
  expect(known?.textContent).toContain('C2')
  // A pair outside the domain is marked by word, not dimmed.
  const [first, last] = [known, await rowOf('Outside the domain')]
  expect(last?.getAttributeNames()).toEqual(first?.getAttributeNames())
  await userEvent.click(screen.getByRole('button', { name: 'Filter' }))
  await userEvent.selectOptions(screen.getByLabelText('Domain'), 'Known on other targets only')
  await waitFor(() => expect(asked().at(-1)).toContain('domain_state=known_on_other_targets'))
  await screen.findByText('1 of 3 pairs')
})

test('bounds are entered in the table’s unit, and an empty range is reported at its fields', async () => {
  const asked = openScreen({
    'GET /screens/s1/results?sort=affinity&min=7&page=1&page_size=100': pageOf([row(2, 8.1)]),
    'GET /screens/s1/results?sort=affinity&min=7&max=6&page=1&page_size=100': pageOf([]),
  })
  await screen.findByText('8.1')
  await userEvent.selectOptions(screen.getByLabelText('Affinity unit'), 'Kd')
  await userEvent.click(screen.getByRole('button', { name: 'Filter' }))
  fireEvent.change(screen.getByLabelText('Kd to, nM'), { target: { value: '100' } })
  await waitFor(() => expect(asked().at(-1)).toContain('min=7&page'))
  screen.getByRole('button', { name: 'Remove the filter Kd ≤ 100 nM' })
  fireEvent.change(screen.getByLabelText('Kd from, nM'), { target: { value: '1000' } })
  await waitFor(() => expect(asked().at(-1)).toContain('min=7&max=6'))
  expect(screen.getAllByText('From is larger than to')).toHaveLength(2)
  await userEvent.selectOptions(screen.getByLabelText('Affinity unit'), 'pKd')
})

test('a filter cleared right after typing stays cleared', async () => {
  const asked = openScreen(
    {
      'GET /screens/s1/results?sort=affinity&min=7&page=1&page_size=100': pageOf([row(2, 8.1)]),
    },
    '?min=7',
  )
  await screen.findByText('8.1')
  await userEvent.click(screen.getByRole('button', { name: 'Filter' }))
  fireEvent.change(screen.getByLabelText('pKd from'), { target: { value: '7.5' } })
  fireEvent.click(screen.getByRole('button', { name: 'Remove the filter pKd ≥ 7' }))
  await new Promise((resolve) => setTimeout(resolve, 400))
  expect(asked().some((name) => name.includes('min=7.5'))).toBe(false)
  expect(screen.getByLabelText<HTMLInputElement>('pKd from').value).toBe('')
})
